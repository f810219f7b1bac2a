import type { Machine } from '../world/machine.ts';
import { natsErrors } from './nats-errors.ts';
import type { UndoLog } from './undo-log.ts';

export type StoredMessage = Readonly<{ sequence: number; subject: string; text: string }>;
export type Delivered = Readonly<{
  message: StoredMessage;
  deliverySequence: number;
  redelivered: boolean;
}>;
/** Where the messages of a consumer go: one pull request of one client. */
export type Session = Readonly<{
  deliver: (delivered: Delivered) => void;
  /** The consumer is gone. */
  ended: () => void;
}>;
export type ConsumerConfig = Readonly<{
  name: string;
  description: string;
  filter: string;
  ackWaitMs: number;
  maxAckPending: number;
}>;

export type MadeConsumer = ConsumerConfig & Readonly<{ createdAt: number }>;

type Pending = { deadline: number; readonly message: StoredMessage };
type Consumer = {
  readonly config: MadeConsumer;
  /** Newest message that was handed out. */
  deliveredSequence: number;
  deliveries: number;
  readonly pending: Map<number, Pending>;
  /** Clients that request its messages, newest last. */
  readonly sessions: Session[];
  isWatched: boolean;
};
type Stream = {
  readonly messages: Map<number, StoredMessage>;
  lastSequence: number;
  readonly consumers: Map<string, Consumer>;
};

/** Work queues: a message stays until its one consumer has acknowledged it. */
export class JetStream {
  readonly #streams = new Map<string, Stream>();
  readonly #machine: Machine;
  readonly #undo: UndoLog;
  /** Nothing more fits in. */
  isFull = false;
  /** Orders consumers by the moment at which they were made; no loss of state sets it back. */
  #consumersMade = 0;

  constructor(machine: Machine, undo: UndoLog) {
    this.#machine = machine;
    this.#undo = undo;
  }

  hasStream(name: string): boolean {
    return this.#streams.has(name);
  }

