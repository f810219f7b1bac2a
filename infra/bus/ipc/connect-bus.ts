import { type Bus, BusUnavailableError, type FeedEntry, type Stop } from '../../ports/bus.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Timers } from '../../ports/timers.ts';
import { nodeTimers } from '../../system/timers.ts';
import { answeredInTime, defaultRequestTimeoutMs } from '../memory/memory-messages.ts';
import type { Channel } from './channel.ts';
import { createPeer, type Peer } from './peer.ts';
import {
  type BusCalls,
  type ClientCalls,
  type ClientNotes,
  dispatch,
  type Handlers,
  packed,
  unpacked,
} from './protocol.ts';

/** A bus in another process. It may end and return: `attach` the new connection. */
export type BusConnection = Bus & Readonly<{ attach: (channel: Channel) => void }>;

type SubscriptionMethod = 'watch' | 'serve' | 'subscribe' | 'consume';
type Subscription = Readonly<{
  method: SubscriptionMethod;
  body: object;
  onEntries?: (entries: readonly FeedEntry<unknown>[]) => void;
  onMessage?: (body: unknown) => void;
  onAnswer?: (body: unknown) => Promise<unknown>;
  onHandle?: (items: readonly unknown[], partition: number) => Promise<void>;
  onLost?: (partition: number) => void;
  onAnnounced?: () => void;
}>;

const isUnavailable = (error: unknown): boolean => error instanceof BusUnavailableError;
/** Short work of the other side; longer means that it hangs. */
const callTimeoutMs = 10_000;

/** The connection, and the subscriptions that are announced again on each new channel. */
const createConnection = (logger: Logger, timers: Timers) => {
  const subscriptions = new Map<number, Subscription>();
  let lastId = 0;
  let peer: Peer | null = null;
  let connected = false;

  const call = <M extends keyof BusCalls>(
    method: M,
    body: BusCalls[M],
    subject: string = method,
  ): Promise<unknown> => {
    if (peer === null || !connected) return Promise.reject(new BusUnavailableError(subject));
    return peer.call(method, body);
  };

  const announce = async (id: number, subscription: Subscription): Promise<void> => {
    await call(subscription.method, { ...subscription.body, id } as BusCalls[SubscriptionMethod]);
    subscription.onAnnounced?.();
  };

  const announceAll = (): void => {
    for (const [id, subscription] of subscriptions) {
      announce(id, subscription).catch((err: unknown) => {
        if (!isUnavailable(err))
          logger.error({ err, method: subscription.method }, 'a bus subscription was refused');
      });
    }
  };

  const calls: Handlers<ClientCalls, Promise<unknown>> = {
    answer: async ({ id, body }) => {
      const answer = subscriptions.get(id)?.onAnswer;
      if (answer === undefined) throw new BusUnavailableError(`subscription ${id}`);
      return answer(body);
    },
    handle: async ({ id, partition, ...items }) => {
      const handle = subscriptions.get(id)?.onHandle;
      if (handle === undefined) throw new BusUnavailableError(`subscription ${id}`);
      await handle(unpacked(items), partition);
    },
  };
  const notes: Handlers<ClientNotes, void> = {
    entries: ({ id, entries }) => subscriptions.get(id)?.onEntries?.(entries),
    message: ({ id, body }) => subscriptions.get(id)?.onMessage?.(body),
    lost: ({ id, partition }) => subscriptions.get(id)?.onLost?.(partition),
  };

  const detach = (): void => {
    peer?.close();
    peer = null;
    connected = false;
  };

  return {
    call,
    detach,
    timers,
    note: (subject: string, body: unknown): void => {
      if (connected) peer?.note('publish', { subject, body });
    },
    attach: (channel: Channel): void => {
      detach();
      const attached = createPeer(channel, {
        onCall: async (method, body) => dispatch(calls, method, body),
        onNote: (method, body) => {
          try {
            dispatch(notes, method, body);
          } catch (err) {
            logger.error({ err, method }, 'a bus listener failed');
          }
        },
        onHello: () => {
          if (connected || peer !== attached) return;
          connected = true;
          announceAll();
        },
        onClose: () => {
          if (peer === attached) detach();
        },
      });
      peer = attached;
      attached.hello();
    },
    /** Lasts over reconnects; may be called while no channel is attached. */
    subscribe: async (subscription: Subscription): Promise<Stop> => {
      lastId += 1;
      const id = lastId;
      subscriptions.set(id, subscription);
      try {
        await announce(id, subscription);
      } catch (error) {
        if (!isUnavailable(error)) {
          subscriptions.delete(id);
          throw error;
        }
      }
      return async () => {
        if (!subscriptions.delete(id)) return;
        await call('stop', { id }).catch((error: unknown) => {
          if (!isUnavailable(error)) throw error;
        });
      };
    },
  };
};
type Connection = ReturnType<typeof createConnection>;

