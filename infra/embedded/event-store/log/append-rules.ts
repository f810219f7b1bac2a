import type { Expected, StreamState } from '../types.ts';
import { retentionOf } from './stream-metadata.ts';

/** Revision of an event id that a stream contains already. */
export type KnownEvent = Readonly<{ revision: number; position: number }>;

export type Verdict =
  | Readonly<{ kind: 'append'; isUndelete: boolean }>
  | Readonly<{ kind: 'repeat'; last: KnownEvent }>
  | Readonly<{ kind: 'wrong-version' }>
  | Readonly<{ kind: 'stream-deleted' }>;

const wrongVersion: Verdict = { kind: 'wrong-version' };

export type Attempt = Readonly<{
  expected: Expected;
  eventIds: readonly string[];
  /** Every revision in this stream with the id; empty when it is new there. */
  known: (eventId: string) => readonly KnownEvent[];
}>;

/** True when the outcome may hang on whether the event ids are in the log already. */
export const needsKnownIds = (state: StreamState, expected: Expected): boolean =>
  state.lastRevision >= 0 && expectedRevision(expected) !== state.lastRevision;

const expectedRevision = (expected: Expected): number | null => {
  if (expected === 'no-stream') return -1;
  return typeof expected === 'number' ? expected : null;
};

/** The first id is new: all are taken as new. All exist: a repeat. Some exist: a broken retry. */
const judgeUnversioned = (attempt: Attempt, isUndelete: boolean): Verdict => {
  let last: KnownEvent | undefined;
  for (const [index, eventId] of attempt.eventIds.entries()) {
    const found = attempt.known(eventId).at(-1);
    if (found === undefined) return index === 0 ? { kind: 'append', isUndelete } : wrongVersion;
    last = found;
  }
  return last === undefined ? { kind: 'append', isUndelete } : { kind: 'repeat', last };
};

/**
 * The stream is past the expected revision: right only when it contains these very events there.
 */
const judgeBehind = (attempt: Attempt, expected: number, isUndelete: boolean): Verdict => {
  let last: KnownEvent | undefined;
  for (const [index, eventId] of attempt.eventIds.entries()) {
    const revision = expected + 1 + index;
    const found = attempt.known(eventId).find((event) => event.revision === revision);
    if (found === undefined) {
      const startsAnew = index === 0 && expected === -1 && isUndelete;
      return startsAnew ? { kind: 'append', isUndelete } : wrongVersion;
    }
    last = found;
  }
  return last === undefined ? wrongVersion : { kind: 'repeat', last };
};

/**
 * May these events be appended? The rules of EventStoreDB's index writer: expected revisions,
 * idempotency by event id, soft deletion that a new event lifts, tombstones that nothing lifts.
 */
export const judgeAppend = (state: StreamState, attempt: Attempt): Verdict => {
  if (state.isTombstoned) return { kind: 'stream-deleted' };
  const { isSoftDeleted } = retentionOf(state.metadata);
  if (attempt.expected === 'stream-exists') {
    if (isSoftDeleted) return { kind: 'stream-deleted' };
    if (state.lastRevision < 0 && state.metadataRevision < 0) return wrongVersion;
  }
  const expected = expectedRevision(attempt.expected);
  if (expected === null) return judgeUnversioned(attempt, isSoftDeleted);
  if (expected < state.lastRevision) return judgeBehind(attempt, expected, isSoftDeleted);
  if (expected > state.lastRevision) return wrongVersion;
  return { kind: 'append', isUndelete: isSoftDeleted };
};

/** A soft deletion marks the metadata, so there must be a stream or metadata to mark. */
export const judgeDelete = (state: StreamState, expected: Expected): Verdict => {
  const verdict = judgeAppend(state, { expected, eventIds: ['new'], known: () => [] });
  if (verdict.kind !== 'append') return verdict;
  return state.lastRevision < 0 && state.metadataRevision < 0 ? wrongVersion : verdict;
};

export const judgeTombstone = (state: StreamState, expected: Expected): Verdict =>
  judgeAppend(state, { expected, eventIds: ['new'], known: () => [] });
