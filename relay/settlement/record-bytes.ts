import { headerBytes, lineFeed, sealFrame } from './record-frame.ts';

/** Bytes of one slab; a record that is longer has a separate one. */
const slabBytes = 65_536;

/** Emptied slabs kept for the next records; more are left to the collector. */
const maxSpare = 64;

type Slab = {
  readonly bytes: Buffer;
  /** Records in it that may still be read. */
  open: number;
};

/** Place of a record: ASCII, without a line break. `slab` null: it was released. */
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

/** How many of the records, from that index on, go into one text; at least one. */
export const fittingInto = (places: readonly Place[], from: number, spent: number): number => {
  let bytes = spent;
  let count = 0;
  for (let at = from; at < places.length; at += 1) {
    const place = places[at];
    bytes += place === undefined ? 0 : place.to - place.from + 1;
    if (bytes > slabBytes && count > 0) break;
    count += 1;
  }
  return count;
};

/** The first line and the records as one text of many lines. */
export const textOf = (firstLine: string, places: readonly Place[]): string => {
  const [only] = places;
  const isLong = firstLine.length + 1 + lengthOf(places) > slabBytes;
  if (isLong) {
    const lines = places.map((place) => bytesOf(place).toString('latin1', place.from, place.to));
    return [firstLine, ...lines].join('\n');
  }
  if (only === undefined) return firstLine;
  let end = scratch.write(firstLine, 0, 'latin1');
  for (const place of places) {
    const bytes = bytesOf(place);
    scratch[end] = lineFeed;
    bytes.copy(scratch, end + 1, place.from, place.to);
    end += 1 + place.to - place.from;
  }
  return scratch.toString('latin1', 0, end);
};

const lengthOf = (places: readonly Place[]): number => {
  let sum = 0;
  for (const { from, to } of places) sum += to - from + 1;
  return sum;
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

  /** Adds a record, which is ASCII, with what a journal file has around it. */
  add(json: string): Place {
    const length = headerBytes + json.length + 1;
    if (this.#end + length > this.#slab.bytes.length) this.#turnOver(length);
    const slab = this.#slab;
    const from = this.#end + headerBytes;
    const to = from + slab.bytes.write(json, from, 'latin1');
    sealFrame(slab.bytes, from, to);
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
