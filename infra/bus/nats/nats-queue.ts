import { RetentionPolicy } from 'nats';
import type { Queue } from '../../ports/bus.ts';
import { isNotFound, type NatsLink, reaching } from './nats-link.ts';
import { readPartition } from './nats-partition-reader.ts';
import { infoOnceSetUp, madeOnce } from './nats-stream.ts';

/** Bytes of one message; servers take 1 MiB by default. */
const maxMessageBytes = 512 * 1024;

/** JSON texts of parts that each fit into a message; an item that does not fit goes alone. */
const toMessages = (items: readonly unknown[]): readonly string[] => {
  const text = JSON.stringify(items);
  if (items.length < 2 || Buffer.byteLength(text) <= maxMessageBytes) return [text];
  const middle = Math.ceil(items.length / 2);
  return [...toMessages(items.slice(0, middle)), ...toMessages(items.slice(middle))];
};

const ensureStream = async (link: NatsLink, stream: string): Promise<void> => {
  const { streams } = link.manager;
  try {
    const { config } = await infoOnceSetUp(link.system.timers, () => streams.info(stream));
    if (config.num_replicas === link.replicas) return;
    await streams.update(stream, { num_replicas: link.replicas });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await streams.add({
      name: stream,
      subjects: [`${stream}.*`],
      retention: RetentionPolicy.Workqueue,
      num_replicas: link.replicas,
    });
  }
};

/** `make` checks for the stream and makes it where it is missing; `ensure` does so when it must. */
const keepStream = (link: NatsLink, stream: string) => {
  let isThere = false;
  let making: Promise<void> | null = null;
  const forget = (): void => {
    isThere = false;
    making = null;
  };
  link.onReconnect(forget);
  const make = (): Promise<void> => {
    if (!link.creates) return Promise.resolve();
    if (making !== null) return making;
    const begun = madeOnce(() => ensureStream(link, stream)).then(
      () => {
        if (making !== begun) return;
        isThere = true;
        making = null;
      },
      (error: unknown) => {
        if (making === begun) forget();
        throw error;
      },
    );
    making = begun;
    return begun;
  };
  return { make, forget, ensure: () => (isThere ? Promise.resolve() : make()) };
};

/**
 * A JetStream work queue with a subject and a consumer for each partition. A message holds a whole
 * batch of items, stays until its handler is done, and survives the server.
 */
export const createNatsQueue = (
  link: NatsLink,
  name: string,
): Queue<unknown> & Readonly<{ ensure: () => Promise<void> }> => {
  const stream = `${link.namespace}-${name}`;
  const { make, forget, ensure } = keepStream(link, stream);

  const publish = async (partition: number, items: readonly unknown[]): Promise<void> => {
    await ensure();
    const sent = toMessages(items).map((text) =>
      link.jetStream.publish(`${stream}.${partition}`, text),
    );
    await Promise.all(sent).catch((error: unknown) => {
      forget();
      throw error;
    });
  };

  return {
    ensure: () => reaching(link, name, ensure),
    publish: async (partition, items) => {
      if (items.length === 0) return;
      await reaching(link, `${name}.${partition}`, () => publish(partition, items));
    },
    consume: async (partitions, handler, { onLost = () => undefined } = {}) => {
      await reaching(link, name, ensure);
      const owner = link.system.random.uuid();
      const readers = partitions.map((partition) =>
        readPartition(link, { stream, partition, owner, handler, ensure: make, onLost }),
      );
      await Promise.all(readers.map(({ started }) => started));
      return async () => {
        await Promise.all(readers.map(({ stop }) => stop()));
      };
    },
  };
};
