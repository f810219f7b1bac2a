import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type pg from 'pg';

/*
 * COPY of whole tables as streams: neither side holds more than the next pieces in memory. The
 * driver supports the messages but has no call for them.
 */

/** What the driver shows of its connection to a query object. */
type Connection = Readonly<{
  query: (text: string) => void;
  sendCopyFromChunk: (chunk: Buffer) => void;
  endCopyFrom: () => void;
  sendCopyFail: (reason: string) => void;
  stream: Writable & Readonly<{ pause: () => void; resume: () => void }>;
}>;
type Callback = (error: Error | null, rows: number) => void;

/** A query object as the driver's queue takes it. */
abstract class Copy {
  callback: Callback = () => undefined;
  readonly #text: string;
  #rows = 0;
  #error: Error | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  submit(connection: Connection): void {
    this.begin(connection);
    connection.query(this.#text);
  }
  handleCommandComplete({ text }: Readonly<{ text: string }>): void {
    this.#rows = Number(text.split(' ')[1] ?? 0);
  }
  handleReadyForQuery(): void {
    this.callback(this.#error, this.#rows);
  }
  /**
   * The server reports the error, and then that it is ready; a broken connection only the first.
   */
  handleError(error: Error): void {
    if (this.#error !== null) return;
    this.#error = error;
    this.callback(error, 0);
    this.callback = () => undefined;
  }

  protected abstract begin(connection: Connection): void;
}

class CopyToStream extends Copy {
  readonly #target: Writable;
  #connection: Connection | null = null;
  #isPaused = false;

  constructor(text: string, target: Writable) {
    super(text);
    this.#target = target;
  }

  protected begin(connection: Connection): void {
    this.#connection = connection;
  }
  /** Copied: the driver overwrites what it has passed on. */
  handleCopyData({ chunk }: Readonly<{ chunk: Buffer }>): void {
    const connection = this.#connection;
    if (this.#target.write(Buffer.from(chunk)) || connection === null) return;
    // What the driver has read already is still delivered.
    if (this.#isPaused) return;
    this.#isPaused = true;
    connection.stream.pause();
    this.#target.once('drain', () => this.#resume());
  }
  /** A target that is ended next never reports that it is drained. */
  override handleReadyForQuery(): void {
    this.#resume();
    super.handleReadyForQuery();
  }

  #resume(): void {
    this.#isPaused = false;
    this.#connection?.stream.resume();
  }
}

class CopyFromStream extends Copy {
  readonly #source: Readable;

  constructor(text: string, source: Readable) {
    super(text);
    this.#source = source;
  }

  protected begin(): void {}
  handleCopyInResponse(connection: Connection): void {
    void this.#send(connection);
  }

  async #send(connection: Connection): Promise<void> {
    try {
      for await (const chunk of this.#source) {
        connection.sendCopyFromChunk(chunk as Buffer);
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain');
      }
      connection.endCopyFrom();
    } catch (error) {
      connection.sendCopyFail(String(error));
    }
  }
}

/** How many rows were copied. */
const rowsOf = (client: pg.ClientBase, copy: Copy): Promise<number> =>
  new Promise((resolve, reject) => {
    copy.callback = (error, rows) => (error === null ? resolve(rows) : reject(error));
    client.query(copy as unknown as pg.Submittable);
  });

/** Writes the rows of a query into `target`, which it leaves open; answers how many they were. */
export const copyToStream = async (
  client: pg.ClientBase,
  query: string,
  target: Writable,
): Promise<number> =>
  rowsOf(client, new CopyToStream(`COPY (${query}) TO STDOUT (FORMAT binary)`, target));

/** Fills a table (`name (columns)`) with what `copyToStream` wrote; answers how many rows it took. */
export const copyFromStream = async (
  client: pg.ClientBase,
  table: string,
  source: Readable,
): Promise<number> =>
  rowsOf(client, new CopyFromStream(`COPY ${table} FROM STDIN (FORMAT binary)`, source));
