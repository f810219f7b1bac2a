import type { Cell } from './sim-database.ts';

/*
 * Values as the runtime of the projections sends them: one text for each column
 * (`projections/runtime/flush.ts`), or rows in PostgreSQL's binary form of COPY.
 */

const separator = '\u0001';
const nothing = '\u0002';

const parse = (text: string, type: string): Cell => {
  if (type === 'text') return text;
  if (type === 'bool') return text === 'true' || text === 't';
  return Number(text);
};

/** The values of one column. */
export const columnOf = (text: string, type: string): Cell[] => {
  if (type === 'text') {
    const [, ...pieces] = text.split(separator);
    return pieces.map((piece) => (piece === nothing ? null : piece));
  }
  const inside = text.slice(1, -1);
  if (inside === '') return [];
  return inside.split(',').map((piece) => (piece === 'NULL' ? null : parse(piece, type)));
};

const field = (bytes: Buffer, type: string): Cell => {
  switch (type) {
    case 'text':
      return bytes.toString('utf8');
    case 'bool':
      return bytes[0] === 1;
    case 'float8':
      return bytes.readDoubleBE(0);
    default:
      return Number(bytes.readBigInt64BE(0));
  }
};

/** Signature, flags and the length of an extension. */
const headerBytes = 19;

/** Rows of a binary COPY, their cells in the order of the columns. */
export const copiedRows = (bytes: Buffer, types: readonly string[]): Cell[][] => {
  const rows: Cell[][] = [];
  let at = headerBytes;
  while (at < bytes.length && bytes.readInt16BE(at) !== -1) {
    at += 2;
    const row: Cell[] = [];
    for (const type of types) {
      const length = bytes.readInt32BE(at);
      at += 4;
      row.push(length < 0 ? null : field(bytes.subarray(at, at + length), type));
      at += Math.max(0, length);
    }
    rows.push(row);
  }
  return rows;
};
