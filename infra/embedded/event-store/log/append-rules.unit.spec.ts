import { describe, expect, test } from 'vitest';
import { ABSENT, type Expected, type StreamState } from '../types.ts';
import {
  judgeAppend,
  judgeDelete,
  judgeTombstone,
  type KnownEvent,
  needsKnownIds,
} from './append-rules.ts';
import { softDeletedMetadata } from './stream-metadata.ts';

const stream = (changes: Partial<StreamState> = {}): StreamState => ({
  ...ABSENT,
  id: 1,
  lastRevision: 2,
  ...changes,
});

const softDeleted = stream({ metadataRevision: 0, metadata: softDeletedMetadata() });

const stored: Record<string, KnownEvent> = {
  a: { revision: 0, position: 10 },
  b: { revision: 1, position: 11 },
  c: { revision: 2, position: 12 },
};

const judge = (state: StreamState, expected: Expected, eventIds: readonly string[] = ['new']) =>
  judgeAppend(state, {
    expected,
    eventIds,
    known: (id) => {
      const event = stored[id];
      return event === undefined ? [] : [event];
    },
  }).kind;

describe('may these events be appended', () => {
  test.each<[string, StreamState, Expected, readonly string[], string]>([
    ['a stream that is not there takes its first event', ABSENT, 'no-stream', ['new'], 'append'],
    [
      'a stream that is not there takes anything from who does not care',
      ABSENT,
      'any',
      ['new'],
      'append',
    ],
    ['a stream that is not there has no revision 0', ABSENT, 0, ['new'], 'wrong-version'],
    [
      'a stream that is not there does not exist',
      ABSENT,
      'stream-exists',
      ['new'],
      'wrong-version',
    ],
    ['the current revision is right', stream(), 2, ['new'], 'append'],
    ['a revision behind is wrong', stream(), 1, ['new'], 'wrong-version'],
    ['a revision ahead is wrong', stream(), 3, ['new'], 'wrong-version'],
    ['a stream that is there is not absent', stream(), 'no-stream', ['new'], 'wrong-version'],
    ['the first events again are a repeat', stream(), 'no-stream', ['a', 'b'], 'repeat'],
    ['the last events again are a repeat', stream(), 0, ['b', 'c'], 'repeat'],
    ['known events at another place are no repeat', stream(), 'no-stream', ['b'], 'wrong-version'],
    ['a repeat that goes on beyond the end is broken', stream(), 1, ['c', 'new'], 'wrong-version'],
    ['known events are a repeat for who does not care', stream(), 'any', ['a', 'b'], 'repeat'],
    [
      'a repeat with a new event after it is broken',
      stream(),
      'any',
      ['a', 'new'],
      'wrong-version',
    ],
    ['a new event first makes all of them new', stream(), 'any', ['new', 'a'], 'append'],
    [
      'known events are a repeat for an existing stream',
      stream(),
      'stream-exists',
      ['c'],
      'repeat',
    ],
    ['nothing at all may be appended to anything', stream(), 'any', [], 'append'],
    ['nothing at all behind the end is wrong', stream(), 1, [], 'wrong-version'],
    [
      'a soft-deleted stream does not exist',
      softDeleted,
      'stream-exists',
      ['new'],
      'stream-deleted',
    ],
    ['a soft-deleted stream may be begun again', softDeleted, 'no-stream', ['new'], 'append'],
    ['a soft-deleted stream goes on at its revision', softDeleted, 2, ['new'], 'append'],
    ['a soft-deleted stream is not at another revision', softDeleted, 1, ['new'], 'wrong-version'],
    [
      'a closed stream takes nothing',
      stream({ isTombstoned: true }),
      'any',
      ['new'],
      'stream-deleted',
    ],
    [
      'a closed stream takes no repeat either',
      stream({ isTombstoned: true }),
      'any',
      ['a'],
      'stream-deleted',
    ],
  ])('%s', (_, state, expected, eventIds, verdict) => {
    expect(judge(state, expected, eventIds)).toBe(verdict);
  });

  test('a repeat answers with the place of its last event', () => {
    const known = (id: string) => [stored[id] ?? { revision: -1, position: -1 }];
    const verdict = judgeAppend(stream(), { expected: 'no-stream', eventIds: ['a', 'b'], known });
    expect(verdict).toEqual({ kind: 'repeat', last: { revision: 1, position: 11 } });
  });

  test('an event of a soft-deleted stream lifts the deletion', () => {
    const attempt = { expected: 'any', eventIds: ['new'], known: () => [] } as const;
    expect(judgeAppend(softDeleted, attempt)).toEqual({ kind: 'append', isUndelete: true });
    expect(judgeAppend(stream(), attempt)).toEqual({ kind: 'append', isUndelete: false });
  });

  test('metadata alone makes a stream exist', () => {
    const named = stream({ lastRevision: -1, metadataRevision: 0, metadata: Buffer.from('{}') });
    expect(judge(named, 'stream-exists')).toBe('append');
  });
});

test('only what may be a repeat is searched', () => {
  expect(needsKnownIds(ABSENT, 'any')).toBe(false);
  expect(needsKnownIds(stream(), 2)).toBe(false);
  expect(needsKnownIds(stream(), 1)).toBe(true);
  expect(needsKnownIds(stream(), 'no-stream')).toBe(true);
  expect(needsKnownIds(stream(), 'any')).toBe(true);
});

test('deleting needs something to delete; closing does not', () => {
  expect(judgeDelete(ABSENT, 'any').kind).toBe('wrong-version');
  expect(judgeDelete(stream(), 'any').kind).toBe('append');
  expect(judgeDelete(stream(), 1).kind).toBe('wrong-version');
  expect(judgeTombstone(ABSENT, 'no-stream').kind).toBe('append');
  expect(judgeTombstone(stream({ isTombstoned: true }), 'any').kind).toBe('stream-deleted');
});
