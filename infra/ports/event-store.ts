import type { Event, Metadata, Recorded } from '../../domain/shared/event.ts';
import type { LogPlace } from '../../domain/shared/log-place.ts';

export type ExpectedRevision = bigint | 'no-stream' | 'stream-exists' | 'any';

/** An event on its way into the log. The same `eventId` twice is stored once. */
export type EventToAppend<E extends Event = Event> = Readonly<{
  event: E;
  /** UUID; derived from its cause wherever a retry is possible. */
  eventId: string;
  metadata: Metadata;
}>;

export type AppendResult = Readonly<{ revision: bigint; position: bigint }>;

/** The stream is not where the writer thought; nothing was appended. */
export class WrongExpectedRevisionError extends Error {
  readonly streamId: string;
  constructor(streamId: string) {
    super(`stream ${streamId} has moved on`);
    this.name = 'WrongExpectedRevisionError';
    this.streamId = streamId;
  }
}

/** An event that is none of the product's own, or not in its shape. Every read leaves it out. */
export type UnreadableEvent = Readonly<{
  eventId: string;
  streamId: string;
  type: string;
  revision: bigint;
  position: bigint;
  /** The error; contains nothing of the content. */
  reason: string;
}>;
export type OnUnreadable = (event: UnreadableEvent) => void;

/**
 * What a live subscription delivers: events in order, as many as arrived together, and a mark each
 * time it reaches the head.
 */
export type SubscriptionItem = readonly Recorded[] | 'caught-up';

export type ReadStreamOptions = Readonly<{
  from?: bigint;
  /** Of events that can be read. */
  maxCount?: number;
  backwards?: boolean;
  onUnreadable?: OnUnreadable;
}>;

/** Begins after `after` (exclusive), or at `from` (inclusive), which has to be the place of an event. */
export type ReadAllOptions = Readonly<{
  after?: bigint;
  from?: bigint;
  maxCount?: number;
  onUnreadable?: OnUnreadable;
}>;

/** The log. One adapter, `@eventstore/db-client`, against the embedded node or a real one. */
export type SubscriptionOptions = Readonly<{
  after: bigint | null;
  /** The newest position of this log that the caller has read before; null: none. */
  lastRead: LogPlace | null;
  signal: AbortSignal;
}>;

export interface EventStore {
  /**
   * Appends all or nothing.
   * @throws WrongExpectedRevisionError when the stream has moved on.
   */
  append(
    streamId: string,
    events: readonly EventToAppend[],
    expectedRevision: ExpectedRevision,
  ): Promise<AppendResult>;

  /**
   * Events of one stream; empty when it does not exist. `from` is inclusive. A writer that appends
   * at a revision needs those of unreadable events too: `onUnreadable` is called with them in their
   * order.
   */
  readStream<E extends Event = Event>(
    streamId: string,
    options?: ReadStreamOptions,
  ): AsyncIterable<Recorded<E>>;

  /** Events of the whole log, system events left out. Ends at the head. */
  readAll(options?: ReadAllOptions): AsyncIterable<Recorded>;

  /**
   * Everything after `after` (exclusive) and all later events, system events left out. Reconnects
   * by itself from the last delivered position; ends when `signal` aborts.
   * @throws LogReplacedError when the log does not hold the last delivered event after a lost
   * connection, or `lastRead` when the subscription begins
   */
  subscribeToAll(options: SubscriptionOptions): AsyncIterable<SubscriptionItem>;

  /** Position of the newest event that a read delivers; null in an empty log. */
  head(): Promise<bigint | null>;

  /** Bounds a stream: the newest `maxCount` events, or those younger than `maxAgeSeconds`. */
  boundStream(
    streamId: string,
    bounds: Readonly<{ maxCount?: number; maxAgeSeconds?: number }>,
  ): Promise<void>;

  /**
   * Ends a stream for ever, also one that never began: it reads as empty, takes no more events, and the
   * store may remove all that it held. Again it changes nothing.
   */
  tombstoneStream(streamId: string): Promise<void>;

  close(): Promise<void>;
}
