import type pg from 'pg';
import { metaStreamOf, type StreamState, TOMBSTONE_REVISION } from '../types.ts';
import { retentionOf, visibleRange } from './stream-metadata.ts';

/** A stream of which something may be removed. */
export type Shortened = Readonly<{ id: number; name: string; state: StreamState }>;

type Row = [number, string, number, boolean, number, Buffer | null];

const columns = 'id, name, last_revision, is_tombstoned, metadata_revision, metadata';

const shortenedOf = ([id, name, last, isTombstoned, metaRevision, metadata]: Row): Shortened => {
  const counts = { lastRevision: last, metadataRevision: metaRevision };
  return { id, name, state: { id, isTombstoned, metadata, ...counts } };
};

/** Streams that were ended, or whose metadata may bound them, in the order of their numbers. */
export const shortenedAfter = async (
  pool: pg.Pool,
  after: number,
  limit: number,
): Promise<readonly Shortened[]> => {
  const { rows } = await pool.query<Row>({
    text: `select ${columns} from streams
           where id > $1 and (is_tombstoned or metadata is not null) order by id limit $2`,
    values: [after, limit],
    rowMode: 'array',
  });
  return rows.map(shortenedOf);
};

export const shortenedNamed = async (
  pool: pg.Pool,
  names: readonly string[],
): Promise<readonly Shortened[]> => {
  const { rows } = await pool.query<Row>({
    text: `select ${columns} from streams where name = any($1)`,
    values: [names],
    rowMode: 'array',
  });
  return rows.map(shortenedOf);
};

/** What of a stream cannot be read any more. `below`: revisions up to it, exclusive. */
export type Unreadable = Readonly<{
  stream: string;
  below: number;
  /** Milliseconds since 1970, inclusive; events up to it have expired, wherever they are. */
  createdUpToMs: number | null;
}>;

const ofEvents = ({ name, state }: Shortened, nowMs: number): Unreadable => {
  // All but the event that marks the end.
  if (state.isTombstoned) return { stream: name, below: TOMBSTONE_REVISION, createdUpToMs: null };
  if (retentionOf(state.metadata).isSoftDeleted) {
    return { stream: name, below: state.lastRevision + 1, createdUpToMs: null };
  }
  const { first, createdAfterMs } = visibleRange(state, false, nowMs);
  return { stream: name, below: first, createdUpToMs: createdAfterMs };
};

/** Of metadata the newest counts, and none of it once the stream was ended. */
const ofMetadata = ({ name, state }: Shortened): Unreadable => ({
  stream: metaStreamOf(name),
  below: state.isTombstoned ? TOMBSTONE_REVISION : state.metadataRevision,
  createdUpToMs: null,
});

/** As EventStoreDB decides it, but for the last event of a stream, which is not kept here. */
export const unreadableOf = (shortened: Shortened, nowMs: number): readonly Unreadable[] =>
  [ofEvents(shortened, nowMs), ofMetadata(shortened)].filter(
    ({ below, createdUpToMs }) => below > 0 || createdUpToMs !== null,
  );
