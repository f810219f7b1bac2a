import type { ConsumerMessages, JsMsg } from 'nats';
import type { Stop } from '../../ports/bus.ts';
import { pause, retryDelayMs, untilDone } from '../retry.ts';
import { lineIsUp, type NatsLink } from './nats-link.ts';
import {
  ackWaitMs,
  createPartitionConsumer,
  messagesInHand,
  type PartitionConsumer,
} from './partition-consumer.ts';

export type PartitionReader = Readonly<{
  stream: string;
  partition: number;
  /** Distinguishes this reader from the one that takes the partition over. */
  owner: string;
  handler: (items: readonly unknown[], partition: number) => Promise<void>;
  /** Makes the stream where it is missing; a server may be empty after a restart. */
  ensure: () => Promise<void>;
  /** Another reader has taken the partition over; this one has ended. */
  onLost: (partition: number) => void;
}>;
/** One connection's time with a consumer. */
type Session = Readonly<{
  /** Nothing more is begun. */
  signal: AbortSignal;
  /** The connection of this session is gone, and the server may be back with another state. */
  isOver: () => boolean;
}>;

/** One call of the handler takes what is held, to this many items. */
const itemsPerCall = 1_024;
/** After a session that lasted this long, the next begins without delay. */
const longSessionMs = 10_000;
/** Milliseconds for a reader that takes the partition over to make its consumer after deleting ours. */
const takeOverGraceMs = 250;

/** null: not written by this product; no retry would make it readable. */
const itemsOf = (message: JsMsg): readonly unknown[] | null => {
  try {
    const items: unknown = message.json();
    return Array.isArray(items) ? items : null;
  } catch {
    return null;
  }
};

/** Hands messages to the handler in the order of the stream and acknowledges what is done. */
const createHands = (link: NatsLink, reader: PartitionReader, { signal, isOver }: Session) => {
  const { timers } = link.system;
  const held: Readonly<{ message: JsMsg; items: readonly unknown[] }>[] = [];
  let working: Promise<void> | null = null;

  const next = () => {
    let count = 0;
    let items = 0;
    for (const batch of held) {
      if (count > 0 && items + batch.items.length > itemsPerCall) break;
      count += 1;
      items += batch.items.length;
    }
    return held.slice(0, count);
  };

  const handleNext = async (): Promise<void> => {
    const batches = next();
    const items = batches.flatMap((batch) => batch.items);
    const done = await untilDone(() => reader.handler(items, reader.partition), {
      signal,
      timers: link.system.timers,
      onFailure: (err, attempt) =>
        link.logger.error({ err, partition: reader.partition, attempt }, 'consumer failed'),
    });
    if (!done) return;
    held.splice(0, batches.length);
    // A sequence number of before may belong to another message by now.
    if (isOver()) return;
    for (const { message } of batches) message.ack();
  };

  const work = async (): Promise<void> => {
    while (held.length > 0 && !signal.aborted) await handleNext();
    working = null;
  };

  // The server would redeliver messages that wait long to another consumer, out of order.
  const stillAtIt = timers.setInterval(() => {
    if (isOver()) return;
    for (const { message } of held) message.working();
  }, ackWaitMs / 3);
  stillAtIt.unref();

  return {
    take: (message: JsMsg): void => {
      const items = itemsOf(message);
      if (items === null) {
        link.logger.error({ subject: message.subject, seq: message.seq }, 'not a batch of items');
        message.term();
        return;
      }
      held.push({ message, items });
      working ??= Promise.resolve().then(work);
    },
    /** Waits for the handler at work; what it has not begun goes back to the server. */
    letGo: async (): Promise<void> => {
      timers.clear(stillAtIt);
      await working;
    },
  };
};

/** Reads until a message is missing or repeated, or the consumer is gone. */
const readInOrder = async (
  messages: ConsumerMessages,
  take: (message: JsMsg) => void,
): Promise<void> => {
  let expected = 1;
  for await (const message of messages) {
    if (message.redelivered || message.info.deliverySequence !== expected) return;
    expected += 1;
    take(message);
  }
};

type Reading = Readonly<{
  reader: PartitionReader;
  consumer: PartitionConsumer;
  stopped: AbortSignal;
  started: () => void;
}>;

const readSession = async (
  link: NatsLink,
  { reader, consumer, stopped, started }: Reading,
): Promise<void> => {
  const ending = new AbortController();
  let isOver = false;
  const forget = link.onDisconnect(() => {
    isOver = true;
    ending.abort();
  });
  const end = (): void => ending.abort();
  stopped.addEventListener('abort', end);
  const hands = createHands(link, reader, { signal: ending.signal, isOver: () => isOver });
  try {
    const messages = await (await consumer.takeOver()).consume({
      max_messages: messagesInHand,
      abort_on_missing_resource: true,
    });
    started();
    ending.signal.addEventListener('abort', () => messages.stop());
    if (stopped.aborted || isOver) messages.stop();
    await readInOrder(messages, hands.take);
  } finally {
    end();
    stopped.removeEventListener('abort', end);
    await hands.letGo();
    forget();
  }
};

/**
 * Reads one partition until it is stopped or another reader takes it over, whatever the server
 * loses: a stream or a consumer that is gone, or older than it was, is made again.
 */
export const readPartition = (
  link: NatsLink,
  reader: PartitionReader,
): Readonly<{ started: Promise<void>; stop: Stop }> => {
  const stopping = new AbortController();
  const { signal } = stopping;
  let started: () => void = () => undefined;
  const firstTry = new Promise<void>((resolve) => {
    started = resolve;
  });
  const { partition } = reader;
  const { timers } = link.system;
  const consumer = createPartitionConsumer(link, reader);

  /** The duration of the session in milliseconds. */
  const readOnce = async (): Promise<number> => {
    const startedAt = timers.now();
    await readSession(link, { reader, consumer, stopped: signal, started }).catch((err: unknown) =>
      link.logger.warn({ err, partition }, 'reading a partition broke off'),
    );
    started();
    return timers.now() - startedAt;
  };

  const run = async (): Promise<void> => {
    for (let attempt = 1; !link.connection.isClosed(); attempt += 1) {
      await lineIsUp(link, signal);
      if (signal.aborted) return;
      if (await consumer.isTaken()) {
        link.logger.warn({ partition }, 'another consumer has taken the partition');
        reader.onLost(partition);
        return;
      }
      if ((await readOnce()) > longSessionMs) attempt = 1;
      await pause(timers, Math.max(retryDelayMs(attempt), takeOverGraceMs), signal);
    }
  };

  const running = run();
  return {
    started: firstTry,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};
