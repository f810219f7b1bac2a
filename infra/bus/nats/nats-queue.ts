import { RetentionPolicy } from 'nats';
import type { Queue } from '../../ports/bus.ts';
import { isNotFound, type NatsLink, reaching } from './nats-link.ts';
import { readPartition } from './nats-partition-reader.ts';

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
    const { config } = await streams.info(stream);
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

/**
 * A JetStream work queue with a subject and a consumer for each partition. A message holds a whole
 * batch of items, stays until its handler is done, and survives the server.
 */
export const createNatsQueue = (
  link: NatsLink,
  name: string,
): Queue<unknown> & Readonly<{ ensure: () => Promise<void> }> => {
  const stream = `${link.namespace}-${name}`;
  let ensured: Promise<void> | null = null;
  link.onReconnect(() => {
    ensured = null;
  });
  const ensure = (): Promise<void> => {
    if (!link.creates) return Promise.resolve();
    ensured ??= ensureStream(link, stream).catch((error: unknown) => {
      ensured = null;
      throw error;
    });
    return ensured;
  };

  const publish = async (partition: number, items: readonly unknown[]): Promise<void> => {
    await ensure();
    const sent = toMessages(items).map((text) =>
      link.jetStream.publish(`${stream}.${partition}`, text),
    );
    await Promise.all(sent);
  };

  return {
    ensure: () => reaching(link, name, ensure),
    publish: async (partition, items) => {
      if (items.length === 0) return;
      await reaching(link, `${name}.${partition}`, () => publish(partition, items));
    },
    consume: async (partitions, handler) => {
      await reaching(link, name, ensure);
      const owner = link.system.random.uuid();
      const readers = partitions.map((partition) =>
        readPartition(link, { stream, partition, owner, handler, ensure }),
      );
      await Promise.all(readers.map(({ started }) => started));
      return async () => {
        await Promise.all(readers.map(({ stop }) => stop()));
      };
    },
  };
};
