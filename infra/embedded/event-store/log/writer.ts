import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../../../ports/logger.ts';
import {
  ABSENT,
  isMetaStream,
  type LogRecord,
  metaStreamOf,
  originalOf,
  type StreamState,
  type WriteResult,
} from '../types.ts';
import { needsKnownIds } from './append-rules.ts';
import { Batch, type KnownIds, type Write } from './batch.ts';
import { commit } from './commit-statement.ts';
import { isRefusal } from './store-away.ts';
import type { StreamStates } from './stream-states.ts';

/** The node is going down, or the database is away; the outcome of the write is unknown. */
class WriterClosedError extends Error {
  constructor() {
    super('the event store is closing');
    this.name = 'WriterClosedError';
  }
}

/** The log has one writer. */
export class LogInUseError extends Error {
  constructor() {
    super('another process writes this event log');
    this.name = 'LogInUseError';
  }
}

type Pending = Readonly<{
  write: Write;
  /** Milliseconds since 1970, past which the client no longer waits. */
  deadlineMs: number;
  bytes: number;
  resolve: (result: WriteResult) => void;
  reject: (error: unknown) => void;
}>;

/** A commit, announced to readers once it is durable. */
type Committed = Readonly<{ head: number; records: readonly LogRecord[] }>;

type Options = Readonly<{
  connect: () => pg.Client;
  states: StreamStates;
  logger: Logger;
  onCommitted: (committed: Committed) => void;
  /** The log was read again after a lost connection; the state in memory may be behind. */
  onReopened: (head: number) => void;
}>;

const maxBatchWrites = 1_024;
const maxBatchBytes = 8 * 1024 * 1024;
const reconnectDelayMs = 200;
/** The one writer of a log holds this; taken on the very connection that commits. */
const writerLock = 7_405_002;

const bytesOf = ({ events }: Write): number =>
  events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0);

/**
 * The one writer. Appends that arrive while a commit is under way are joined into the next one, so
 * that positions are gapless and in commit order, and one fsync serves them all.
 */
export class Writer {
  readonly #options: Options;
  #client: pg.Client;
  #queue: Pending[] = [];
  #isPumping = false;
  #isClosed = false;
  #head = 0;
  #nextStreamId = 1;
  #lastCreatedAtMs = 0;

  private constructor(options: Options) {
    this.#options = options;
    this.#client = options.connect();
  }

  /** @throws when another process writes this log */
  static async open(options: Options): Promise<Writer> {
    const writer = new Writer(options);
    await writer.#open();
    return writer;
  }

  get head(): number {
    return this.#head;
  }

