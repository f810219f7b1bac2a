import { createLeaseBook, type LeaseBook } from '../../relay/admission/lease-book.ts';
import { openJournal, type ShippableJournal } from '../../relay/settlement/journal.ts';
import { createShipper } from '../../relay/settlement/shipper.ts';
import type { Bus } from '../ports/bus.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { System } from '../system/node-system.ts';

export type MeteringPlan = Readonly<{
  bus: Bus;
  clock: Clock;
  system: System;
  logger: Logger;
  metrics: Metrics;
  /** Of the relay; its instance adds a random mark. */
  name: string;
  /** Of the journals of all instances of this machine. */
  directory: string;
  leaseTtlMs: number;
  /** A lease that is unused for this long goes back; the lease book's default when absent. */
  idleMs?: number;
  /** Bytes of one journal file; the journal's default when absent. */
  segmentBytes?: number;
}>;

export type Metering = Readonly<{
  relayId: string;
  logger: Logger;
  journal: ShippableJournal;
  leaseBook: LeaseBook;
  start: () => Promise<void>;
  stop: () => Promise<void>;
}>;

/** Lease book, journal and shipper of one relay instance, wired in the order in which they depend. */
export const openMetering = (plan: MeteringPlan): Metering => {
  const { bus, clock, metrics, idleMs, segmentBytes } = plan;
  const { timers, random, files, processTable } = plan.system;
  const relayId = `${plan.name}-${Buffer.from(random.bytes(6)).toString('hex')}`;
  const logger = plan.logger.child({ relayId });
  const journal = openJournal({
    directory: plan.directory,
    relayId,
    clock,
    timers,
    files,
    processTable,
    logger,
    metrics,
    ...(segmentBytes === undefined ? {} : { segmentBytes }),
  });
  const shipper = createShipper({ journal, bus, timers, logger, metrics });
  const leaseBook = createLeaseBook({
    bus,
    relayId,
    journal,
    timers,
    logger,
    metrics,
    termMs: plan.leaseTtlMs,
    ...(idleMs === undefined ? {} : { idleMs }),
  });
  return {
    relayId,
    logger,
    journal,
    leaseBook,
    start: async () => {
      await shipper.start();
      await leaseBook.start();
    },
    stop: async () => {
      await leaseBook.stop();
      journal.endProducers();
      await shipper.stop();
      await journal.close();
    },
  };
};
