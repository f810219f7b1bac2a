import type { Delivered, MadeConsumer, Session } from './jet-stream.ts';
import { natsErrors } from './nats-errors.ts';
import { apiCall, type NatsSession } from './nats-session.ts';

const nanosPerMs = 1_000_000;

type WireConsumer = Readonly<{
  durable_name: string;
  description: string;
  filter_subject: string;
  ack_wait: number;
  max_ack_pending: number;
}>;

const infoOf = ({ description, createdAt }: MadeConsumer) => ({
  config: { description },
  created: new Date(createdAt).toISOString(),
});

/** When a stream was made; one without a store yet would have the year 1. */
const madeAt = { created: new Date(0).toISOString() };

export const createManager = (session: NatsSession) => {
  const { streams } = session.needs.server;
  const call = <T>(serve: () => T): Promise<T> => apiCall(session, serve);
  return {
    streams: {
      info: (name: string) =>
        call(() => {
          if (!streams.hasStream(name)) throw natsErrors.notFound('stream');
          return { ...madeAt, config: { num_replicas: 1 } };
        }),
      add: ({ name }: Readonly<{ name: string }>) => call(() => streams.addStream(name)),
    },
    consumers: {
      info: (stream: string, name: string) =>
        call(() => {
          const config = streams.consumer(stream, name);
          if (config === null) throw natsErrors.notFound('consumer');
          return infoOf(config);
        }),
      add: (stream: string, config: WireConsumer) =>
        call(() =>
          infoOf(
            streams.addConsumer(stream, {
              name: config.durable_name,
              description: config.description,
              filter: config.filter_subject,
              ackWaitMs: config.ack_wait / nanosPerMs,
              maxAckPending: config.max_ack_pending,
            }),
          ),
        ),
      delete: (stream: string, name: string) => call(() => streams.deleteConsumer(stream, name)),
    },
  };
};

/** What has arrived for one pull request, in the form of the library. */
class MessageQueue {
  #items: unknown[] = [];
  #wake: (() => void) | null = null;
  #isEnded = false;

  push(item: unknown): void {
    this.#items.push(item);
    this.#notify();
  }

  end(): void {
    this.#isEnded = true;
    this.#notify();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown> {
    for (;;) {
      while (this.#items.length > 0 && !this.#isEnded) yield this.#items.shift();
      if (this.#isEnded) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #notify(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }
}

const consume = (session: NatsSession, stream: string, name: string) => {
  const { network, machine, server } = session.needs;
  const queue = new MessageQueue();
  const { life } = machine;
  const toServer = (task: () => void): void => network.send(machine, server.machine, task);
  const toClient = (task: () => void): void =>
    network.send(server.machine, machine, () => {
      if (machine.life === life) task();
    });
  const messageOf = ({ message, deliverySequence, redelivered }: Delivered) => {
    const { sequence, subject, text } = message;
    return {
      subject,
      seq: sequence,
      redelivered,
      info: { deliverySequence },
      json: () => JSON.parse(text) as unknown,
      ack: () => toServer(() => server.streams.acknowledge(stream, name, sequence)),
      term: () => toServer(() => server.streams.acknowledge(stream, name, sequence)),
      working: () => toServer(() => server.streams.working(stream, name, sequence)),
    };
  };
  const pull: Session = {
    deliver: (delivered) => toClient(() => queue.push(messageOf(delivered))),
    ended: () => toClient(() => queue.end()),
  };
  toServer(() => server.streams.attach(stream, name, pull));
  network.watch(machine, server.machine, (isUp) => {
    if (!isUp) server.streams.detach(pull);
  });
  return Object.assign(queue, {
    stop: () => {
      queue.end();
      toServer(() => server.streams.detach(pull));
    },
  });
};

type Previous = Readonly<{ previousSeq?: number }>;

const openBucket = async (session: NatsSession, name: string, ttlMs: number | null) => {
  const { buckets } = session.needs.server;
  const call = <T>(serve: () => T): Promise<T> => apiCall(session, serve);
  await call(() => buckets.open(name, ttlMs));
  const write = (key: string, text: string | null, { previousSeq }: Previous) =>
    call(() => buckets.write(name, key, { text, previous: previousSeq ?? null }));
  return {
    status: async () => ({
      streamInfo: {
        ...madeAt,
        config: { name, num_replicas: 1, max_age: (ttlMs ?? 0) * nanosPerMs },
      },
    }),
    get: async (key: string) => {
      const entry = await call(() => buckets.get(name, key));
      if (entry === null) return null;
      const { operation, revision, text } = entry;
      return { operation, revision, key, string: () => text };
    },
    put: (key: string, text: string, previous: Previous = {}) => write(key, text, previous),
    delete: async (key: string, previous: Previous = {}) => void (await write(key, null, previous)),
  };
};

export const createJetStreamClient = (session: NatsSession) => {
  const { server } = session.needs;
  return {
    publish: (subject: string, text: string) =>
      apiCall(session, () => server.streams.publish(subject, text)),
    consumers: {
      get: (stream: string, name: string) =>
        apiCall(session, () => {
          if (server.streams.consumer(stream, name) === null) throw natsErrors.notFound('consumer');
          return { consume: async () => consume(session, stream, name) };
        }),
    },
    views: {
      kv: (name: string, { ttl }: Readonly<{ ttl?: number }>) =>
        openBucket(session, name, ttl ?? null),
    },
  };
};
