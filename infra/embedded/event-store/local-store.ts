import type { Event, Recorded } from '../../../domain/shared/event.ts';
import { LogGuard } from '../../../domain/shared/log-place.ts';
import type { Decoder } from '../../event-store/decoder.ts';
import { followLog } from '../../event-store/follow-log.ts';
import { limits, NoAnswerError, retryingWhile, withTimeout } from '../../event-store/patience.ts';
import { notingFor, type Reading } from '../../event-store/to-recorded.ts';
import type { UnreadableEvents } from '../../event-store/unreadable-events.ts';
import {
  type AppendResult,
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
  type ReadAllOptions,
  type ReadStreamOptions,
  type SubscriptionItem,
  type SubscriptionOptions,
  WrongExpectedRevisionError,
} from '../../ports/event-store.ts';
import { boundingEvent, expectedOf, numberOf, proposedOf, recordedFrom } from './local-events.ts';
import { followAll } from './log/follow.ts';
import type { Direction } from './log/log.ts';
import { isStoreAway } from './log/store-away.ts';
import type { NodeContext } from './node-context.ts';
import { isStorable, type LogRecord, metaStreamOf, sizeOf, type WriteResult } from './types.ts';

/** As with the client: without a decoder no event is unreadable. */
type ProductEvents = Readonly<{ decode: Decoder; unreadable: UnreadableEvents }>;

const pageSize = 512;
const headPage = 64;
/** Records that wait, decoded, for a subscription that is behind. */
const maxDecoded = 4_096;

/** `left`: so many subscriptions of this process have not read it. */
type Decoded = { readonly recorded: Recorded | null; left: number };

const isTransient = (error: unknown): boolean =>
  error instanceof NoAnswerError || isStoreAway(error);

/**
 * The event store port over a log of this process: what the client does over a socket, without the protocol between.
 * A class for the sake of its generators (decision 0023).
 */
class LocalStore {
  readonly #context: NodeContext;
  readonly #reading: Reading;
  readonly #guard: LogGuard;
  readonly #decoded = new Map<LogRecord, Decoded>();
  #subscriptions = 0;

