import type { Machine } from '../world/machine.ts';
import { Buckets } from './buckets.ts';
import { JetStream } from './jet-stream.ts';
import { UndoLog } from './undo-log.ts';

export type Incoming = Readonly<{ subject: string; text: string; reply: Reply | null }>;
/** Sends the answer to the requester; null: no subscriber of the subject. */
type Reply = (text: string | null) => void;
export type Subscriber = Readonly<{
  subject: string;
  /** One of each group gets a message; "" gets all. */
  group: string;
  deliver: (message: Incoming) => void;
}>;

/** The NATS server: subjects, and behind them what JetStream keeps. */
export class NatsServer {
  readonly machine: Machine;
  readonly streams: JetStream;
  readonly buckets: Buckets;
  readonly #now: () => number;
  readonly #undo: UndoLog;
  readonly #subscribers = new Map<string, Set<Subscriber>>();

  /** `now`: of the history, for the machine may boot again. */
  constructor(machine: Machine, now: () => number) {
    this.machine = machine;
    this.#now = now;
    this.#undo = new UndoLog(now);
    this.streams = new JetStream(machine, this.#undo);
    this.buckets = new Buckets(now, this.#undo);
  }

  subscribe(subscriber: Subscriber): void {
    const known = this.#subscribers.get(subscriber.subject) ?? new Set();
    known.add(subscriber);
    this.#subscribers.set(subscriber.subject, known);
  }

  unsubscribe(subscriber: Subscriber): void {
    this.#subscribers.get(subscriber.subject)?.delete(subscriber);
  }

  route(message: Incoming): void {
    const listening = [...(this.#subscribers.get(message.subject) ?? [])];
    if (listening.length === 0) {
      message.reply?.(null);
      return;
    }
    const groups = new Map<string, Subscriber[]>();
    for (const subscriber of listening) {
      if (subscriber.group === '') subscriber.deliver(message);
      else groups.set(subscriber.group, [...(groups.get(subscriber.group) ?? []), subscriber]);
    }
    for (const members of groups.values()) {
      members[Math.floor(this.machine.random.fraction() * members.length)]?.deliver(message);
    }
  }

  /** Starts with the state of `agoMs` milliseconds ago; 0 loses nothing. */
  restart(agoMs: number): void {
    if (agoMs > 0) this.#undo.rollBackTo(this.#now() - agoMs);
    this.streams.restart();
  }

  loseAll(): void {
    this.streams.loseAll();
    this.buckets.loseAll();
  }
}
