import { randomUUID } from 'node:crypto';
import type { Event, Recorded } from '../../domain/shared/event.ts';
import {
  type AppendResult,
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
  type OnUnreadable,
  type ReadStreamOptions,
  type SubscriptionItem,
  WrongExpectedRevisionError,
} from '../../infra/ports/event-store.ts';
import { aMetadata } from './metadata-examples.ts';

type Bounds = Readonly<{ maxCount?: number; maxAgeSeconds?: number }>;
type Stream = {
  next: bigint;
  deletedBefore: bigint;
  exists: boolean;
  isEnded: boolean;
  bounds: Bounds;
};

export type MemoryEventStore = EventStore & {
  /** Everything in the log, deleted streams included. */
  readonly all: readonly Recorded[];
  /** Runs before each append; throw in it to let the append fail. */
  beforeAppend: ((streamId: string, events: readonly EventToAppend[]) => Promise<void>) | null;
  /** Runs after each append was stored; throw in it to lose the answer. */
  afterAppend: ((streamId: string) => Promise<void>) | null;
  readonly appends: number;
  readonly reads: number;
  /** What another program wrote to the log and no reader can read. */
  appendUnreadable: (streamId: string) => void;
  /** Drops the content of a stream, so that it can begin again. */
  restartStream(streamId: string): void;
};

type Core = {
  log: Recorded[];
  streams: Map<string, Stream>;
  wake: Set<() => void>;
  appends: number;
  reads: number;
};

const positionOf = (index: number): bigint => BigInt((index + 1) * 10);

const streamOf = (core: Core, id: string): Stream => {
  const found = core.streams.get(id);
  if (found) return found;
  const stream: Stream = {
    next: 0n,
    deletedBefore: 0n,
    exists: false,
    isEnded: false,
    bounds: {},
  };
  core.streams.set(id, stream);
  return stream;
};

const visibleEvents = (core: Core, streamId: string): Recorded[] => {
  const stream = core.streams.get(streamId);
  if (!stream) return [];
  const events = core.log.filter(
    (e) => e.streamId === streamId && e.revision >= stream.deletedBefore,
  );
  const { maxCount } = stream.bounds;
  return maxCount === undefined ? events : events.slice(-maxCount);
};

const matches = (stream: Stream, expected: ExpectedRevision): boolean => {
  if (stream.isEnded) return false;
  if (expected === 'any') return true;
  if (expected === 'no-stream') return !stream.exists;
  if (expected === 'stream-exists') return stream.exists;
  return stream.exists && stream.next - 1n === expected;
};

/** The log's rule for a repeat: the same ids, standing where the writer expected to write them. */
const repeatOf = (
  core: Core,
  streamId: string,
  { events, expected }: { events: readonly EventToAppend[]; expected: ExpectedRevision },
): AppendResult | null => {
  const held = core.log.filter((e) => e.streamId === streamId);
  const first = events[0];
  if (!first) return null;
  const start = held.findIndex((e) => e.eventId === first.eventId);
  if (start < 0) return null;
  const same = events.every((e, i) => held[start + i]?.eventId === e.eventId);
  const last = held[start + events.length - 1];
  if (!same || !last) return null;
  const revision = held[start]?.revision ?? 0n;
  if (typeof expected === 'bigint' && revision !== expected + 1n) return null;
  if (expected === 'no-stream' && revision !== 0n) return null;
  return { revision: last.revision, position: last.position };
};

const store = (core: Core, streamId: string, events: readonly EventToAppend[]): AppendResult => {
  const stream = streamOf(core, streamId);
  let result: AppendResult = { revision: stream.next - 1n, position: 0n };
  for (const { event, eventId, metadata } of events) {
    const position = positionOf(core.log.length);
    // Through JSON, as the real log does it: what is not plain JSON shows in a test.
    const plain = JSON.parse(JSON.stringify({ event, metadata })) as Pick<
      Recorded,
      'event' | 'metadata'
    >;
    core.log.push({ ...plain, eventId, streamId, revision: stream.next, position });
    result = { revision: stream.next, position };
    stream.next += 1n;
    stream.exists = true;
  }
  for (const wake of core.wake) wake();
  return result;
};

