/*
 * Shapes inside the node. Positions and revisions are numbers here: one log on one machine stays
 * far below 2^53. The wire shows them as uint64.
 */

/** Revision of the `$streamDeleted` event that ends a stream for ever; long.MaxValue on the wire. */
export const TOMBSTONE_REVISION = Number.MAX_SAFE_INTEGER;

/** An event as stored in the log. */
export type LogRecord = Readonly<{
  position: number;
  stream: string;
  revision: number;
  eventId: string;
  type: string;
  isJson: boolean;
  /** Milliseconds since 1970, never falling; the wire shows 100 ns ticks. */
  createdAtMs: number;
  data: Buffer;
  metadata: Buffer;
}>;

/** An event on its way in. */
export type ProposedEvent = Readonly<{
  eventId: string;
  type: string;
  isJson: boolean;
  data: Buffer;
  metadata: Buffer;
}>;

/** The writer's state of one stream. `metadata` is the data of the newest event of `$$stream`. */
export type StreamState = Readonly<{
  id: number;
  /** -1: no event yet. */
  lastRevision: number;
  isTombstoned: boolean;
  /** -1: no metadata yet. */
  metadataRevision: number;
  metadata: Buffer | null;
}>;

export const ABSENT: StreamState = {
  id: 0,
  lastRevision: -1,
  isTombstoned: false,
  metadataRevision: -1,
  metadata: null,
};

export type Expected = number | 'any' | 'no-stream' | 'stream-exists';

export type WriteResult =
  | Readonly<{ kind: 'written'; revision: number; position: number | null }>
  | Readonly<{ kind: 'wrong-version'; current: number }>
  | Readonly<{ kind: 'stream-deleted' }>
  | Readonly<{ kind: 'timeout' }>;

export const metaStreamOf = (stream: string): string => `$$${stream}`;
export const isMetaStream = (stream: string): boolean => stream.startsWith('$$');
export const originalOf = (stream: string): string => stream.slice(2);

/** PostgreSQL's text holds no NUL; names with one are rejected. */
export const isStorable = (text: string): boolean => text !== '' && !text.includes('\0');

/** What one append may hold at most is counted so. */
export const sizeOf = ({ data, metadata, type }: ProposedEvent): number =>
  data.length + metadata.length + 2 * type.length;
