import type { StreamState } from '../types.ts';

/** `$tb` of a soft-deleted stream: long.MaxValue. JSON numbers lose its last digits. */
const deletedMark = '9223372036854775807';

export type Retention = Readonly<{
  maxCount: number | null;
  maxAgeSeconds: number | null;
  /** First revision that may be read. */
  truncateBefore: number;
  isSoftDeleted: boolean;
}>;

const none: Retention = {
  maxCount: null,
  maxAgeSeconds: null,
  truncateBefore: 0,
  isSoftDeleted: false,
};

const parse = (metadata: Buffer | null): Record<string, unknown> => {
  if (metadata === null) return {};
  try {
    const value: unknown = JSON.parse(metadata.toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
};

const positive = (value: unknown): number | null =>
  typeof value === 'number' && value > 0 ? value : null;

/** Metadata that is not JSON, or of an unsupported shape, bounds nothing. */
export const retentionOf = (metadata: Buffer | null): Retention => {
  if (metadata === null) return none;
  const fields = parse(metadata);
  const truncateBefore = positive(fields.$tb) ?? 0;
  const isSoftDeleted = truncateBefore > Number.MAX_SAFE_INTEGER;
  return {
    maxCount: positive(fields.$maxCount),
    maxAgeSeconds: positive(fields.$maxAge),
    truncateBefore: isSoftDeleted ? 0 : truncateBefore,
    isSoftDeleted,
  };
};

/** Is this the event by which a stream was deleted, for ever or softly? */
export const isDeletion = ({ type, data }: Readonly<{ type: string; data: Buffer }>): boolean =>
  type === '$streamDeleted' || (type === '$metadata' && retentionOf(data).isSoftDeleted);

/** Deleting replaces the metadata: bounds and access rules do not outlive the stream. */
export const softDeletedMetadata = (): Buffer => Buffer.from(`{"$tb":${deletedMark}}`);

/** Keeps the rest of the metadata. Appending again starts the stream at `firstRevision`. */
export const undeletedMetadata = (metadata: Buffer | null, firstRevision: number): Buffer =>
  Buffer.from(JSON.stringify({ ...parse(metadata), $tb: firstRevision }));

/** The revisions of a stream that a reader may see. */
export type Visible = Readonly<{
  first: number;
  last: number;
  createdAfterMs: number | null;
  /** Soft-deleted: the stream appears as if it had never been. */
  isHidden: boolean;
}>;

export const visibleRange = (state: StreamState, isMeta: boolean, nowMs: number): Visible => {
  const retention = isMeta ? { ...none, maxCount: 1 } : retentionOf(state.metadata);
  const { maxCount, maxAgeSeconds, truncateBefore, isSoftDeleted } = retention;
  const byCount = maxCount === null ? 0 : state.lastRevision - maxCount + 1;
  return {
    first: Math.max(truncateBefore, byCount, 0),
    last: state.lastRevision,
    isHidden: isSoftDeleted,
    createdAfterMs: maxAgeSeconds === null ? null : nowMs - maxAgeSeconds * 1_000,
  };
};
