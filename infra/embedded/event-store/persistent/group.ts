import { createFilter, type Filter } from '../log/filters.ts';
import { followAll, followStream } from '../log/follow.ts';
import { resolveLink } from '../log/links.ts';
import type { NodeContext } from '../node-context.ts';
import type { LogRecord } from '../types.ts';
import { persistentError } from '../wire/errors.ts';
import type { ResolvedRecord } from '../wire/read-response.ts';
import { type Consumer, type Message, strategies } from './consumer.ts';
import type { GroupStore, StoredGroup } from './group-store.ts';
import { Parking } from './parking.ts';
import { allStream, type GroupKey, type GroupSettings } from './settings.ts';

export type NackAction = 'park' | 'retry' | 'skip' | 'stop';

type Parts = Readonly<{ context: NodeContext; store: GroupStore }>;

const sweepMs = 100;

const idOf = ({ record, link }: ResolvedRecord): string => (link ?? record)?.eventId ?? '';

/**
 * One persistent subscription at work: it follows its stream, hands events to its consumers, hears
 * their answers, and remembers how far everything is done.
 */
export class Group {
  readonly key: GroupKey;
  readonly settings: GroupSettings;
  readonly parking: Parking;
  readonly consumers: Consumer[] = [];
  readonly #parts: Parts;
  readonly #filter: Filter | null;
  readonly #stopped = new AbortController();
  readonly #sweeper: NodeJS.Timeout;
  readonly #waiting: Message[] = [];
  readonly #retries: Message[] = [];
  /** Places handed out or waiting, in the order of the stream. */
  readonly #open = new Set<number>();
  #lastPulled: number;
  #checkpoint: number | null;
  #savedAtMs = Date.now();
  #finished = 0;
  #totalItems = 0;
  #wakeReader: (() => void) | null = null;
  #saving: Promise<void> = Promise.resolve();

  constructor(parts: Parts, { stream, group, settings, checkpoint }: StoredGroup) {
    this.key = { stream, group };
    this.settings = settings;
    this.#parts = parts;
    this.#filter = settings.filter === null ? null : createFilter(settings.filter);
    this.#checkpoint = checkpoint;
    this.#lastPulled = checkpoint ?? settings.startAfter;
    this.parking = new Parking(parts.context.log, this.key);
    this.#sweeper = setInterval(() => this.#sweep(), sweepMs).unref();
    void this.#follow();
  }

  get counts() {
    return {
      checkpoint: this.#checkpoint,
      waiting: this.#waiting.length,
      retries: this.#retries.length,
      inFlight: this.consumers.reduce((sum, { inFlight }) => sum + inFlight.size, 0),
      totalItems: this.#totalItems,
      isLive: this.#lastPulled >= this.#parts.context.log.commits.head,
    };
  }

  /** @throws ServiceError when the group is full */
  connect(consumer: Consumer): void {
    const { maxSubscriberCount } = this.settings;
    if (maxSubscriberCount > 0 && this.consumers.length >= maxSubscriberCount) {
      throw persistentError('maximum-subscribers', this.key.stream, this.key.group);
    }
    this.consumers.push(consumer);
  }

  /** What the consumer had not answered goes to the others. */
  disconnect(consumer: Consumer): void {
    const index = this.consumers.indexOf(consumer);
    if (index < 0) return;
    this.consumers.splice(index, 1);
    for (const { message } of consumer.inFlight.values())
      this.#retry(message, 'Client disconnected');
    consumer.inFlight.clear();
    this.dispatch();
  }

  ack(consumer: Consumer, ids: readonly string[]): void {
    for (const id of ids) this.#finish(this.#take(consumer, id));
    this.dispatch();
  }

