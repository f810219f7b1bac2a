import type { Recorded } from '../../../domain/shared/event.ts';
import type {
  AppendResult,
  EventToAppend,
  ExpectedRevision,
} from '../../../infra/ports/event-store.ts';
import type { Machine } from '../world/machine.ts';
import type { Network } from '../world/network.ts';
import { LineBrokenError } from '../world/remote-calls.ts';
import type { SimLog } from './sim-log.ts';

/** The log has no room: nothing was appended. */
class LogRefusesError extends Error {
  constructor() {
    super('the log cannot write');
    this.name = 'LogRefusesError';
  }
}

/** One reader of the whole log, at its own place. */
export class Subscription {
  readonly #server: Machine;
  readonly #onEnd: () => void;
  #inbox: Recorded[] = [];
  #wake: (() => void) | null = null;
  #failure: Error | null = null;
  #isEnded = false;
  /** Newest event that was taken. */
  position: bigint | null;
  /** Newest event that was sent. */
  sent: bigint | null;
  isSending = false;

  constructor(server: Machine, after: bigint | null, onEnd: () => void) {
    this.#server = server;
    this.#onEnd = onEnd;
    this.position = after;
    this.sent = after;
  }

  get isEmpty(): boolean {
    return this.#inbox.length === 0;
  }

  receive(events: readonly Recorded[]): void {
    if (this.#isEnded) return;
    for (const event of events) this.#inbox.push(event);
    this.#notify();
  }

  /** null at the end. @throws LineBrokenError */
  async take(): Promise<readonly Recorded[] | null> {
    while (this.#inbox.length === 0 && !this.#isEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#inbox.length > 0) {
      const events = this.#inbox;
      this.#inbox = [];
      const last = events.at(-1);
      this.position = last?.position ?? this.position;
      return events;
    }
    if (this.#failure !== null) throw this.#failure;
    return null;
  }

  lose(): void {
    this.end(new LineBrokenError(this.#server));
  }

  /** As in the adapter (`infra/event-store/subscribe-to-all.ts`), what was not taken is gone with the connection. */
  end(failure: Error | null): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#inbox = [];
    this.#failure = failure;
    this.#onEnd();
    this.#notify();
  }

  #notify(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }
}

type Surroundings = Readonly<{ network: Network; now: () => number }>;

/** The machine that serves the log, and the readers that follow it. */
export class LogServer {
  readonly log: SimLog;
  readonly machine: Machine;
  readonly #network: Network;
  /** When each event was appended, those of the founding left out. */
  readonly #storedAt: number[] = [];
  readonly #founded: number;
  readonly #subscriptions = new Map<Subscription, Machine>();
  /** No append takes effect: its disk is full. */
  isFull = false;

  constructor(log: SimLog, machine: Machine, { network, now }: Surroundings) {
    this.log = log;
    this.machine = machine;
    this.#network = network;
    this.#founded = log.all.length;
    log.listen((events) => {
      this.#storedAt.push(...events.map(() => now()));
      for (const [subscription, reader] of this.#subscriptions) this.#send(subscription, reader);
    });
  }

  /** How many events a backup of that moment holds. */
  lengthAt(moment: number): number {
    const later = this.#storedAt.findIndex((at) => at > moment);
    return this.#founded + (later < 0 ? this.#storedAt.length : later);
  }

  /** The content of a backup of that moment replaces the log. */
  restore(moment: number): void {
    const length = this.lengthAt(moment);
    this.log.restore(length);
    this.#storedAt.length = length - this.#founded;
  }

  append(
    streamId: string,
    events: readonly EventToAppend[],
    expected: ExpectedRevision,
  ): AppendResult | null {
    if (this.isFull) throw new LogRefusesError();
    return this.log.append(streamId, events, expected);
  }

  subscribe(reader: Machine, after: bigint | null): Subscription {
    const lose = reader.bind(() => subscription.lose());
    const forget = this.#network.watch(reader, this.machine, (isUp) => {
      if (isUp) return;
      this.#subscriptions.delete(subscription);
      lose();
    });
    const subscription: Subscription = new Subscription(this.machine, after, () => {
      forget();
      this.#subscriptions.delete(subscription);
    });
    // A connection that cannot be opened fails as one that breaks.
    if (!this.#network.isUp(reader, this.machine)) lose();
    this.#network.send(reader, this.machine, () => {
      this.#subscriptions.set(subscription, reader);
      this.#send(subscription, reader);
    });
    return subscription;
  }

  #send(subscription: Subscription, reader: Machine): void {
    if (subscription.isSending) return;
    const events = this.log.after(subscription.sent);
    if (events.length === 0) return;
    subscription.isSending = true;
    subscription.sent = events.at(-1)?.position ?? null;
    this.#network.send(this.machine, reader, () => {
      subscription.isSending = false;
      subscription.receive(events);
      this.#send(subscription, reader);
    });
  }
}