const unreadableType = '(unreadable)';
const isReadable = ({ event }: Recorded): boolean => event.type !== unreadableType;

/** The readable ones of some events, up to a count; reports the others on the way. */
function* readable(
  events: readonly Recorded[],
  maxCount: number | undefined,
  onUnreadable: OnUnreadable | undefined,
): Generator<Recorded> {
  let left = maxCount ?? Number.POSITIVE_INFINITY;
  for (const recorded of events) {
    if (left <= 0) return;
    if (isReadable(recorded)) {
      left -= 1;
      yield recorded;
      continue;
    }
    const { eventId, streamId, revision, position } = recorded;
    const reason = 'a test made it so';
    onUnreadable?.({ eventId, streamId, revision, position, type: unreadableType, reason });
  }
}

const nextEvent = (core: Core, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      core.wake.delete(done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    core.wake.add(done);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });

async function* subscribe(
  core: Core,
  after: bigint | null,
  signal: AbortSignal,
): AsyncGenerator<SubscriptionItem> {
  let index = after === null ? 0 : core.log.findIndex((e) => e.position > after);
  if (index < 0) index = core.log.length;
  while (!signal.aborted) {
    const raw = core.log.slice(index);
    index += raw.length;
    const events = raw.filter(isReadable);
    if (events.length > 0) yield events;
    if (signal.aborted) return;
    yield 'caught-up';
    if (index >= core.log.length) await nextEvent(core, signal);
  }
}

/** The log in memory, for unit specs: the same rules for revisions, repeats, bounds and deletion. */
export const createMemoryEventStore = (): MemoryEventStore => {
  const core: Core = { log: [], streams: new Map(), wake: new Set(), appends: 0, reads: 0 };
  return {
    beforeAppend: null,
    afterAppend: null,
    get all() {
      return core.log;
    },
    get appends() {
      return core.appends;
    },
    get reads() {
      return core.reads;
    },
    appendUnreadable(streamId) {
      const event: EventToAppend = {
        event: { type: unreadableType, data: {} },
        eventId: randomUUID(),
        metadata: aMetadata(),
      };
      store(core, streamId, [event]);
    },
    async append(streamId, events, expected) {
      await Promise.resolve();
      if (this.beforeAppend) await this.beforeAppend(streamId, events);
      core.appends += 1;
      const repeat = repeatOf(core, streamId, { events, expected });
      if (!repeat && !matches(streamOf(core, streamId), expected)) {
        throw new WrongExpectedRevisionError(streamId);
      }
      const result = repeat ?? store(core, streamId, events);
      if (this.afterAppend) await this.afterAppend(streamId);
      return result;
    },
    async *readStream<E extends Event = Event>(
      streamId: string,
      options: ReadStreamOptions = {},
    ): AsyncGenerator<Recorded<E>> {
      await Promise.resolve();
      core.reads += 1;
      const { from, maxCount, backwards = false, onUnreadable } = options;
      const events = visibleEvents(core, streamId);
      if (backwards) events.reverse();
      const wanted = events.filter(
        (e) => from === undefined || (backwards ? e.revision <= from : e.revision >= from),
      );
      yield* readable(wanted, maxCount, onUnreadable) as Generator<Recorded<E>>;
    },
    async *readAll({ after, from, maxCount, onUnreadable } = {}) {
      await Promise.resolve();
      const wanted = core.log.filter(
        ({ position }) =>
          (after === undefined || position > after) && (from === undefined || position >= from),
      );
      yield* readable(wanted, maxCount, onUnreadable);
    },
    subscribeToAll: ({ after, signal }) => subscribe(core, after, signal),
    async head() {
      await Promise.resolve();
      return core.log.findLast(isReadable)?.position ?? null;
    },
    async boundStream(streamId, bounds) {
      await Promise.resolve();
      streamOf(core, streamId).bounds = bounds;
    },
    async tombstoneStream(streamId) {
      await Promise.resolve();
      this.restartStream(streamId);
      streamOf(core, streamId).isEnded = true;
    },
    restartStream(streamId) {
      const stream = streamOf(core, streamId);
      stream.deletedBefore = stream.next;
      stream.exists = false;
    },
    async close() {
      await Promise.resolve();
    },
  };
};
