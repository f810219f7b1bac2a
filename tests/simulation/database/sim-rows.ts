import { schemaOf } from '../../../projections/runtime/projector.ts';
import {
  CheckpointMovedError,
  type RowStore,
  type Selection,
  type Step,
} from '../../../projections/runtime/row-store.ts';
import type { Row } from '../../../projections/runtime/table.ts';
import { LineBrokenError, type RemoteCalls } from '../world/remote-calls.ts';
import { isAt, type SimDatabase, takeBack, type Undo } from './sim-database.ts';
import { writeRows } from './write-rows.ts';

const terminated = (): Error =>
  Object.assign(new Error('connection terminated'), { code: '08006' });

/** PostgreSQL's code for a row that another session has locked. */
const locked = (name: string): Error =>
  Object.assign(new Error(`${name} is locked`), { code: '55P03' });

const movedError = ({ from }: Step): Error =>
  new CheckpointMovedError(from.map(({ name }) => name).join(', '));

/** One session at the server; what it did in a transaction goes with it when it breaks. */
class SimSession {
  readonly #database: SimDatabase;
  readonly #calls: RemoteCalls;
  readonly undo: Undo = [];
  #isInTransaction = false;
  #isClosed = false;

  constructor(database: SimDatabase, calls: RemoteCalls) {
    this.#database = database;
    this.#calls = calls;
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
    return this.#call(() => this.#abandon());
  }

  /** One message to the server; outside of a transaction one by itself. */
  run<T>(serve: () => T): Promise<T> {
    return this.#call(() => {
      try {
        const result = serve();
        if (!this.#isInTransaction) this.#commit();
        return result;
      } catch (error) {
        if (!this.#isInTransaction) this.#abandon();
        throw error;
      }
    });
  }

  lock(name: string): void {
    const holder = this.#database.locks.get(name);
    if (holder !== undefined && holder !== this) throw locked(name);
    this.#database.locks.set(name, this);
  }

  /** The session is over, and with it what it held. */
  close(): void {
    this.#isClosed = true;
    this.#abandon();
    if (this.#database.leader === this) this.#database.leader = null;
  }

  /** A line that breaks takes the session along. */
  async #call<T>(serve: () => T): Promise<T> {
    if (this.#isClosed) throw terminated();
    try {
      return await this.#calls.call(() => {
        // A message that the server had before the line broke does not outlive its session.
        if (this.#isClosed) throw terminated();
        return serve();
      });
    } catch (error) {
      throw error instanceof LineBrokenError ? terminated() : error;
    }
  }

  #commit(): void {
    this.#database.committed(this.undo.splice(0));
    this.#end();
  }

  #abandon(): void {
    takeBack(this.undo);
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
  /** Calls back when the line to the server breaks. */
  onBreak: (listener: () => void) => void;
}>;

/** The port of the projection runtime over the simulated database, as one process has it. */
class SimRows implements RowStore {
  readonly #needs: Needs;
  readonly #open: Set<SimSession>;
  /** null: each message has a separate session. */
  readonly #session: SimSession | null;

  constructor(needs: Needs, open: Set<SimSession>, session: SimSession | null = null) {
    this.#needs = needs;
    this.#open = open;
    this.#session = session;
  }

  get db(): RowStore['db'] {
    throw new Error('the simulated database takes no SQL');
  }

  transaction<T>(task: (rows: RowStore) => Promise<T>): Promise<T> {
    return this.#withSession(async (session) => {
      await session.begin();
      try {
        const result = await task(new SimRows(this.#needs, this.#open, session));
        await session.commit();
        return result;
      } catch (error) {
        await session.rollback().catch(() => undefined);
        throw error;
      }
    });
  }

