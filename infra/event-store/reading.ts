import { setTimeout as sleep } from 'node:timers/promises';
import type { AllStreamResolvedEvent, ResolvedEvent, StreamingRead } from '@eventstore/db-client';
import {
  BACKWARDS,
  END,
  type EventStoreDBClient,
  FORWARDS,
  START,
  StreamDeletedError,
  StreamNotFoundError,
} from '@eventstore/db-client';
import type { Recorded } from '../../domain/shared/event.ts';
import type { ReadAllOptions, ReadStreamOptions } from '../ports/event-store.ts';
import { backoffMs, limits } from './patience.ts';
import { isTransient } from './retry.ts';
import { notingFor, type Reading, toRecorded } from './to-recorded.ts';

const { patienceMs } = limits;
/** The client would end a read after ten seconds, however much is left to read. */
const deadline = 24 * 60 * 60 * 1_000;
const headPage = 64;

/**
 * Leaving a read early ends the call behind it, and discards what has arrived already: on close the
 * client waits for every read that has not been read to its end.
 */
const finishing = async function* <T extends ResolvedEvent>(
  read: StreamingRead<T>,
): AsyncGenerator<T> {
  let isEnded = false;
  try {
    for await (const resolved of read.iterator({ destroyOnReturn: false })) yield resolved as T;
    isEnded = true;
  } finally {
    if (!isEnded) {
      read.on('error', () => undefined);
      read.resume();
      await read.cancel().catch(() => undefined);
    }
  }
};

/** False: the stream is gone, and nothing is left to read. @throws what no retry fixes */
const canResume = (error: unknown, end: number): boolean => {
  if (error instanceof StreamNotFoundError || error instanceof StreamDeletedError) return false;
  if (!isTransient(error) || performance.now() > end) throw error;
  return true;
};

/**
 * Continues reading where a broken connection stopped. `open` starts a read after the newest event
 * that was delivered. Each delivered event renews the patience.
 */
const resuming = async function* <T extends ResolvedEvent>(
  open: (last: T | null) => StreamingRead<T> | null,
): AsyncGenerator<T> {
  let last: T | null = null;
  let end = performance.now() + patienceMs;
  for (let attempt = 0; ; attempt += 1) {
    try {
      const read = open(last);
      if (read === null) return;
      for await (const resolved of finishing(read)) {
        last = resolved;
        attempt = 0;
        end = performance.now() + patienceMs;
        yield resolved;
      }
      return;
    } catch (error) {
      if (!canResume(error, end)) return;
      await sleep(backoffMs(attempt));
    }
  }
};

/** A client and how its events become ours. */
export type Source = Readonly<{ client: EventStoreDBClient; reading: Reading }>;

/**
 * Progress of a read of one stream. `unread`: what the store has still to return, unreadable events
 * included.
 */
type Cursor = {
  next: bigint | typeof END | typeof START;
  unread: number;
  readonly backwards: boolean;
};

const passed = (cursor: Cursor, { event }: ResolvedEvent): void => {
  if (event !== undefined) cursor.next = event.revision + (cursor.backwards ? -1n : 1n);
};

const openFrom =
  (client: EventStoreDBClient, streamId: string, cursor: Cursor) =>
  (last: ResolvedEvent | null) => {
    if (last !== null) passed(cursor, last);
    const { next, unread: maxCount, backwards } = cursor;
    if (maxCount <= 0 || (typeof next === 'bigint' && next < 0n)) return null;
    const direction = backwards ? BACKWARDS : FORWARDS;
    return client.readStream(streamId, { fromRevision: next, direction, maxCount, deadline });
  };

export const readStream = async function* (
  { client, reading }: Source,
  streamId: string,
  options: ReadStreamOptions,
): AsyncGenerator<Recorded> {
  const { from, maxCount = Number.MAX_SAFE_INTEGER, backwards = false } = options;
  const noting = notingFor(reading, options.onUnreadable);
  const cursor: Cursor = { next: from ?? (backwards ? END : START), unread: maxCount, backwards };
  let left = maxCount;
  // Once more for each time that unreadable events took the place of the requested ones.
  while (left > 0 && cursor.unread > 0) {
    for await (const resolved of resuming(openFrom(client, streamId, cursor))) {
      cursor.unread -= 1;
      passed(cursor, resolved);
      const recorded = toRecorded(resolved, noting);
      if (recorded === null) continue;
      left -= 1;
      yield recorded;
    }
    if (cursor.unread > 0) return;
    cursor.unread = left;
  }
};

const positionOf = (resolved: ResolvedEvent): bigint =>
  resolved.commitPosition ?? resolved.event?.position?.commit ?? 0n;

const place = (position: bigint) => ({ commit: position, prepare: position });

const startOf = (position: bigint | undefined) =>
  position === undefined ? START : place(position);

/** Reads of the whole log begin at a position inclusive, so the first one was often read before. */
export const readAll = async function* (
  { client, reading }: Source,
  options: ReadAllOptions,
): AsyncGenerator<Recorded> {
  const noting = notingFor(reading, options.onUnreadable);
  let after = options.after ?? null;
  let left = options.maxCount ?? Number.POSITIVE_INFINITY;
  if (left <= 0) return;
  const events = resuming((_last: AllStreamResolvedEvent | null) =>
    client.readAll({
      fromPosition: startOf(after ?? options.from),
      direction: FORWARDS,
      deadline,
    }),
  );
  for await (const resolved of events) {
    const position = positionOf(resolved);
    if (after !== null && position <= after) continue;
    after = position;
    const recorded = toRecorded(resolved, noting);
    if (recorded === null) continue;
    yield recorded;
    left -= 1;
    if (left <= 0) return;
  }
};

/** Walks back from the end, past what the store itself has written there and what cannot be read. */
export const head = async ({ client, reading }: Source): Promise<bigint | null> => {
  let from: bigint | null = null;
  for (;;) {
    let count = 0;
    const events = resuming((last: AllStreamResolvedEvent | null) => {
      const before: bigint | null = last === null ? from : positionOf(last);
      return client.readAll({
        fromPosition: before === null ? END : place(before),
        direction: BACKWARDS,
        maxCount: headPage,
        deadline,
      });
    });
    for await (const resolved of events) {
      count += 1;
      from = positionOf(resolved);
      const recorded = toRecorded(resolved, reading);
      if (recorded !== null) return recorded.position;
    }
    if (count === 0) return null;
  }
};
