import { type Bus, BusUnavailableError, type FeedEntry, type Stop } from '../../ports/bus.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Timers } from '../../ports/timers.ts';
import { nodeTimers } from '../../system/timers.ts';
import { answeredInTime, defaultRequestTimeoutMs } from '../memory/memory-messages.ts';
import type { Channel } from './channel.ts';
import { createPeer, type Peer } from './peer.ts';
import {
  type BusCalls,
  dispatch,
  type Handlers,
  packed,
  type UserCalls,
  type UserNotes,
  unpacked,
} from './protocol.ts';

/** A bus that lives in another process. It may go and come back: `attach` the new line. */
export type BusConnection = Bus & Readonly<{ attach: (channel: Channel) => void }>;

type StandingMethod = 'watch' | 'serve' | 'subscribe' | 'consume';
type Order = Readonly<{
  method: StandingMethod;
  body: object;
  onEntries?: (entries: readonly FeedEntry<unknown>[]) => void;
  onHeard?: (body: unknown) => void;
  onAnswer?: (body: unknown) => Promise<unknown>;
  onHandle?: (items: readonly unknown[], partition: number) => Promise<void>;
  onAnnounced?: () => void;
}>;

const isUnavailable = (error: unknown): boolean => error instanceof BusUnavailableError;
/** Short work of the other side; longer means that it hangs. */
const callTimeoutMs = 10_000;

/** The line itself: who is attached, and what is to be announced again on a new one. */
const createLine = (logger: Logger, timers: Timers) => {
  const orders = new Map<number, Order>();
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

  const announce = async (id: number, order: Order): Promise<void> => {
    await call(order.method, { ...order.body, id } as BusCalls[StandingMethod]);
    order.onAnnounced?.();
  };

  const announceAll = (): void => {
    for (const [id, order] of orders) {
      announce(id, order).catch((err: unknown) => {
        if (!isUnavailable(err)) logger.error({ err, method: order.method }, 'bus order refused');
      });
    }
  };

  const calls: Handlers<UserCalls, Promise<unknown>> = {
    answer: async ({ id, body }) => {
      const answer = orders.get(id)?.onAnswer;
      if (answer === undefined) throw new BusUnavailableError(`order ${id}`);
      return answer(body);
    },
    handle: async ({ id, partition, ...items }) => {
      const handle = orders.get(id)?.onHandle;
      if (handle === undefined) throw new BusUnavailableError(`order ${id}`);
      await handle(unpacked(items), partition);
    },
  };
  const notes: Handlers<UserNotes, void> = {
    entries: ({ id, entries }) => orders.get(id)?.onEntries?.(entries),
    heard: ({ id, body }) => orders.get(id)?.onHeard?.(body),
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
    /** Holds from now on over every line; nobody attached is no error. */
    order: async (order: Order): Promise<Stop> => {
      lastId += 1;
      const id = lastId;
      orders.set(id, order);
      try {
        await announce(id, order);
      } catch (error) {
        if (!isUnavailable(error)) {
          orders.delete(id);
          throw error;
        }
      }
      return async () => {
        if (!orders.delete(id)) return;
        await call('stop', { id }).catch((error: unknown) => {
          if (!isUnavailable(error)) throw error;
        });
      };
    },
  };
};
type Line = ReturnType<typeof createLine>;

/** The answer of a call that is short work on the other side. */
const shortly = async <T>(line: Line, ...call: Parameters<Line['call']>): Promise<T> =>
  (await answeredInTime(line.call(...call), {
    subject: call[2] ?? call[0],
    timeoutMs: callTimeoutMs,
    timers: line.timers,
  })) as T;

const connectFeed =
  (line: Line): Bus['feed'] =>
  (feed) => ({
    put: async (entries) => void (await line.call('feed.put', { feed, entries })),
    get: (key) => shortly(line, 'feed.get', { feed, key }),
    watch: async (onEntries) => {
      let announced: () => void = () => undefined;
      const ready = new Promise<void>((resolve) => {
        announced = resolve;
      });
      const started = line.order({
        method: 'watch',
        body: { feed },
        onEntries: (entries) => onEntries(entries as Parameters<typeof onEntries>[0]),
        onAnnounced: () => announced(),
      });
      return { ready, stop: await started };
    },
  });

const connectKeyValue =
  (line: Line): Bus['keyValue'] =>
  (bucket, { ttlSeconds }) => {
    const at = (key: string) => ({ bucket, ttlSeconds, key });
    return {
      get: (key) => shortly(line, 'kv.get', at(key)),
      put: (key, value) => shortly(line, 'kv.put', { ...at(key), value }),
      create: (key, value) => shortly(line, 'kv.create', { ...at(key), value }),
      remove: (key) => shortly(line, 'kv.remove', at(key)),
      increment: (key, by) => shortly(line, 'kv.increment', { ...at(key), by }),
    };
  };

/**
 * Reaches the bus that `serveBus` holds at the other end. While nobody is attached, calls reject
 * with BusUnavailableError at once and standing orders wait; publishes without an acknowledgement
 * reject when the line breaks, so that the journal of the publisher sends them again.
 */
export const connectBus = (
  options: Readonly<{ logger: Logger; channel?: Channel; timers?: Timers }>,
): BusConnection => {
  const { timers = nodeTimers } = options;
  const line = createLine(options.logger, timers);
  if (options.channel !== undefined) line.attach(options.channel);
  return {
    attach: line.attach,
    feed: connectFeed(line),
    queue: (queue) => ({
      // Not async: its frame would hold on to the items until the answer comes.
      publish: (partition, items) =>
        line
          .call('queue.publish', { queue, partition, ...packed(items) }, `${queue}.${partition}`)
          .then(() => undefined),
      consume: (partitions, handler) =>
        line.order({
          method: 'consume',
          body: { queue, partitions },
          onHandle: (items, partition) =>
            handler(items as Parameters<typeof handler>[0], partition),
        }),
    }),
    keyValue: connectKeyValue(line),
    request: async <Req, Res>(
      subject: string,
      body: Req,
      { timeoutMs = defaultRequestTimeoutMs }: Readonly<{ timeoutMs?: number }> = {},
    ) => {
      const answer = line.call('request', { subject, body, timeoutMs }, subject);
      return (await answeredInTime(answer, { subject, timeoutMs, timers })) as Res;
    },
    serve: <Req, Res>(subject: string, handler: (body: Req) => Promise<Res>) =>
      line.order({
        method: 'serve',
        body: { subject },
        onAnswer: (body) => handler(body as Req),
      }),
    publish: (subject, body) => line.note(subject, body),
    subscribe: <T>(subject: string, handler: (body: T) => void) =>
      line.order({
        method: 'subscribe',
        body: { subject },
        onHeard: (body) => handler(body as T),
      }),
    close: async () => line.detach(),
  };
};