  withLock(task: (ping: () => Promise<void>) => Promise<void>): Promise<boolean> {
    const { database } = this.#needs;
    return this.#withSession(async (session) => {
      const isLeader = await session.run(() => {
        database.leader ??= session;
        return database.leader === session;
      });
      if (!isLeader) return false;
      try {
        await task(() => session.run(() => undefined));
      } finally {
        const release = () => {
          if (database.leader === session) database.leader = null;
        };
        await session.run(release).catch(() => undefined);
      }
      return true;
    });
  }

  createCheckpointTable(): Promise<void> {
    return this.#run(() => undefined);
  }

  createIndexes(): Promise<void> {
    return this.#run(() => undefined);
  }

  missingTables: RowStore['missingTables'] = (projectors) =>
    this.#run(({ database }) =>
      projectors.flatMap(({ name, tables }) =>
        Object.values(tables)
          .filter((table) => !database.hasTable(schemaOf(name), table.name))
          .map((table) => `${schemaOf(name)}.${table.name}`),
      ),
    );

  createTables: RowStore['createTables'] = ({ tables }, schema) =>
    this.#run(({ database, session }) =>
      database.createTables(schema, Object.values(tables), session.undo),
    );

  readCheckpoint: RowStore['readCheckpoint'] = (name) =>
    this.#run(({ database }) => database.checkpoints.get(name) ?? null);

  resetCheckpoint: RowStore['resetCheckpoint'] = (name, version) =>
    this.#run(({ database, session }) => {
      session.lock(name);
      database.setCheckpoint(name, { version, at: null }, session.undo);
    });

  changeVersion: RowStore['changeVersion'] = (name, from, to) =>
    this.#run(({ database, session }) => {
      session.lock(name);
      const held = database.checkpoints.get(name);
      if (held?.version !== from) return;
      database.setCheckpoint(name, { ...held, version: to }, session.undo);
    });

  async moveCheckpoints(step: Step): Promise<void> {
    const count = await this.#run(({ session }) => this.#move(session, step));
    if (count !== step.from.length) throw movedError(step);
  }

  write: RowStore['write'] = (written) =>
    this.#run(({ database, session }) => writeRows(database, written, session.undo));

  writeWithStep: RowStore['writeWithStep'] = async (step, written) => {
    if (written.some(({ place }) => place.fresh === true)) return false;
    await this.#run(({ database, session }) => {
      if (this.#move(session, step) !== step.from.length) throw movedError(step);
      writeRows(database, written, session.undo);
    });
    return true;
  };

  select<R extends Row>(
    schema: string,
    { table, column, values, and = {} }: Selection,
  ): Promise<readonly R[]> {
    const isSelected = (row: Row): boolean =>
      Object.entries(and).every(([name, value]) => row[name] === value) &&
      values.includes(row[column] as string | number);
    return this.#run(
      ({ database }) => [...database.rows(schema, table.name)].filter(isSelected) as R[],
    );
  }

  async swapTables(): Promise<void> {
    throw new Error('nothing is rebuilt next to the tables that serve');
  }

  /** How many were where the step expects. */
  #move(session: SimSession, { from, to, eventId }: Step): number {
    const { database } = this.#needs;
    let count = 0;
    for (const { name, at } of from) {
      session.lock(name);
      const held = database.checkpoints.get(name);
      if (held === undefined || !isAt(held, at)) continue;
      const checkpoint = { ...held, at: { position: to, eventId } };
      database.setCheckpoint(name, checkpoint, session.undo);
      count += 1;
    }
    return count;
  }

  #run<T>(serve: (at: { database: SimDatabase; session: SimSession }) => T): Promise<T> {
    const { database } = this.#needs;
    return this.#withSession((session) => session.run(() => serve({ database, session })));
  }

  async #withSession<T>(task: (session: SimSession) => Promise<T>): Promise<T> {
    if (this.#session !== null) return task(this.#session);
    const session = new SimSession(this.#needs.database, this.#needs.calls);
    this.#open.add(session);
    try {
      return await task(session);
    } finally {
      this.#open.delete(session);
    }
  }
}

export const openRows = (needs: Needs): RowStore => {
  const open = new Set<SimSession>();
  needs.onBreak(() => {
    for (const session of open) session.close();
    open.clear();
  });
  return new SimRows(needs, open);
};
