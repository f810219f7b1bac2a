import { AckPolicy, type ConsumerMessages, DeliverPolicy, type JsMsg, nanos } from 'nats';
import type { Stop } from '../../ports/bus.ts';
import { pause, retryDelayMs, untilDone } from '../retry.ts';
import { isNotFound, lineIsUp, type NatsLink, reaching } from './nats-link.ts';

export type PartitionReader = Readonly<{
  stream: string;
  partition: number;
  /** Tells this reader from the one that takes the partition over. */
  owner: string;
  handler: (items: readonly unknown[], partition: number) => Promise<void>;
  /** Makes the stream where it is missing; a server may have come back empty. */
  ensure: () => Promise<void>;
}>;

const ackWaitMs = 30_000;
/** Messages held by the reader; one call of the handler takes all of them, to this many items. */
const messagesInHand = 64;
const itemsPerCall = 1_024;
/** After a session that lasted this long, the next begins without delay. */
const longSessionMs = 10_000;

const consumerName = (partition: number): string => `partition-${partition}`;

/**
 * Makes the consumer of the partition anew. It starts at the oldest message that is not yet
 * acknowledged, which keeps the order, and cuts off the consumer that read the partition before.
 */
const takeOver = async (link: NatsLink, reader: PartitionReader): Promise<void> => {
  const name = consumerName(reader.partition);
  const { consumers } = link.manager;
  await consumers.delete(reader.stream, name).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
  await consumers.add(reader.stream, {
    durable_name: name,
    description: reader.owner,
    filter_subject: `${reader.stream}.${reader.partition}`,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(ackWaitMs),
    max_ack_pending: messagesInHand,
    max_deliver: -1,
  });
};

const isStillOurs = async (link: NatsLink, reader: PartitionReader): Promise<boolean> => {
  try {
    const { config } = await reaching(link, reader.stream, () =>
      link.manager.consumers.info(reader.stream, consumerName(reader.partition)),
    );
    return config.description === reader.owner;
  } catch {
    // Unowned, or its owner does not answer: taking over again is right in both cases.
    return true;
  }
};

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
const createHands = (link: NatsLink, reader: PartitionReader, signal: AbortSignal) => {
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
    for (const { message } of batches) message.ack();
    held.splice(0, batches.length);
  };

  const work = async (): Promise<void> => {
    while (held.length > 0 && !signal.aborted) await handleNext();
    working = null;
  };

  // The server would redeliver messages that wait long to another consumer, out of order.
  const stillAtIt = timers.setInterval(() => {
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

/** Reads until a message is missing or comes again, or the consumer is gone. */
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

const readSession = async (
  link: NatsLink,
  reader: PartitionReader,
  session: Readonly<{ signal: AbortSignal; started: () => void }>,
): Promise<void> => {
  const consumer = await reaching(link, `${reader.stream}.${reader.partition}`, async () => {
    await reader.ensure();
    await takeOver(link, reader);
    return link.jetStream.consumers.get(reader.stream, consumerName(reader.partition));
  });
  const messages = await consumer.consume({
    max_messages: messagesInHand,
    abort_on_missing_resource: true,
  });
  session.started();
  const ending = new AbortController();
  const end = (): void => {
    ending.abort();
    messages.stop();
  };
  session.signal.addEventListener('abort', end);
  const forget = link.onReconnect(end);
  const hands = createHands(link, reader, ending.signal);
  try {
    if (session.signal.aborted) end();
    await readInOrder(messages, hands.take);
  } finally {
    end();
    session.signal.removeEventListener('abort', end);
    forget();
    await hands.letGo();
  }
};

/** Reads one partition until it is stopped or another reader takes it over. */
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

  /** Reads until the session breaks off; its duration (ms), or null when none may follow. */
  const readOnce = async (): Promise<number | null> => {
    await lineIsUp(link, signal);
    if (signal.aborted) return null;
    const startedAt = timers.now();
    await readSession(link, reader, { signal, started }).catch((err: unknown) => {
      link.logger.warn({ err, partition }, 'reading a partition broke off');
    });
    started();
    if (signal.aborted) return null;
    if (await isStillOurs(link, reader)) return timers.now() - startedAt;
    link.logger.warn({ partition }, 'another consumer has taken the partition');
    return null;
  };

  const run = async (): Promise<void> => {
    for (let attempt = 1; !signal.aborted && !link.connection.isClosed(); attempt += 1) {
      const durationMs = await readOnce();
      if (durationMs === null) return;
      if (durationMs > longSessionMs) attempt = 1;
      await pause(timers, retryDelayMs(attempt), signal);
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