  nack(
    consumer: Consumer,
    ids: readonly string[],
    answer: Readonly<{ action: NackAction; reason: string }>,
  ): void {
    for (const id of ids) {
      const message = this.#take(consumer, id);
      if (message === null) continue;
      if (answer.action === 'park') void this.#park(message, answer.reason);
      else if (answer.action === 'skip') this.#finish(message);
      else this.#retry(message, answer.reason);
    }
    if (answer.action === 'stop') consumer.drop(this.#dropped());
    this.dispatch();
  }

  /** Parked events come again, in front of what is new. */
  async replayParked(stopAt: number | null): Promise<void> {
    const parked = await this.parking.takeAll(stopAt);
    for (const link of parked) {
      const resolved = await resolveLink(this.#parts.context.log, link);
      this.#retries.push({ resolved, id: link.eventId, place: null, retryCount: 0 });
    }
    this.dispatch();
  }

  dispatch(): void {
    for (;;) {
      const queue = this.#retries.length > 0 ? this.#retries : this.#waiting;
      const message = queue[0];
      if (message === undefined) break;
      const consumer = strategies[this.settings.strategy](this.consumers, message);
      if (consumer === null) break;
      queue.shift();
      consumer.inFlight.set(message.id, { message, sentAtMs: Date.now() });
      consumer.totalItems += 1;
      this.#totalItems += 1;
      consumer.deliver(message);
    }
    this.#wakeReader?.();
  }

  /** Stops; consumers hear why. What is done stays done. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    clearInterval(this.#sweeper);
    for (const consumer of this.consumers.splice(0)) consumer.drop(this.#dropped());
    this.#wakeReader?.();
    this.#save();
    await this.#saving;
  }

  #dropped(): Error {
    return persistentError('dropped', this.key.stream, this.key.group);
  }

  async #follow(): Promise<void> {
    const { log, logger } = this.#parts.context;
    const { stream } = this.key;
    const { signal } = this.#stopped;
    try {
      const steps =
        stream === allStream
          ? followAll(log, this.#lastPulled, signal)
          : followStream(log, { stream, revision: this.#lastPulled }, signal);
      for await (const step of steps) {
        if (step === 'caught-up') continue;
        if (step === 'stream-deleted') return;
        for (const record of step.records) await this.#pull(record);
      }
    } catch (error) {
      if (!signal.aborted) logger.error({ error: String(error), ...this.key }, 'group has stopped');
    }
  }

  async #pull(record: LogRecord): Promise<void> {
    await this.#room();
    if (this.#stopped.signal.aborted) return;
    const place = this.key.stream === allStream ? record.position : record.revision;
    this.#lastPulled = place;
    const isOwn = this.parking.isOwnStream(record.stream);
    if (isOwn || (this.#filter !== null && !this.#filter.matches(record))) {
      this.#finished += 1;
      return;
    }
    const resolved = this.settings.resolveLinks
      ? await resolveLink(this.#parts.context.log, record)
      : { record, link: null };
    this.#open.add(place);
    this.#waiting.push({ resolved, id: idOf(resolved), place, retryCount: 0 });
    this.dispatch();
  }

  /** Reads no further than the buffer holds. */
  async #room(): Promise<void> {
    while (
      this.#waiting.length >= Math.max(1, this.settings.historyBufferSize) &&
      !this.#stopped.signal.aborted
    ) {
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    }
    this.#wakeReader = null;
  }

  #take(consumer: Consumer, id: string): Message | null {
    const entry = consumer.inFlight.get(id);
    consumer.inFlight.delete(id);
    return entry?.message ?? null;
  }

  #finish(message: Message | null): void {
    if (message === null || message.place === null) return;
    this.#open.delete(message.place);
    this.#finished += 1;
    if (this.#finished >= this.settings.maxCheckpointCount) this.#save();
  }

  #retry(message: Message, reason: string): void {
    if (message.retryCount >= this.settings.maxRetryCount) {
      void this.#park(message, `Reached maximum retry count. ${reason}`);
      return;
    }
    message.retryCount += 1;
    this.#retries.push(message);
  }

  /** Done with only once it is safely parked; should that fail, it is tried again. */
  async #park(message: Message, reason: string): Promise<void> {
    try {
      await this.parking.park(message.resolved, reason);
      this.#finish(message);
    } catch (error) {
      this.#parts.context.logger.warn({ error: String(error), ...this.key }, 'could not park');
      this.#retries.push(message);
    }
  }

  #sweep(): void {
    const now = Date.now();
    const { messageTimeoutMs, checkpointAfterMs, minCheckpointCount } = this.settings;
    for (const consumer of this.consumers) {
      for (const [id, { message, sentAtMs }] of consumer.inFlight) {
        if (messageTimeoutMs <= 0 || now - sentAtMs < messageTimeoutMs) continue;
        consumer.inFlight.delete(id);
        this.#retry(message, 'Message timed out');
      }
    }
    const isEnough = this.#finished >= Math.max(1, minCheckpointCount);
    if (isEnough && now - this.#savedAtMs >= checkpointAfterMs) this.#save();
    this.dispatch();
  }

  /** The place before the first event that is still open. */
  #save(): void {
    const [firstOpen] = this.#open;
    const place = firstOpen === undefined ? this.#lastPulled : firstOpen - 1;
    this.#finished = 0;
    this.#savedAtMs = Date.now();
    if (place < 0 || place === this.#checkpoint || place <= this.settings.startAfter) return;
    this.#checkpoint = place;
    this.#saving = this.#saving
      .then(() => this.#parts.store.checkpoint(this.key, place))
      .catch((error: unknown) => {
        this.#parts.context.logger.warn({ error: String(error) }, 'checkpoint not saved');
      });
  }
}
