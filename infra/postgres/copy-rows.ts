import pg from 'pg';
import { StatementBatch, statementsOf } from './statement-batch.ts';
import { createStatementNames } from './statement-names.ts';

/*
 * `COPY <table> (<columns>) FROM STDIN` with its bytes as the only parameter: rows are written into
 * a table several times cheaper than by INSERT. The driver supports the messages but has no call
 * for them.
 */

/** What the driver shows of its connection to a query object. */
type Connection = Readonly<{
  query: (text: string) => void;
  sendCopyFromChunk: (chunk: Buffer) => void;
  endCopyFrom: () => void;
}>;
type Result = Readonly<{ command: string; rowCount: number; rows: readonly never[] }>;
type Callback = (error: Error | null, result?: Result) => void;

/** One message of the protocol; more bytes go in pieces. */
const chunkBytes = 256 * 1024;

/** A query object as the driver's queue takes it. */
class CopyIn {
  callback: Callback = () => undefined;
  readonly #text: string;
  readonly #rows: Buffer;
  #rowCount = 0;
  #error: Error | null = null;

  constructor(text: string, rows: Buffer) {
    this.#text = text;
    this.#rows = rows;
  }

  /** The rows are sent with the query: a server that refuses it skips them. */
  submit(connection: Connection): void {
    connection.query(this.#text);
    for (let at = 0; at < this.#rows.length; at += chunkBytes) {
      connection.sendCopyFromChunk(this.#rows.subarray(at, at + chunkBytes));
    }
    connection.endCopyFrom();
  }
  handleCopyInResponse(): void {}
  handleCommandComplete({ text }: Readonly<{ text: string }>): void {
    this.#rowCount = Number(text.split(' ')[1] ?? 0);
  }
  handleReadyForQuery(): void {
    const result = { command: 'COPY', rowCount: this.#rowCount, rows: [] };
    this.callback(this.#error, result);
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

type Query = (...asked: readonly unknown[]) => unknown;

const rowsToCopy = (text: unknown, parameters: unknown): Buffer | null => {
  if (typeof text !== 'string' || !text.startsWith('COPY ')) return null;
  const rows: unknown = Array.isArray(parameters) ? parameters[0] : null;
  return Buffer.isBuffer(rows) ? rows : null;
};

/** A query object of our own as the driver answers one. */
const answerOf = (query: Query, own: CopyIn | StatementBatch): Promise<unknown> =>
  new Promise((resolve, reject) => {
    own.callback = (error, result) => (error === null ? resolve(result) : reject(error));
    query(own);
  });

/** The driver's client, which also takes `COPY … FROM STDIN` and `BATCH`, and prepares the writes that it sees again. */
export class CopyingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const query = this.query.bind(this) as Query;
    const nameOf = createStatementNames('write');
    const nameInBatch = createStatementNames('batch');
    const named = (text: unknown, values: unknown): Readonly<Record<string, unknown>> | null => {
      if (typeof text !== 'string' || !Array.isArray(values)) return null;
      const name = nameOf(text);
      return name === null ? null : { name, text, values };
    };
    const answer: Query = (...asked) => {
      const [text, parameters] = asked;
      const rows = rowsToCopy(text, parameters);
      if (rows !== null) return answerOf(query, new CopyIn(String(text), rows));
      const statements = statementsOf(text, parameters);
      if (statements !== null) return answerOf(query, new StatementBatch(statements, nameInBatch));
      const prepared = named(text, parameters);
      return prepared === null ? query(...asked) : query(prepared);
    };
    this.query = answer as typeof this.query;
  }
}
