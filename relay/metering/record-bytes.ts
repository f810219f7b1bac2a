/** Bytes of one slab; a record that is longer has one of its own. */
const slabBytes = 65_536;
const lineFeed = 0x0a;

/** Where a record stands: ASCII, without a line break. */
export type Place = Readonly<{ slab: Buffer; from: number; to: number }>;

/** A record by itself. */
export const placeOf = (line: string): Place => {
  const slab = Buffer.from(line, 'latin1');
  return { slab, from: 0, to: slab.length };
};

const textAt = ({ slab, from, to }: Place): string => slab.toString('latin1', from, to);

/** Used for a moment at a time. */
const scratch = Buffer.allocUnsafeSlow(slabBytes);

/** The records as texts of many lines each, in order. */
export const linesOf = (places: readonly Place[]): readonly string[] => {
  const texts: string[] = [];
  let end = 0;
  const finish = (): void => {
    if (end > 0) texts.push(scratch.toString('latin1', 0, end - 1));
    end = 0;
  };
  for (const place of places) {
    const { slab, from, to } = place;
    const length = to - from + 1;
    if (end + length > slabBytes) finish();
    if (length > slabBytes) texts.push(textAt(place));
    else {
      slab.copy(scratch, end, from, to);
      end += length;
      scratch[end - 1] = lineFeed;
    }
  }
  finish();
  return texts;
};

/**
 * Records on their way to the file and to the bus, as bytes outside of the engine's heap: while
 * thousands wait for the bus, the collector would carry each text about twice.
 */
export class RecordBytes {
  #slab = Buffer.allocUnsafeSlow(slabBytes);
  #taken = 0;
  #end = 0;
  #full: Buffer[] = [];

  /** Adds a line of ASCII. The place leaves out its line break. */
  add(line: string): Place {
    const length = line.length + 1;
    if (this.#end + length > this.#slab.length) this.#turnOver(length);
    const slab = this.#slab;
    const from = this.#end;
    const to = from + slab.write(line, from, 'latin1');
    slab[to] = lineFeed;
    this.#end = to + 1;
    return { slab, from, to };
  }

  /** All that was added since the last time, in order. */
  take(): readonly Buffer[] {
    const pieces = this.#full;
    if (this.#end > this.#taken) pieces.push(this.#slab.subarray(this.#taken, this.#end));
    this.#taken = this.#end;
    this.#full = [];
    return pieces;
  }

  #turnOver(length: number): void {
    this.#full = [...this.take()];
    this.#slab = Buffer.allocUnsafeSlow(Math.max(slabBytes, length));
    this.#taken = 0;
    this.#end = 0;
  }
}
