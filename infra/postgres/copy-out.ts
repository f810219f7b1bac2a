import type pg from 'pg';

/*
 * `COPY (<query>) TO STDOUT (FORMAT binary)`: bytes are sent as they are stored. The driver reads
 * every other answer as text, where each byte of a payload is two digits that both sides have to
 * make.
 */

/** What the driver shows of its connection to a query object. */
type Connection = Readonly<{ query: (text: string) => void }>;
type Callback = (error: Error | null) => void;

/** A query object as the driver's queue takes it. */
class CopyOut {
  callback: Callback = () => undefined;
  readonly rows: Buffer[] = [];
  readonly #text: string;
  #error: Error | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  submit(connection: Connection): void {
    connection.query(this.#text);
  }
  /** Copied: the driver overwrites what it has passed on. */
  handleCopyData({ chunk }: Readonly<{ chunk: Buffer }>): void {
    this.rows.push(Buffer.from(chunk));
  }
  handleCommandComplete(): void {}
  handleReadyForQuery(): void {
    this.callback(this.#error);
  }
  /**
   * The server reports the error, and then that it is ready; a broken connection only the first.
   */
  handleError(error: Error): void {
    if (this.#error !== null) return;
    this.#error = error;
    this.callback(error);
    this.callback = () => undefined;
  }
}

const signatureBytes = 11;

/** Takes one cell after the other out of a row. The bytes are those of the row, not copied. */
export class BinaryRow {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** The next cell; a null has no bytes. */
  bytes(): Buffer {
    const start = this.#open();
    return this.#bytes.subarray(start, this.#at);
  }
  text(): string {
    const start = this.#open();
    return this.#bytes.toString('utf8', start, this.#at);
  }
  /** @throws RangeError beyond 2^53 */
  int8(): number {
    const start = this.#open();
    const value =
      this.#bytes.readInt32BE(start) * 0x1_0000_0000 + this.#bytes.readUInt32BE(start + 4);
    if (!Number.isSafeInteger(value)) throw new RangeError(`int8 ${value} is not a safe integer`);
    return value;
  }
  bool(): boolean {
    return this.#bytes[this.#open()] === 1;
  }

  /** Goes past a cell; answers where its bytes begin. */
  #open(): number {
    const start = this.#at + 4;
    this.#at = start + Math.max(0, this.#bytes.readInt32BE(this.#at));
    return start;
  }
}

/** Rows as the server sends them: the first behind a header, and a mark behind the last. */
const rowsIn = (messages: readonly Buffer[]): BinaryRow[] => {
  const rows: BinaryRow[] = [];
  for (const [index, bytes] of messages.entries()) {
    // Signature, flags, and as many bytes more as the second number states.
    const start = index > 0 ? 0 : signatureBytes + 8 + bytes.readInt32BE(signatureBytes + 4);
    if (start < bytes.length && bytes.readInt16BE(start) >= 0) {
      rows.push(new BinaryRow(bytes, start + 2));
    }
  }
  return rows;
};

/** The rows of a query, which may not take parameters. */
export const copyOut = async (pool: pg.Pool, query: string): Promise<readonly BinaryRow[]> => {
  const client = await pool.connect();
  const copy = new CopyOut(`COPY (${query}) TO STDOUT (FORMAT binary)`);
  const error = await new Promise<Error | null>((resolve) => {
    copy.callback = resolve;
    client.query(copy);
  });
  client.release(error ?? undefined);
  if (error !== null) throw error;
  return rowsIn(copy.rows);
};
