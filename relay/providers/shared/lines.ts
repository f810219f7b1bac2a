/** Room for pictures inside a line; beyond it the upstream is taken as broken. */
export const maxLineBytes = 32 * 1024 * 1024;

export type LineReader = Readonly<{
  /** The lines that are complete now, without their ends; null when one is longer than allowed. */
  push: (bytes: Buffer) => readonly string[] | null;
  /** What follows the last line end. */
  end: () => readonly string[];
}>;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Where lines of these bytes end, one after the other; -1: nowhere any more. */
const endsIn = (bytes: Buffer): ((from: number) => number) => {
  let cr = bytes.indexOf(carriageReturn);
  return (from) => {
    if (cr !== -1 && cr < from) cr = bytes.indexOf(carriageReturn, from);
    const lf = bytes.indexOf(lineFeed, from);
    return lf === -1 || (cr !== -1 && cr < lf) ? cr : lf;
  };
};

/** Where the line after the one that ends at `at` begins. */
const afterEnd = (bytes: Buffer, at: number): number =>
  at + (bytes[at] === carriageReturn && bytes[at + 1] === lineFeed ? 2 : 1);

/**
 * Cuts at bytes, not at characters, so that a read may end anywhere. A line ends with LF, CRLF or
 * CR, as lines of events may; JSON contains neither of them.
 */
export const createLineReader = (limitBytes = maxLineBytes): LineReader => {
  let held: Buffer[] = [];
  let heldBytes = 0;
  /** The last read ended with a CR: a LF right behind it belongs to it. */
  let endedByCr = false;

  const hold = (bytes: Buffer): boolean => {
    if (bytes.length > 0) held.push(bytes);
    heldBytes += bytes.length;
    return heldBytes <= limitBytes;
  };
  const fits = (bytes: number): boolean => heldBytes + bytes <= limitBytes;
  /** Most lines are within one read: no separate view is made for them. */
  const lineIn = (bytes: Buffer, from: number, to: number): string => {
    if (heldBytes === 0) return to === from ? '' : bytes.toString('utf8', from, to);
    hold(bytes.subarray(from, to));
    return take();
  };
  const take = (): string => {
    const [first] = held;
    const line = held.length === 1 && first !== undefined ? first : Buffer.concat(held);
    held = [];
    heldBytes = 0;
    return line.toString('utf8');
  };

  return {
    push: (bytes) => {
      const lines: string[] = [];
      const endFrom = endsIn(bytes);
      let from = endedByCr && bytes[0] === lineFeed ? 1 : 0;
      for (let to = endFrom(from); to !== -1; to = endFrom(from)) {
        if (!fits(to - from)) return null;
        lines.push(lineIn(bytes, from, to));
        from = afterEnd(bytes, to);
      }
      endedByCr = bytes[bytes.length - 1] === carriageReturn;
      return hold(bytes.subarray(from)) ? lines : null;
    },
    end: () => (heldBytes === 0 ? [] : [take()]),
  };
};
