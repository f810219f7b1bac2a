/** Bytes of one slab; a record that is longer has one of its own. */
const slabBytes = 65_536;
const lineFeed = 0x0a;

/** Emptied slabs kept for the next records; more are left to the collector. */
const maxSpare = 64;

type Slab = {
  readonly bytes: Buffer;
  /** Records in it that may still be read. */
  open: number;
};

/** Where a record stands: ASCII, without a line break. `slab` null: it was released. */
export type Place = { slab: Slab | null; readonly from: number; readonly to: number };

/** A record by itself. */
export const placeOf = (line: string): Place => {
  const bytes = Buffer.from(line, 'latin1');
  return { slab: { bytes, open: 1 }, from: 0, to: bytes.length };
};

const bytesOf = ({ slab }: Place): Buffer => {
  if (slab === null) throw new Error('the record was released before it was read');
  return slab.bytes;
};

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
    const bytes = bytesOf(place);
    const { from, to } = place;
    const length = to - from + 1;
    if (end + length > slabBytes) finish();
    if (length > slabBytes) texts.push(bytes.toString('latin1', from, to));
    else {
      bytes.copy(scratch, end, from, to);
      end += length;
      scratch[end - 1] = lineFeed;
    }
  }
  finish();
  return texts;
};

const newSlab = (length: number): Slab => ({
  bytes: Buffer.allocUnsafeSlow(Math.max(slabBytes, length)),
  open: 0,
});

/**
 * Records on their way to the file and to the bus, as bytes outside of the engine's heap: while
 * thousands wait for the bus, the collector would carry each text about twice. Slabs are used
 * again, because new ones all the time would make it sweep the whole heap for their sake.
 */
export class RecordBytes {
  readonly #spare: Slab[] = [];
  #slab = newSlab(slabBytes);
  #taken = 0;
  #end = 0;
  #full: Buffer[] = [];

  /** Adds a line of ASCII. The place leaves out its line break. */
  add(line: string): Place {
    const length = line.length + 1;
    if (this.#end + length > this.#slab.bytes.length) this.#turnOver(length);
    const slab = this.#slab;
    const from = this.#end;
    const to = from + slab.bytes.write(line, from, 'latin1');
    slab.bytes[to] = lineFeed;
    slab.open += 1;
    this.#end = to + 1;
    return { slab, from, to };
  }

  /**
   * All that was added since the last time, in order. To be written before anything is released:
   * the bytes are those of the slabs.
   */
  take(): readonly Buffer[] {
    const pieces = this.#full;
    if (this.#end > this.#taken) pieces.push(this.#slab.bytes.subarray(this.#taken, this.#end));
    this.#taken = this.#end;
    this.#full = [];
    return pieces;
  }

  /** The record will not be read any more. */
  release(place: Place): void {
    const { slab } = place;
    if (slab === null) return;
    place.slab = null;
    slab.open -= 1;
    const isOver = slab.open === 0 && slab !== this.#slab;
    const isUsual = slab.bytes.length === slabBytes;
    if (isOver && isUsual && this.#spare.length < maxSpare) this.#spare.push(slab);
  }

  #turnOver(length: number): void {
    this.#full = [...this.take()];
    const spare = length <= slabBytes ? this.#spare.pop() : undefined;
    this.#slab = spare ?? newSlab(length);
    this.#taken = 0;
    this.#end = 0;
  }
}
