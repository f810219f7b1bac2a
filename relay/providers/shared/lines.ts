/** Room for pictures inside a line; beyond it the upstream is taken as broken. */
export const longestLineBytes = 32 * 1024 * 1024;

export type LineReader = Readonly<{
  /** The lines that are complete now, without their ends; null when one is longer than allowed. */
  push: (bytes: Buffer) => readonly string[] | null;
  /** What stands after the last line end. */
  end: () => readonly string[];
}>;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

const textOf = (line: Buffer): string => {
  const isCrLf = line.length > 0 && line[line.length - 1] === carriageReturn;
  return line.toString('utf8', 0, isCrLf ? line.length - 1 : line.length);
};

/** Cuts at bytes, not at characters, so that a read may end anywhere. */
export const createLineReader = (limitBytes = longestLineBytes): LineReader => {
  let held: Buffer[] = [];
  let heldBytes = 0;

  const hold = (bytes: Buffer): boolean => {
    if (bytes.length > 0) held.push(bytes);
    heldBytes += bytes.length;
    return heldBytes <= limitBytes;
  };
  const take = (): string => {
    const [first] = held;
    const line = held.length === 1 && first !== undefined ? first : Buffer.concat(held);
    held = [];
    heldBytes = 0;
    return textOf(line);
  };

  return {
    push: (bytes) => {
      const lines: string[] = [];
      let from = 0;
      for (;;) {
        const to = bytes.indexOf(lineFeed, from);
        if (to === -1) return hold(bytes.subarray(from)) ? lines : null;
        if (!hold(bytes.subarray(from, to))) return null;
        lines.push(take());
        from = to + 1;
      }
    },
    end: () => (heldBytes === 0 ? [] : [take()]),
  };
};
