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
import { backoffMs, isTransient } from './retry.ts';
import { toRecorded } from './to-recorded.ts';

const patienceMs = 15_000;
/** The client would end a read after ten seconds, however much is left to read. */
const deadline = 24 * 60 * 60 * 1_000;
const headPage = 64;

/**
 * Leaving a read early ends the call behind it, and lets run out what has come already: the client
 * waits on close for every read whose end nobody has seen.
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

/**
 * Reads on from where a broken connection left off. `open` starts a read after the newest event
 * that was delivered. Each event that comes through renews the patience.
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
      if (error instanceof StreamNotFoundError || error instanceof StreamDeletedError) return;
      if (!isTransient(error) || performance.now() > end) throw error;
      await sleep(backoffMs(attempt));
    }
  }
};

type StreamOptions = Readonly<{ from?: bigint; maxCount?: number; backwards?: boolean }>;

export const readStream = async function* (
  client: EventStoreDBClient,
  streamId: string,
  options: StreamOptions,
): AsyncGenerator<Recorded> {
  const { from, maxCount = Number.MAX_SAFE_INTEGER, backwards = false } = options;
  const first = from ?? (backwards ? END : START);
  const step = backwards ? -1n : 1n;
  let delivered = 0;
  const events = resuming((last: ResolvedEvent | null) => {
    const fromRevision = last?.event === undefined ? first : last.event.revision + step;
    if (delivered >= maxCount || (typeof fromRevision === 'bigint' && fromRevision < 0n))
      return null;
    return client.readStream(streamId, {
      fromRevision,
      direction: backwards ? BACKWARDS : FORWARDS,
      maxCount: maxCount - delivered,
      deadline,
    });
  });
  for await (const resolved of events) {
    delivered += 1;
    const recorded = toRecorded(resolved);
    if (recorded !== null) yield recorded;
  }
};

const positionOf = (resolved: ResolvedEvent): bigint =>
  resolved.commitPosition ?? resolved.event?.position?.commit ?? 0n;

const place = (position: bigint) => ({ commit: position, prepare: position });

/** Reads of the whole log begin at a place inclusive, so the first one is often known already. */
export const readAll = async function* (
  client: EventStoreDBClient,
  options: Readonly<{ after?: bigint; maxCount?: number }>,
): AsyncGenerator<Recorded> {
  let after = options.after ?? null;
  let left = options.maxCount ?? Number.POSITIVE_INFINITY;
  if (left <= 0) return;
  const events = resuming((_last: AllStreamResolvedEvent | null) =>
    client.readAll({
      fromPosition: after === null ? START : place(after),
      direction: FORWARDS,
      deadline,
    }),
  );
  for await (const resolved of events) {
    const position = positionOf(resolved);
    if (after !== null && position <= after) continue;
    after = position;
    const recorded = toRecorded(resolved);
    if (recorded === null) continue;
    yield recorded;
    left -= 1;
    if (left <= 0) return;
  }
};

/** Walks back from the end, past what the store itself has written there. */
export const head = async (client: EventStoreDBClient): Promise<bigint | null> => {
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
      const recorded = toRecorded(resolved);
      if (recorded !== null) return recorded.position;
    }
    if (count === 0) return null;
  }
};
