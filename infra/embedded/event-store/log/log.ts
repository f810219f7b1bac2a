import pg from 'pg';
import type { Logger } from '../../../ports/logger.ts';
import { type BinaryRow, copyOut } from '../../../postgres/copy-out.ts';
import { createPool, parseInt8 } from '../../../postgres/create-database.ts';
import { migrate } from '../../../postgres/migrate.ts';
import {
  ABSENT,
  isMetaStream,
  type LogRecord,
  originalOf,
  type StreamState,
  type WriteResult,
} from '../types.ts';
import { uuidOf } from '../wire/uuid.ts';
import type { Write } from './batch.ts';
import { Commits } from './commits.ts';
import { RecentRecords } from './recent-records.ts';
import { Scavenger } from './scavenger.ts';
import { eventStoreMigrations } from './schema.ts';
import { isDeletion, visibleRange } from './stream-metadata.ts';
import { StreamStates } from './stream-states.ts';
import { Writer } from './writer.ts';

type Row = [number, string, number, string, boolean, number, string, Buffer, Buffer];

const columns = `e.position, s.name, e.revision, e.event_id, e.is_json, e.created_at_ms,
  e.type, e.data, e.metadata from events e join streams s on s.id = e.stream_id`;

const pages = {
  forwards: (position: number, limit: number): string =>
    `select ${columns} where e.position >= ${position} order by e.position limit ${limit}`,
  backwards: (position: number, limit: number): string =>
    `select ${columns} where e.position < ${position} order by e.position desc limit ${limit}`,
};
const queries = {
  streamForwards: `select ${columns} where e.stream_id = $1 and e.revision >= $3 and e.revision <= $4
    and e.created_at_ms > $5 order by e.revision limit $2`,
  streamBackwards: `select ${columns} where e.stream_id = $1 and e.revision >= $3 and e.revision <= $4
    and e.created_at_ms > $5 order by e.revision desc limit $2`,
};

const recordOf = (row: BinaryRow): LogRecord => ({
  position: row.int8(),
  stream: row.text(),
  revision: row.int8(),
  eventId: uuidOf(row.bytes()),
  isJson: row.bool(),
  createdAtMs: row.int8(),
  type: row.text(),
  data: row.bytes(),
  metadata: row.bytes(),
});

export type Direction = 'forwards' | 'backwards';
export type StreamRead = Readonly<{
  stream: string;
  /** Inclusive. */
  from: number;
  direction: Direction;
  limit: number;
}>;
export type StreamPage =
  | Readonly<{ kind: 'records'; records: readonly LogRecord[] }>
  | Readonly<{ kind: 'not-found' }>
  | Readonly<{ kind: 'stream-deleted' }>;

/** Soft deletion is recorded in the metadata stream. */
const deletedStreams = (records: readonly LogRecord[]): readonly string[] =>
  records
    .filter(isDeletion)
    .map(({ stream }) => (isMetaStream(stream) ? originalOf(stream) : stream));

const cachedStreams = 50_000;
const recentLimits = { maxCount: 4_096, maxBytes: 12 * 1024 * 1024 };

/** The log: one writer, any number of readers, and waiting for new events. */
export class Log {
  readonly commits: Commits;
  readonly pool: pg.Pool;
  readonly scavenger: Scavenger;
  readonly #writer: Writer;
  readonly #states: StreamStates;
  readonly #recent: RecentRecords;

  private constructor(
    pool: pg.Pool,
    writer: Writer,
    parts: Readonly<{
      states: StreamStates;
      recent: RecentRecords;
      commits: Commits;
      scavenger: Scavenger;
    }>,
  ) {
    this.pool = pool;
    this.#writer = writer;
    this.#states = parts.states;
    this.#recent = parts.recent;
    this.commits = parts.commits;
    this.scavenger = parts.scavenger;
  }

