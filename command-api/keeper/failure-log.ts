import type { RequestFailed } from '../../domain/relay/events.ts';
import { relayStreamId } from '../../domain/relay/stream.ts';
import type { RelayId, RequestId } from '../../domain/shared/ids.ts';
import type { EventStore, EventToAppend } from '../../infra/ports/event-store.ts';
import { appendAfter } from '../commands/append.ts';

/** What the stream of one relay instance holds. */
type Held = { revision: bigint; readonly requestIds: Set<RequestId> };

/** Relay instances whose failures are in memory; those of another are read again from its stream. */
const rememberedRelays = 64;
const largestAppend = 128;
const maxAttempts = 12;

const requestIdOf = ({ event }: EventToAppend<RequestFailed>): RequestId =>
  event.data.call.requestId;

/**
 * The error logs of relays, each failure once. A record is repeated whenever its relay or the bus
 * sends it again, and an event store recognises an event id only at the revision expected before,
 * so the stream is read once and then followed.
 */
export class FailureLog {
  readonly #eventStore: EventStore;
  readonly #held = new Map<RelayId, Held>();
  /** One append at a time for each relay. */
  readonly #turns = new Map<RelayId, Promise<void>>();

  constructor(eventStore: EventStore) {
    this.#eventStore = eventStore;
  }

  append(relayId: RelayId, events: readonly EventToAppend<RequestFailed>[]): Promise<void> {
    const before = this.#turns.get(relayId) ?? Promise.resolve();
    const turn = before.catch(() => undefined).then(() => this.#append(relayId, events));
    this.#turns.set(relayId, turn);
    return turn.finally(() => {
      if (this.#turns.get(relayId) === turn) this.#turns.delete(relayId);
    });
  }

  async #append(relayId: RelayId, events: readonly EventToAppend<RequestFailed>[]): Promise<void> {
    for (let at = 0; at < events.length; at += largestAppend) {
      const part = events.slice(at, at + largestAppend);
      for (let attempt = 1; !(await this.#tryAppend(relayId, part, attempt)); attempt += 1) {
        if (attempt >= maxAttempts) throw new Error(`the error log of ${relayId} moves on`);
      }
    }
  }

  /** False when another keeper has written meanwhile. */
  async #tryAppend(
    relayId: RelayId,
    part: readonly EventToAppend<RequestFailed>[],
    attempt: number,
  ): Promise<boolean> {
    const held = this.#held.get(relayId) ?? (await this.#read(relayId));
    const fresh = new Map<RequestId, EventToAppend<RequestFailed>>();
    for (const event of part) {
      const requestId = requestIdOf(event);
      if (!held.requestIds.has(requestId)) fresh.set(requestId, event);
    }
    if (fresh.size === 0) return true;
    const streamId = relayStreamId(relayId);
    const { revision } = held;
    // A stream whose events are all too old reads as none, and has a revision all the same.
    const hasNoRevision = revision < 0n && attempt > 1;
    this.#held.delete(relayId);
    const appended = hasNoRevision
      ? await this.#eventStore.append(streamId, [...fresh.values()], 'any')
      : await appendAfter(this.#eventStore, { streamId, revision }, [...fresh.values()]);
    if (appended === 'conflict') return false;
    for (const requestId of fresh.keys()) held.requestIds.add(requestId);
    this.#keep(relayId, { ...held, revision: appended.revision });
    return true;
  }

  async #read(relayId: RelayId): Promise<Held> {
    const held: Held = { revision: -1n, requestIds: new Set() };
    const onUnreadable = ({ revision }: Readonly<{ revision: bigint }>): void => {
      held.revision = revision;
    };
    const stream = this.#eventStore.readStream<RequestFailed>(relayStreamId(relayId), {
      onUnreadable,
    });
    for await (const { event, revision } of stream) {
      held.revision = revision;
      if (event.type === 'RequestFailed') held.requestIds.add(event.data.call.requestId);
    }
    return held;
  }

  #keep(relayId: RelayId, held: Held): void {
    this.#held.set(relayId, held);
    const [oldest] = this.#held.keys();
    if (this.#held.size > rememberedRelays && oldest !== undefined) this.#held.delete(oldest);
  }
}