  addStream(name: string): void {
    if (this.#streams.has(name)) return;
    this.#streams.set(name, { messages: new Map(), lastSequence: 0, consumers: new Map() });
    this.#undo.note(() => this.#streams.delete(name));
  }

  /** Messages without an acknowledgement. */
  waiting(): number {
    let count = 0;
    for (const { messages } of this.#streams.values()) count += messages.size;
    return count;
  }

  publish(subject: string, text: string): void {
    const name = subject.slice(0, subject.lastIndexOf('.'));
    const stream = this.#streams.get(name);
    if (stream === undefined) throw natsErrors.noResponders();
    if (this.isFull) throw natsErrors.noSpace();
    stream.lastSequence += 1;
    const message = { sequence: stream.lastSequence, subject, text };
    stream.messages.set(message.sequence, message);
    this.#undo.note(() => stream.messages.delete(message.sequence));
    for (const consumer of stream.consumers.values()) this.#pump(stream, consumer);
  }

  /** Its configuration; null when there is none. */
  consumer(streamName: string, name: string): MadeConsumer | null {
    return this.#streams.get(streamName)?.consumers.get(name)?.config ?? null;
  }

  addConsumer(streamName: string, wanted: ConsumerConfig): MadeConsumer {
    const stream = this.#streams.get(streamName);
    if (stream === undefined) throw natsErrors.notFound('stream');
    this.#consumersMade += 1;
    const config = { ...wanted, createdAt: this.#consumersMade };
    const consumer: Consumer = {
      config,
      deliveredSequence: 0,
      deliveries: 0,
      pending: new Map(),
      sessions: [],
      isWatched: false,
    };
    stream.consumers.set(config.name, consumer);
    this.#undo.note(() => stream.consumers.delete(config.name));
    return config;
  }

  deleteConsumer(streamName: string, name: string): void {
    const stream = this.#streams.get(streamName);
    const consumer = stream?.consumers.get(name);
    if (stream === undefined || consumer === undefined) throw natsErrors.notFound('consumer');
    stream.consumers.delete(name);
    for (const session of consumer.sessions.splice(0)) session.ended();
    const bare = { ...consumer, pending: new Map(), sessions: [] };
    this.#undo.note(() => stream.consumers.set(name, bare));
  }

  /** Sends the messages of a consumer to the newest client; others wait until it is gone. */
  attach(streamName: string, name: string, session: Session): void {
    const stream = this.#streams.get(streamName);
    const consumer = stream?.consumers.get(name);
    if (stream === undefined || consumer === undefined) {
      session.ended();
      return;
    }
    consumer.sessions.push(session);
    this.#pump(stream, consumer);
  }

  detach(session: Session): void {
    for (const stream of this.#streams.values()) {
      for (const consumer of stream.consumers.values()) {
        const at = consumer.sessions.indexOf(session);
        if (at < 0) continue;
        consumer.sessions.splice(at, 1);
        this.#pump(stream, consumer);
      }
    }
  }

  acknowledge(streamName: string, name: string, sequence: number): void {
    const stream = this.#streams.get(streamName);
    const message = stream?.messages.get(sequence);
    const consumer = stream?.consumers.get(name);
    if (stream === undefined || message === undefined) return;
    stream.messages.delete(sequence);
    this.#undo.note(() => stream.messages.set(sequence, message));
    if (consumer === undefined) return;
    consumer.pending.delete(sequence);
    this.#pump(stream, consumer);
  }

  working(streamName: string, name: string, sequence: number): void {
    const consumer = this.#streams.get(streamName)?.consumers.get(name);
    const pending = consumer?.pending.get(sequence);
    if (consumer === undefined || pending === undefined) return;
    pending.deadline = this.#machine.timers.now() + consumer.config.ackWaitMs;
  }

  /** After a restart every consumer begins again at its oldest message. */
  restart(): void {
    for (const stream of this.#streams.values()) {
      const ordered = [...stream.messages.values()].sort((a, b) => a.sequence - b.sequence);
      stream.messages.clear();
      for (const message of ordered) stream.messages.set(message.sequence, message);
      for (const consumer of stream.consumers.values()) {
        consumer.sessions.length = 0;
        consumer.deliveredSequence = 0;
        consumer.pending.clear();
        consumer.isWatched = false;
      }
    }
  }

  /** Everything is gone, streams and consumers too. */
  loseAll(): void {
    this.#streams.clear();
  }

  #pump(stream: Stream, consumer: Consumer): void {
    const { config, pending, sessions } = consumer;
    if (sessions.length === 0) return;
    for (const message of stream.messages.values()) {
      if (pending.size >= config.maxAckPending) return;
      if (message.sequence <= consumer.deliveredSequence) continue;
      if (message.subject !== config.filter) continue;
      consumer.deliveredSequence = message.sequence;
      this.#deliver(consumer, message, false);
    }
  }

  #deliver(consumer: Consumer, message: StoredMessage, redelivered: boolean): void {
    const { pending, sessions, config } = consumer;
    consumer.deliveries += 1;
    const deadline = this.#machine.timers.now() + config.ackWaitMs;
    pending.set(message.sequence, { deadline, message });
    sessions.at(-1)?.deliver({ message, deliverySequence: consumer.deliveries, redelivered });
    this.#watch(consumer);
  }

  #watch(consumer: Consumer): void {
    if (consumer.isWatched) return;
    consumer.isWatched = true;
    this.#machine.timers.setTimeout(() => {
      consumer.isWatched = false;
      this.#redeliver(consumer);
    }, consumer.config.ackWaitMs);
  }

  #redeliver(consumer: Consumer): void {
    const now = this.#machine.timers.now();
    for (const { deadline, message } of [...consumer.pending.values()]) {
      if (deadline <= now && consumer.sessions.length > 0) this.#deliver(consumer, message, true);
    }
    if (consumer.pending.size > 0) this.#watch(consumer);
  }
}