  /** @throws when another process writes this log */
  static async open(options: Readonly<{ databaseUrl: string; logger: Logger }>): Promise<Log> {
    const pool = createPool({
      url: options.databaseUrl,
      applicationName: 'event-store readers',
      maxConnections: 2,
    });
    await migrate(pool, eventStoreMigrations);
    const states = new StreamStates(cachedStreams);
    const recent = new RecentRecords(recentLimits);
    const commits = new Commits(0);
    const onRemoved = (upTo: number): void => recent.forget(upTo);
    const scavenger = new Scavenger({ pool, logger: options.logger, onRemoved });
    const writer = await Writer.open({
      connect: () =>
        new pg.Client({
          connectionString: options.databaseUrl,
          application_name: 'event-store writer',
          types: { getTypeParser: writerTypes },
        }),
      states,
      logger: options.logger,
      onCommitted: ({ head, records }) => {
        recent.push(records);
        scavenger.soon(deletedStreams(records));
        commits.publish(head, new Set(records.map(({ stream }) => stream)));
      },
      onReopened: (head) => {
        recent.clear();
        commits.reopened(head);
      },
    });
    commits.reset(writer.head);
    return new Log(pool, writer, { states, recent, commits, scavenger });
  }

  write(write: Write, deadlineMs: number): Promise<WriteResult> {
    return this.#writer.write(write, deadlineMs);
  }

  async state(stream: string): Promise<StreamState> {
    return (await this.#states.load(this.pool, [stream])).get(stream) ?? ABSENT;
  }

  /** Forwards from `position` inclusive, backwards from it exclusive. */
  async readAll(
    position: number,
    direction: Direction,
    limit: number,
  ): Promise<readonly LogRecord[]> {
    if (direction === 'forwards') {
      if (position > this.commits.head) return [];
      const recent = this.#recent.from(position, limit);
      if (recent !== null) return recent;
    }
    const rows = await copyOut(this.pool, pages[direction](position, limit));
    return rows.map(recordOf);
  }

  /** Records of the whole log after `position` when they are all in memory still, else null. */
  recentAfter(position: number): readonly LogRecord[] | null {
    if (position >= this.commits.head) return [];
    return this.#recent.from(position + 1, recentLimits.maxCount);
  }

  async readStream(read: StreamRead): Promise<StreamPage> {
    const state = await this.state(read.stream);
    const isMeta = isMetaStream(read.stream);
    const isTombstoned =
      state.isTombstoned || (isMeta && (await this.state(originalOf(read.stream))).isTombstoned);
    if (isTombstoned) return { kind: 'stream-deleted' };
    const visible = visibleRange(state, isMeta, Date.now());
    if (state.lastRevision < 0 || visible.isHidden) return { kind: 'not-found' };
    const [lowest, highest] =
      read.direction === 'forwards'
        ? [Math.max(read.from, visible.first), visible.last]
        : [visible.first, Math.min(read.from, visible.last)];
    if (lowest > highest || read.limit <= 0) return { kind: 'records', records: [] };
    const query = read.direction === 'forwards' ? 'streamForwards' : 'streamBackwards';
    const createdAfter = visible.createdAfterMs ?? -1;
    const values = [state.id, read.limit, lowest, highest, createdAfter];
    return { kind: 'records', records: await this.#query(query, values) };
  }

  async close(): Promise<void> {
    await this.scavenger.close();
    await this.#writer.close();
    await this.pool.end();
  }

  async #query(name: keyof typeof queries, values: readonly number[]): Promise<LogRecord[]> {
    const { rows } = await this.pool.query<Row>({
      name,
      text: queries[name],
      values: [...values],
      rowMode: 'array',
    });
    return rows.map(
      ([position, stream, revision, eventId, isJson, createdAtMs, type, data, metadata]) => ({
        position,
        stream,
        revision,
        eventId,
        type,
        isJson,
        createdAtMs,
        data,
        metadata,
      }),
    );
  }
}

const int8Oid = 20;
const writerTypes: typeof pg.types.getTypeParser = ((oid: number, format?: 'text' | 'binary') =>
  oid === int8Oid ? parseInt8 : pg.types.getTypeParser(oid, format ?? 'text')) as never;
