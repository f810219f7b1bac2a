import type { Bus, FeedEntry, Stop } from '../../ports/bus.ts';
import type { Logger } from '../../ports/logger.ts';
import { mayRelayPublish, mayRelaySubscribe } from '../keeper-subjects.ts';
import type { Channel } from './channel.ts';
import { createPeer, type Peer } from './peer.ts';
import {
  type BusCalls,
  type BusNotes,
  type ClientCalls,
  dispatch,
  type Handlers,
  packed,
  unpacked,
} from './protocol.ts';

/** One message carries this many feed entries, so that no process is blocked for long. */
const entriesPerNote = 2_000;

/** Subscriptions of one client, until it disconnects or connects again. */
type Session = { ended: boolean; readonly stops: Map<number, Stop> };
const newSession = (): Session => ({ ended: false, stops: new Map() });

const keep = async (session: Session, id: number, stop: Stop): Promise<void> => {
  if (session.ended) await stop();
  else session.stops.set(id, stop);
};

const sendEntries = (peer: Peer, id: number, entries: readonly FeedEntry<unknown>[]): void => {
  for (let from = 0; from < entries.length; from += entriesPerNote) {
    peer.note('entries', { id, entries: entries.slice(from, from + entriesPerNote) });
  }
};

const refusal = (subject: string): Error => new Error(`${subject} is for account keepers alone`);

const subscriptionHandlers = (bus: Bus, peer: () => Peer, session: () => Session) => {
  const call = <M extends keyof ClientCalls>(method: M, body: ClientCalls[M]): Promise<unknown> =>
    peer().call(method, body);
  return {
    watch: async ({ id, feed }: BusCalls['watch']) => {
      const opened = session();
      const watch = await bus.feed(feed).watch((entries) => sendEntries(peer(), id, entries));
      await keep(opened, id, watch.stop);
      await watch.ready;
    },
    serve: async ({ id, subject }: BusCalls['serve']) => {
      if (!mayRelayPublish(subject)) throw refusal(subject);
      const opened = session();
      const stop = await bus.serve(subject, (body) => call('answer', { id, body }));
      await keep(opened, id, stop);
    },
    subscribe: async ({ id, subject }: BusCalls['subscribe']) => {
      if (!mayRelaySubscribe(subject)) throw refusal(subject);
      const opened = session();
      const stop = await bus.subscribe(subject, (body) => peer().note('message', { id, body }));
      await keep(opened, id, stop);
    },
    consume: async ({ id, queue, partitions }: BusCalls['consume']) => {
      const opened = session();
      const stop = await bus.queue(queue).consume(
        partitions,
        async (items, partition) => {
          await call('handle', { id, partition, ...packed(items) });
        },
        { onLost: (partition) => peer().note('lost', { id, partition }) },
      );
      await keep(opened, id, stop);
    },
    stop: async ({ id }: BusCalls['stop']) => {
      const { stops } = session();
      const stop = stops.get(id);
      stops.delete(id);
      await stop?.();
    },
  };
};

const callHandlers = (bus: Bus) => {
  const bucket = ({ bucket: name, ttlSeconds }: BusCalls['kv.get']) =>
    bus.keyValue(name, { ttlSeconds });
  return {
    'feed.put': async ({ feed, entries }: BusCalls['feed.put']) => {
      // The other end verifies sessions: a second key would let it sign them.
      if (feed === 'keys') throw new Error('keys are sent by the control plane only');
      await bus.feed(feed).put(entries);
    },
    'feed.get': ({ feed, key }: BusCalls['feed.get']) => bus.feed(feed).get(key),
    'queue.publish': ({ queue, partition, ...items }: BusCalls['queue.publish']) =>
      bus.queue(queue).publish(partition, unpacked(items)),
    'kv.get': (body: BusCalls['kv.get']) => bucket(body).get(body.key),
    'kv.put': (body: BusCalls['kv.put']) => bucket(body).put(body.key, body.value),
    'kv.create': (body: BusCalls['kv.create']) => bucket(body).create(body.key, body.value),
    'kv.replace': (body: BusCalls['kv.replace']) =>
      bucket(body).replace(body.key, body.held, body.value),
    'kv.remove': (body: BusCalls['kv.remove']) => bucket(body).remove(body.key),
    'kv.increment': (body: BusCalls['kv.increment']) => bucket(body).increment(body.key, body.by),
    request: ({ subject, body, timeoutMs }: BusCalls['request']) =>
      bus.request(subject, body, { timeoutMs }),
  };
};

/**
 * Lets the process at the other end of `channel` use `bus` through `connectBus`. What it watches,
 * serves and consumes ends with the connection.
 */
export const serveBus = (bus: Bus, channel: Channel, logger: Logger): Readonly<{ stop: Stop }> => {
  let session = newSession();

  const endSession = async (): Promise<void> => {
    const ended = session;
    ended.ended = true;
    session = newSession();
    for (const stop of ended.stops.values()) {
      await stop().catch((err: unknown) =>
        logger.error({ err }, 'a bus subscription did not stop'),
      );
    }
  };

  const calls: Handlers<BusCalls, Promise<unknown>> = {
    ...callHandlers(bus),
    ...subscriptionHandlers(
      bus,
      () => peer,
      () => session,
    ),
  };
  const notes: Handlers<BusNotes, void> = {
    publish: ({ subject, body }) => {
      if (mayRelayPublish(subject)) bus.publish(subject, body);
      else logger.error({ subject }, 'published by account keepers alone');
    },
  };

  const peer: Peer = createPeer(channel, {
    onCall: async (method, body) => dispatch(calls, method, body),
    onNote: (method, body) => dispatch(notes, method, body),
    // A client that connects starts with an empty state; the answer confirms that the bus is there.
    onHello: () => {
      void endSession();
      peer.hello();
    },
    onClose: () => void endSession(),
  });
  peer.hello();

  return {
    stop: async () => {
      peer.close();
      await endSession();
    },
  };
};