  constructor(context: NodeContext, events: ProductEvents | null) {
    this.#context = context;
    this.#reading = {
      decode: events?.decode ?? null,
      onUnreadable: events?.unreadable.note ?? (() => undefined),
    };
    const log = {
      head: () => this.head(),
      readAll: (options: ReadAllOptions) => this.readAll(options),
    };
    this.#guard = new LogGuard(log, () => performance.now());
  }

  async append(
    streamId: string,
    events: readonly EventToAppend[],
    expectedRevision: ExpectedRevision,
  ): Promise<AppendResult> {
    if (!isStorable(streamId)) throw new Error('invalid stream name');
    const proposed = events.map(proposedOf);
    const { maxAppendBytes } = this.#context;
    const bytes = proposed.reduce((sum, event) => sum + sizeOf(event), 0);
    if (bytes > maxAppendBytes) {
      throw new Error(`an append of ${bytes} bytes is larger than ${maxAppendBytes}`);
    }
    const write = {
      kind: 'append',
      stream: streamId,
      expected: expectedOf(expectedRevision),
      events: proposed,
    } as const;
    const eventIds = events.map(({ eventId }) => eventId);
    const once = async (): Promise<AppendResult> => {
      const result = await this.#write(write);
      if (result.kind !== 'written') throw new WrongExpectedRevisionError(streamId);
      return { revision: BigInt(result.revision), position: BigInt(result.position ?? 0) };
    };
    return retryingWhile(isTransient, () => this.#guard.append(eventIds, once));
  }

  async *readStream(streamId: string, options: ReadStreamOptions = {}): AsyncGenerator<Recorded> {
    const reading = notingFor(this.#reading, options.onUnreadable);
    let left = options.maxCount ?? Number.MAX_SAFE_INTEGER;
    if (left <= 0) return;
    for await (const record of this.#stream(streamId, options)) {
      const recorded = recordedFrom(record, reading);
      if (recorded === null) continue;
      yield recorded;
      left -= 1;
      if (left <= 0) return;
    }
  }

  async *#stream(
    stream: string,
    { from, maxCount = pageSize, backwards = false }: ReadStreamOptions,
  ): AsyncGenerator<LogRecord> {
    const { log } = this.#context;
    const direction: Direction = backwards ? 'backwards' : 'forwards';
    const limit = Math.min(maxCount, pageSize);
    let next = numberOf(from ?? (backwards ? BigInt(Number.MAX_SAFE_INTEGER) : 0n));
    while (next >= 0) {
      const read = { stream, from: next, limit, direction };
      const page = await retryingWhile(isTransient, () => log.readStream(read));
      const records = page.kind === 'records' ? page.records : [];
      yield* records;
      const last = records.at(-1);
      if (last === undefined) return;
      next = last.revision + (backwards ? -1 : 1);
    }
  }

  async *readAll(options: ReadAllOptions = {}): AsyncGenerator<Recorded> {
    const { after, from, maxCount = Number.MAX_SAFE_INTEGER } = options;
    const reading = notingFor(this.#reading, options.onUnreadable);
    const first = after === undefined ? (from ?? 0n) : after + 1n;
    let left = maxCount;
    if (left <= 0) return;
    for await (const records of this.#pages(numberOf(first), Math.min(left, pageSize))) {
      for (const record of records) {
        const recorded = recordedFrom(record, reading);
        if (recorded === null) continue;
        yield recorded;
        left -= 1;
        if (left <= 0) return;
      }
    }
  }

  /** Each page is read while the one before is at work; who reads one event wants no more pages. */
  async *#pages(first: number, limit: number): AsyncGenerator<readonly LogRecord[]> {
    const { log } = this.#context;
    const read = (from: number): Promise<readonly LogRecord[]> =>
      retryingWhile(isTransient, () => log.readAll(from, 'forwards', limit));
    let page = read(first);
    for (;;) {
      const records = await page;
      const last = records.at(-1);
      if (last === undefined) return;
      const next = last.position + 1;
      if (limit < pageSize) {
        yield records;
        page = read(next);
        continue;
      }
      page = read(next);
      page.catch(() => undefined);
      yield records;
    }
  }

  async head(): Promise<bigint | null> {
    const { log } = this.#context;
    let before = log.commits.head + 1;
    for (;;) {
      const from = before;
      const records = await retryingWhile(isTransient, () =>
        log.readAll(from, 'backwards', headPage),
      );
      for (const record of records) {
        before = record.position;
        if (recordedFrom(record, this.#reading) !== null) return BigInt(record.position);
      }
      if (records.length === 0) return null;
    }
  }

  subscribeToAll(options: SubscriptionOptions): AsyncGenerator<SubscriptionItem> {
    const follower = { logger: this.#context.logger, guard: this.#guard };
    return followLog(follower, (after, signal) => this.#deliver(after, signal), options);
  }

  /** Until the log was read again after a lost connection to the database: it may be another one by then. */
  async *#deliver(after: bigint | null, signal: AbortSignal): AsyncGenerator<SubscriptionItem> {
    const { log } = this.#context;
    const { reopenings } = log.commits;
    await this.#guard.check();
    this.#subscriptions += 1;
    try {
      for await (const step of followAll(log, numberOf(after ?? 0n), signal)) {
        if (log.commits.reopenings > reopenings) throw new Error('the log was opened again');
        const items = typeof step === 'string' ? [] : this.#decodedOf(step.records);
        if (step === 'caught-up') yield step;
        else if (items.length > 0) yield items;
      }
    } finally {
      this.#subscriptions -= 1;
    }
  }

  #decodedOf(records: readonly LogRecord[]): readonly Recorded[] {
    if (this.#decoded.size > maxDecoded) this.#decoded.clear();
    const items: Recorded[] = [];
    for (const record of records) {
      const recorded = this.#decodedOnce(record);
      if (recorded !== null) items.push(recorded);
    }
    return items;
  }

  /** At the head of the log all subscriptions read the same records: each is decoded once. */
  #decodedOnce(record: LogRecord): Recorded | null {
    const known = this.#decoded.get(record);
    if (known === undefined) {
      const recorded = recordedFrom(record, this.#reading);
      const left = this.#subscriptions - 1;
      if (left > 0) this.#decoded.set(record, { recorded, left });
      return recorded;
    }
    known.left -= 1;
    if (known.left <= 0) this.#decoded.delete(record);
    return known.recorded;
  }

  async boundStream(
    streamId: string,
    bounds: Readonly<{ maxCount?: number; maxAgeSeconds?: number }>,
  ): Promise<void> {
    const { log } = this.#context;
    const { metadata } = await retryingWhile(isTransient, () => log.state(streamId));
    const event = boundingEvent(metadata, bounds);
    if (event === null) return;
    const stream = metaStreamOf(streamId);
    const write = { kind: 'append', stream, expected: 'any', events: [event] } as const;
    const result = await retryingWhile(isTransient, () => this.#write(write));
    if (result.kind !== 'written') throw new WrongExpectedRevisionError(stream);
  }

  async tombstoneStream(streamId: string): Promise<void> {
    const write = { kind: 'tombstone', stream: streamId, expected: 'any', events: [] } as const;
    await retryingWhile(isTransient, () => this.#write(write));
  }

  /** @throws NoAnswerError when the outcome is unknown */
  async #write(write: Parameters<NodeContext['log']['write']>[0]): Promise<WriteResult> {
    const { attemptMs } = limits;
    const writing = this.#context.log.write(write, Date.now() + attemptMs);
    const result = await withTimeout(writing, attemptMs);
    if (result.kind === 'timeout') throw new NoAnswerError();
    return result;
  }
}

/** The port over a log that this process has open. */
export const createLocalStore = (
  context: NodeContext,
  events: ProductEvents | null = null,
): EventStore => {
  const store = new LocalStore(context, events);
  return {
    append: (streamId, appended, expected) => store.append(streamId, appended, expected),
    // The caller names the events that it knows its stream to hold.
    readStream: <E extends Event>(streamId: string, options?: ReadStreamOptions) =>
      store.readStream(streamId, options) as AsyncIterable<Recorded<E>>,
    readAll: (options) => store.readAll(options),
    subscribeToAll: (options) => store.subscribeToAll(options),
    head: () => store.head(),
    boundStream: (streamId, bounds) => store.boundStream(streamId, bounds),
    tombstoneStream: (streamId) => store.tombstoneStream(streamId),
    close: async () => undefined,
  };
};