/** The answer of a call that is short work on the other side. */
const callWithTimeout = async <T>(
  connection: Connection,
  ...call: Parameters<Connection['call']>
): Promise<T> =>
  (await answeredInTime(connection.call(...call), {
    subject: call[2] ?? call[0],
    timeoutMs: callTimeoutMs,
    timers: connection.timers,
  })) as T;

const connectFeed =
  (connection: Connection): Bus['feed'] =>
  (feed) => ({
    put: async (entries) => void (await connection.call('feed.put', { feed, entries })),
    get: (key) => callWithTimeout(connection, 'feed.get', { feed, key }),
    watch: async (onEntries) => {
      let announced: () => void = () => undefined;
      const ready = new Promise<void>((resolve) => {
        announced = resolve;
      });
      const started = connection.subscribe({
        method: 'watch',
        body: { feed },
        onEntries: (entries) => onEntries(entries as Parameters<typeof onEntries>[0]),
        onAnnounced: () => announced(),
      });
      return { ready, stop: await started };
    },
  });

const connectKeyValue =
  (connection: Connection): Bus['keyValue'] =>
  (bucket, { ttlSeconds }) => {
    const at = (key: string) => ({ bucket, ttlSeconds, key });
    return {
      get: (key) => callWithTimeout(connection, 'kv.get', at(key)),
      put: (key, value) => callWithTimeout(connection, 'kv.put', { ...at(key), value }),
      create: (key, value) => callWithTimeout(connection, 'kv.create', { ...at(key), value }),
      replace: (key, held, value) =>
        callWithTimeout(connection, 'kv.replace', { ...at(key), held, value }),
      remove: (key) => callWithTimeout(connection, 'kv.remove', at(key)),
      increment: (key, by) => callWithTimeout(connection, 'kv.increment', { ...at(key), by }),
    };
  };

/**
 * Reaches the bus that `serveBus` holds at the other end. While none is attached, calls reject
 * with BusUnavailableError at once and subscriptions wait; publishes without an acknowledgement
 * reject when the connection breaks, so that the journal of the publisher sends them again.
 */
export const connectBus = (
  options: Readonly<{ logger: Logger; channel?: Channel; timers?: Timers }>,
): BusConnection => {
  const { timers = nodeTimers } = options;
  const connection = createConnection(options.logger, timers);
  if (options.channel !== undefined) connection.attach(options.channel);
  return {
    attach: connection.attach,
    feed: connectFeed(connection),
    // The process that holds the bus puts the feeds itself.
    onFeedLoss: () => () => undefined,
    queue: (queue) => ({
      // Not async: its frame would reference the items until the answer arrives.
      publish: (partition, items) =>
        connection
          .call('queue.publish', { queue, partition, ...packed(items) }, `${queue}.${partition}`)
          .then(() => undefined),
      consume: (partitions, handler, { onLost = () => undefined } = {}) =>
        connection.subscribe({
          method: 'consume',
          body: { queue, partitions },
          onLost,
          onHandle: (items, partition) =>
            handler(items as Parameters<typeof handler>[0], partition),
        }),
    }),
    keyValue: connectKeyValue(connection),
    request: async <Req, Res>(
      subject: string,
      body: Req,
      { timeoutMs = defaultRequestTimeoutMs }: Readonly<{ timeoutMs?: number }> = {},
    ) => {
      const answer = connection.call('request', { subject, body, timeoutMs }, subject);
      return (await answeredInTime(answer, { subject, timeoutMs, timers })) as Res;
    },
    serve: <Req, Res>(subject: string, handler: (body: Req) => Promise<Res>) =>
      connection.subscribe({
        method: 'serve',
        body: { subject },
        onAnswer: (body) => handler(body as Req),
      }),
    publish: (subject, body) => connection.note(subject, body),
    subscribe: <T>(subject: string, handler: (body: T) => void) =>
      connection.subscribe({
        method: 'subscribe',
        body: { subject },
        onMessage: (body) => handler(body as T),
      }),
    close: async () => connection.detach(),
  };
};
