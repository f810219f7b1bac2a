/*
 * `BATCH` with its statements as the only parameter: they are sent to the server in one message and
 * are answered with one, where each would cost both ends a turn. The first that fails ends the
 * batch. Within a transaction it fails, too; otherwise the batch is one by itself, as the server
 * treats all that precedes one synchronisation. The driver supports the messages but has no call
 * for them.
 */

/** A write; its values are texts as the server reads them, and rows that it answers with are left out. */
export type Statement = Readonly<{ text: string; values: readonly (string | null)[] }>;

/** What the driver shows of its connection to a query object. */
type Connection = Readonly<{
  stream: Readonly<{ cork: () => void; uncork: () => void }>;
  parsedStatements: Record<string, string | undefined>;
  parse: (statement: Readonly<{ text: string; name: string }>) => void;
  bind: (portal: Readonly<{ statement: string; values: readonly (string | null)[] }>) => void;
  execute: (portal: object) => void;
  close: (closed: Readonly<{ type: 'S'; name: string }>) => void;
  sync: () => void;
}>;
type Result = Readonly<{ command: string; rowCount: number; rows: readonly never[] }>;
type Callback = (error: Error | null, result?: Result) => void;

/** A query object as the driver's queue takes it. */
export class StatementBatch {
  callback: Callback = () => undefined;
  readonly #statements: readonly Statement[];
  readonly #nameOf: (text: string) => string | null;
  /** Named statements that the server parses with this batch. */
  readonly #parsed: Statement[] = [];
  #rowCount = 0;
  #error: Error | null = null;

  constructor(statements: readonly Statement[], nameOf: (text: string) => string | null) {
    this.#statements = statements;
    this.#nameOf = nameOf;
  }

  submit(connection: Connection): void {
    connection.stream.cork();
    try {
      for (const statement of this.#statements) this.#send(connection, statement);
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
  }

  handleCommandComplete({ text }: Readonly<{ text: string }>): void {
    this.#rowCount += Number(text.split(' ').at(-1) ?? 0);
  }

  handleDataRow(): void {}

  handleReadyForQuery(connection: Connection): void {
    for (const { text } of this.#parsed) {
      const name = this.#nameOf(text);
      if (name !== null) connection.parsedStatements[name] = text;
    }
    this.callback(this.#error, { command: 'BATCH', rowCount: this.#rowCount, rows: [] });
  }

  /** After a refusal the server is ready again without another word to this batch. */
  handleError(error: Error): void {
    if (this.#error !== null) return;
    this.#error = error;
    this.callback(error);
    this.callback = () => undefined;
  }

  #send(connection: Connection, statement: Statement): void {
    const { text, values } = statement;
    const name = this.#nameOf(text) ?? '';
    if (name === '' || connection.parsedStatements[name] === undefined) {
      // A batch that failed may have left it behind.
      if (name !== '') connection.close({ type: 'S', name });
      connection.parse({ text, name });
      if (name !== '') this.#parsed.push(statement);
    }
    connection.bind({ statement: name, values });
    connection.execute({});
  }
}

/** The statements of such a question; null where it is another. */
export const statementsOf = (text: unknown, parameters: unknown): readonly Statement[] | null =>
  text === 'BATCH' && Array.isArray(parameters) && Array.isArray(parameters[0])
    ? (parameters[0] as readonly Statement[])
    : null;
