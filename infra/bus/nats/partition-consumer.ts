import { AckPolicy, type Consumer, DeliverPolicy, nanos } from 'nats';
import { isNotFound, type NatsLink, reaching } from './nats-link.ts';

type Options = Readonly<{
  stream: string;
  partition: number;
  /** Distinguishes this reader from the one that takes the partition over. */
  owner: string;
  /** Makes the stream where it is missing; a server may be empty after a restart. */
  ensure: () => Promise<void>;
}>;

/** Milliseconds after which an unacknowledged message would go to another session. */
export const ackWaitMs = 30_000;
/** Messages held by the reader of a partition. */
export const messagesInHand = 64;

export type PartitionConsumer = Readonly<{
  /**
   * Makes the consumer of the partition again. It starts at the oldest message that is not yet
   * acknowledged, which keeps the order, and cuts off the consumer that read the partition before.
   */
  takeOver: () => Promise<Consumer>;
  /** Another reader has made the consumer again since this one did. */
  isTaken: () => Promise<boolean>;
}>;

export const createPartitionConsumer = (
  link: NatsLink,
  { stream, partition, owner, ensure }: Options,
): PartitionConsumer => {
  const name = `partition-${partition}`;
  const subject = `${stream}.${partition}`;
  const { consumers } = link.manager;
  /** When the consumer of this reader was made, by the server's clock; null: it never was. */
  let madeAt: number | null = null;

  const make = async (): Promise<Consumer> => {
    await ensure();
    await consumers.delete(stream, name).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
    const { created } = await consumers.add(stream, {
      durable_name: name,
      description: owner,
      filter_subject: subject,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(ackWaitMs),
      max_ack_pending: messagesInHand,
      max_deliver: -1,
    });
    madeAt = Date.parse(created);
    return link.jetStream.consumers.get(stream, name);
  };

  return {
    takeOver: () => reaching(link, subject, make),
    isTaken: async () => {
      if (madeAt === null) return false;
      try {
        const { config, created } = await reaching(link, subject, () =>
          consumers.info(stream, name),
        );
        // An older one belongs to a state that the server restarted with: its reader is gone.
        return config.description !== owner && Date.parse(created) >= madeAt;
      } catch {
        // There is none, or no answer: taking over again is right in both cases.
        return false;
      }
    },
  };
};
