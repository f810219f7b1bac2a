import type { RequestStarted } from '../../domain/account/messages.ts';
import { accountPartitions } from '../../domain/account/messages.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { LeaseWatch } from './lease-watch.ts';
import { withoutTexts } from './redact.ts';

type Settings = Readonly<{ bus: Bus; watch: LeaseWatch; logger: Logger }>;

/** A list is kept until its relay has long been heard or closed. */
const ttlSeconds = 3_600;
/** The list of one partition stays well below the largest message of the bus. */
const maxList = 2_000;

/**
 * The requests in flight of a partition are passed from keeper to keeper through a bucket. A lost
 * list harms no account: its quota returns with the lease, and the journal of the relay names it.
 */
export const createHandOver = ({ bus, watch, logger }: Settings) => {
  const bucket = bus.keyValue('keeper-open-requests', { ttlSeconds });

  const orLeave = async (partition: number, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      logger.warn({ partition, error: String(error) }, 'open requests were not handed over');
    }
  };

  return {
    give: (partition: number): Promise<void> =>
      orLeave(partition, async () => {
        const open = watch.takeOpen((userId) => userId % accountPartitions === partition);
        if (open.length === 0) return;
        // The tasks among them are in the log already; their requests stay out of here.
        await bucket.put(String(partition), open.slice(-maxList).map(withoutTexts));
      }),

    receive: (partition: number): Promise<void> =>
      orLeave(partition, async () => {
        const open = await bucket.get<readonly RequestStarted[]>(String(partition));
        if (open === null || !(await bucket.remove(String(partition)))) return;
        for (const started of open) watch.follow(started);
      }),
  };
};
