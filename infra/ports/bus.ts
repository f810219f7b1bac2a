/** Keyed state with positions, published by the control plane and held in memory by relays. */
export type FeedEntry<T> = Readonly<{
  key: string;
  /** Place in the log of the event behind it; the newest wins. */
  position: bigint;
  /** null: the thing is gone. */
  value: T | null;
}>;

export type FeedName = 'keys' | 'channels' | 'tokens' | 'accounts' | 'options';

export type Stop = () => Promise<void>;

export interface Feed<T> {
  /** Publishes the whole state of some things. An entry older than the one held is left out. */
  put(entries: readonly FeedEntry<T>[]): Promise<void>;
  /** What is held for one key. */
  get(key: string): Promise<FeedEntry<T> | null>;
  /**
   * Delivers all that is held, then every change, in batches; `ready` resolves after the first.
   * Survives a lost connection: the state is delivered again.
   */
  watch(
    onEntries: (entries: readonly FeedEntry<T>[]) => void,
  ): Promise<{ ready: Promise<void>; stop: Stop }>;
}

/** At-least-once, in order within a partition. */
export interface Queue<T> {
  /** Resolves when the bus has taken over: stored durably, or already handled on one machine. */
  publish(partition: number, items: readonly T[]): Promise<void>;
  /**
   * One handler at a time for each partition. Items count as delivered when the handler resolves;
   * when it rejects they are delivered again. Continues until it is stopped, whatever state the bus
   * loses. The newest consumer has a partition: the one before it is informed by `onLost`, once its
   * handler is done, and gets no more of it.
   */
  consume(
    partitions: readonly number[],
    handler: (items: readonly T[], partition: number) => Promise<void>,
    options?: Readonly<{ onLost?: (partition: number) => void }>,
  ): Promise<Stop>;
}

/** Short-lived things: codes, states, counters, ownership. Values are small JSON. */
export interface KeyValue {
  get<T>(key: string): Promise<T | null>;
  put<T>(key: string, value: T): Promise<void>;
  /** False when the key is already there. */
  create<T>(key: string, value: T): Promise<boolean>;
  /** False when the key no longer has the value `held`: of several writers one succeeds. */
  replace<T>(key: string, held: T, value: T): Promise<boolean>;
  /** True for the one caller that removed it. */
  remove(key: string): Promise<boolean>;
  /** Adds and returns the new count; starts from 0, expires with the bucket's time to live. */
  increment(key: string, by: number): Promise<number>;
}

/** No answer in time, or no server for the subject. */
export class BusUnavailableError extends Error {
  readonly subject: string;
  /** @param reason the adapter's error, for the log */
  constructor(subject: string, reason?: string) {
    super(`no answer on ${subject}${reason === undefined ? '' : `: ${reason}`}`);
    this.name = 'BusUnavailableError';
    this.subject = subject;
  }
}

/**
 * Messages between the rooms. Adapters: NATS with JetStream, in-process, and a client that reaches
 * the in-process bus of another process of the same machine.
 */
export interface Bus {
  feed<T>(name: FeedName): Feed<T>;
  /**
   * Calls `listener` when entries that this process put may be gone, because the bus has lost some
   * of its state: the whole feed is to be put again. A call that rejects is repeated. The returned
   * function removes it.
   */
  onFeedLoss(listener: (name: FeedName) => Promise<void>): () => void;
  queue<T>(name: 'usage'): Queue<T>;
  keyValue(bucket: string, options: Readonly<{ ttlSeconds: number }>): KeyValue;
  /** @throws BusUnavailableError */
  request<Req, Res>(
    subject: string,
    body: Req,
    options?: Readonly<{ timeoutMs?: number }>,
  ): Promise<Res>;
  /** Answers requests; several servers share them. A thrown error reaches the caller as an error. */
  serve<Req, Res>(subject: string, handler: (body: Req) => Promise<Res>): Promise<Stop>;
  /** Fire and forget, to all current listeners. */
  publish<T>(subject: string, body: T): void;
  subscribe<T>(subject: string, handler: (body: T) => void): Promise<Stop>;
  close(): Promise<void>;
}