  write(write: Write, deadlineMs: number): Promise<WriteResult> {
    if (this.#isClosed) return Promise.reject(new WriterClosedError());
    return new Promise((resolve, reject) => {
      this.#queue.push({ write, deadlineMs, bytes: bytesOf(write), resolve, reject });
      if (!this.#isPumping) void this.#pump();
    });
  }

  /** Ends after the commit under way; what still waits is rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#queue.splice(0)) reject(new WriterClosedError());
    await this.#client.end().catch(() => undefined);
  }

  async #open(): Promise<void> {
    this.#client.on('error', () => undefined);
    await this.#client.connect();
    const { rows } = await this.#client.query('select pg_try_advisory_lock($1) as is_ours', [
      writerLock,
    ]);
    if (rows[0]?.is_ours !== true) {
      await this.#client.end();
      throw new LogInUseError();
    }
    const heads = await this.#client.query<[number, number, number]>({
      text: `select coalesce((select max(position) from events), 0)::float8,
                    coalesce((select max(id) from streams), 0)::float8 + 1,
                    coalesce((select created_at_ms from events order by position desc limit 1), 0)::float8`,
      rowMode: 'array',
    });
    [this.#head, this.#nextStreamId, this.#lastCreatedAtMs] = heads.rows[0] ?? [0, 1, 0];
  }

  /** Keeps trying: the same database, the same lock, then the head as it is now. */
  async #reopen(): Promise<void> {
    while (!this.#isClosed) {
      await this.#client.end().catch(() => undefined);
      this.#client = this.#options.connect();
      try {
        await this.#open();
        this.#options.states.clear();
        this.#options.onReopened(this.#head);
        return;
      } catch (error) {
        this.#options.logger.warn({ error: String(error) }, 'event log not writable, trying again');
        this.#expireQueue();
        await sleep(reconnectDelayMs);
      }
    }
  }

  #expireQueue(): void {
    const now = Date.now();
    this.#queue = this.#queue.filter(({ deadlineMs, resolve }) => {
      if (deadlineMs > now) return true;
      resolve({ kind: 'timeout' });
      return false;
    });
  }

  async #pump(): Promise<void> {
    this.#isPumping = true;
    // One turn of the loop, so that appends of the same moment share a commit.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#queue.length > 0 && !this.#isClosed) {
      const batch = this.#take();
      if (batch.length > 0) await this.#commit(batch);
    }
    this.#isPumping = false;
  }

  #take(): Pending[] {
    this.#expireQueue();
    let bytes = 0;
    let count = 0;
    while (count < this.#queue.length && count < maxBatchWrites && bytes < maxBatchBytes) {
      bytes += this.#queue[count]?.bytes ?? 0;
      count += 1;
    }
    return this.#queue.splice(0, count);
  }

  async #commit(pending: readonly Pending[]): Promise<void> {
    try {
      const results = await this.#tryCommit(pending.map(({ write }) => write));
      for (const [index, { resolve, reject }] of pending.entries()) {
        const result = results[index];
        if (result === undefined) reject(new Error('a write without a result'));
        else resolve(result);
      }
    } catch (error) {
      await this.#recover(pending, error);
    }
  }

  /**
   * A refused statement is one write's fault: each is tried separately. After a lost connection the
   * writes are tried again, which is safe, because committed ones are recognised by their event
   * ids.
   */
  async #recover(pending: readonly Pending[], error: unknown): Promise<void> {
    const [only] = pending;
    if (!isRefusal(error)) {
      if (this.#isClosed) {
        for (const { reject } of pending) reject(new WriterClosedError());
        return;
      }
      this.#options.logger.error({ error: String(error) }, 'lost the event log, reopening it');
      this.#queue.unshift(...pending);
      await this.#reopen();
      return;
    }
    if (pending.length === 1 && only !== undefined) {
      only.reject(error);
      return;
    }
    for (const one of pending) await this.#commit([one]);
  }

  async #tryCommit(writes: readonly Write[]): Promise<WriteResult[]> {
    const states = await this.#options.states.load(this.#client, namesOf(writes));
    const knownIds = await this.#knownIds(writes, states);
    const createdAtMs = Math.max(Date.now(), this.#lastCreatedAtMs);
    const base = { head: this.#head, nextStreamId: this.#nextStreamId, createdAtMs };
    const batch = new Batch(base, states, knownIds);
    const results = writes.map((write) => batch.apply(write));
    if (batch.records.length === 0) return results;
    await commit(this.#client, batch.records, batch.changed);
    this.#head = batch.head;
    this.#nextStreamId = batch.nextStreamId;
    this.#lastCreatedAtMs = createdAtMs;
    this.#options.states.publish(batch.changed);
    const records = batch.records.map(({ record }) => record);
    this.#options.onCommitted({ head: batch.head, records });
    return results;
  }

  /** Searches first ids, and all others only where the first one exists: nearly never. */
  async #knownIds(
    writes: readonly Write[],
    states: ReadonlyMap<string, StreamState>,
  ): Promise<KnownIds> {
    const known = new Map<string, { streamId: number; revision: number; position: number }[]>();
    const doubtful = writes.filter(
      ({ stream, expected, events }) =>
        events.length > 0 && needsKnownIds(states.get(stream) ?? ABSENT, expected),
    );
    if (doubtful.length === 0) return known;
    await this.#findIds(
      doubtful.flatMap(({ events }) => events[0]?.eventId ?? []),
      known,
    );
    const repeated = doubtful.filter(({ events }) => known.has(events[0]?.eventId ?? ''));
    const others = repeated.flatMap(({ events }) => events.slice(1).map(({ eventId }) => eventId));
    if (others.length > 0) await this.#findIds(others, known);
    return known;
  }

  async #findIds(
    eventIds: readonly string[],
    known: Map<string, { streamId: number; revision: number; position: number }[]>,
  ): Promise<void> {
    const { rows } = await this.#client.query<[string, number, number, number]>({
      name: 'known-ids',
      text: `select event_id, stream_id::float8, revision::float8, position::float8
             from events where event_id = any($1::uuid[]) order by position`,
      values: [eventIds],
      rowMode: 'array',
    });
    for (const [eventId, streamId, revision, position] of rows) {
      const places = known.get(eventId) ?? [];
      if (!places.some((place) => place.position === position)) {
        places.push({ streamId, revision, position });
      }
      known.set(eventId, places);
    }
  }
}

/** Every stream whose state a batch may read: itself and its metadata's other half. */
const namesOf = function* (writes: readonly Write[]): Generator<string> {
  for (const { stream } of writes) {
    yield stream;
    yield isMetaStream(stream) ? originalOf(stream) : metaStreamOf(stream);
    // Metadata of metadata is not supported, but `$$$$x` is a name that a client may send.
    if (isMetaStream(stream)) yield metaStreamOf(stream);
  }
};
