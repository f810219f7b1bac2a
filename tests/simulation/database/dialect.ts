import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import { statementsOf } from '../../../infra/postgres/statement-batch.ts';
import { LineBrokenError, type RemoteCalls } from '../world/remote-calls.ts';
import { type SimDatabase, takeBack, type Undo } from './sim-database.ts';
import type { Result } from './statement.ts';
import { execute } from './statements.ts';

const terminated = (): Error =>
  Object.assign(new Error('connection terminated'), { code: '08006' });

/** One session at the server; what it did in a transaction goes with it when it breaks. */
class SimConnection implements DatabaseConnection {
  readonly #database: SimDatabase;
  readonly #calls: RemoteCalls;
  #undo: Undo = [];
  #isInTransaction = false;
  #isClosed = false;

  constructor(database: SimDatabase, calls: RemoteCalls) {
    this.#database = database;
    this.#calls = calls;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, affected } = await this.#call(() => {
      const session = { connection: this, undo: this.#undo };
      let result: Result = { rows: [], affected: 0 };
      const statements = statementsOf(sql, parameters) ?? [{ text: sql, values: parameters }];
      try {
        for (const { text, values } of statements) {
          result = execute(this.#database, text, { parameters: values, session });
        }
      } catch (error) {
        // Outside of a transaction a batch is one by itself.
        if (!this.#isInTransaction) this.abandon();
        throw error;
      }
      if (!this.#isInTransaction) this.#commit();
      return result;
    });
    return { rows: rows as readonly R[] as R[], numAffectedRows: BigInt(affected) };
  }

  async *streamQuery<R>(): AsyncGenerator<QueryResult<R>> {
    yield* [];
    throw new Error('nothing is streamed');
  }

  begin(): Promise<void> {
    return this.#call(() => {
      this.#isInTransaction = true;
    });
  }

  commit(): Promise<void> {
    return this.#call(() => this.#commit());
  }

  rollback(): Promise<void> {
    return this.#call(() => this.abandon());
  }

  /** The server ends the session: nothing of an open transaction stays. */
  abandon(): void {
    takeBack(this.#undo);
    this.#end();
  }

  /** The session is over, and with it what it held. */
  close(): void {
    this.#isClosed = true;
    this.abandon();
    if (this.#database.leader === this) this.#database.leader = null;
  }

  /** A line that breaks takes the session along. */
  async #call<T>(serve: () => T): Promise<T> {
    if (this.#isClosed) throw terminated();
    try {
      return await this.#calls.call(() => {
        // A statement that the server had before the line broke does not outlive its session.
        if (this.#isClosed) throw terminated();
        return serve();
      });
    } catch (error) {
      throw error instanceof LineBrokenError ? terminated() : error;
    }
  }

  #commit(): void {
    this.#database.committed(this.#undo);
    this.#undo = [];
    this.#end();
  }

  #end(): void {
    this.#isInTransaction = false;
    for (const [name, holder] of this.#database.locks) {
      if (holder === this) this.#database.locks.delete(name);
    }
  }
}

type Needs = Readonly<{
  database: SimDatabase;
  calls: RemoteCalls;
  /** Hears when the line to the server breaks. */
  onBreak: (listener: () => void) => void;
}>;

const createDriver = ({ database, calls, onBreak }: Needs): Driver => {
  const open = new Set<SimConnection>();
  onBreak(() => {
    for (const connection of open) connection.close();
    open.clear();
  });
  const own = (connection: DatabaseConnection): SimConnection => connection as SimConnection;
  return {
    init: async () => undefined,
    acquireConnection: async () => {
      const connection = new SimConnection(database, calls);
      open.add(connection);
      return connection;
    },
    beginTransaction: (connection) => own(connection).begin(),
    commitTransaction: (connection) => own(connection).commit(),
    rollbackTransaction: (connection) => own(connection).rollback(),
    releaseConnection: async (connection) => {
      open.delete(own(connection));
    },
    destroy: async () => undefined,
  };
};

/** Kysely over the simulated database, as one process has it. */
export const openDatabase = (needs: Needs): Kysely<unknown> => {
  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => createDriver(needs),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
  return new Kysely({ dialect });
};
