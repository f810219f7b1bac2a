import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createLeaseBook } from '../../relay/admission/lease-book.ts';
import { createRelay, type Relay } from '../../relay/create-relay.ts';
import { openJournal } from '../../relay/metering/journal.ts';
import { createShipper } from '../../relay/metering/shipper.ts';
import type { Bus } from '../ports/bus.ts';
import type { BodyBudget } from '../web/body-budget.ts';
import type { Foundation } from './foundation.ts';

export type RelayParts = Readonly<{
  relay: Relay;
  start: () => Promise<void>;
  stop: () => Promise<void>;
  ready: () => Readonly<{ ok: boolean; detail: unknown }>;
}>;

/** The relay with its lease book, journal and shipper, wired in the order in which they depend. */
export const assembleRelay = (
  foundation: Foundation,
  { bus, bodies }: Readonly<{ bus: Bus; bodies: BodyBudget }>,
): RelayParts => {
  const { config, logger, metrics, vault, clock } = foundation;
  const relayId = `${config.relayId ?? 'relay'}-${randomBytes(6).toString('hex')}`;
  const log = logger.child({ relayId });
  const journal = openJournal({
    directory: join(config.dataDir, 'journal'),
    relayId,
    clock,
    logger: log,
  });
  const shipper = createShipper({ journal, bus, logger: log, metrics });
  const leaseBook = createLeaseBook({
    bus,
    relayId,
    journal,
    clock,
    logger: log,
    metrics,
    // Three beats may be lost before the leases are.
    heartbeatMs: Math.min(5_000, (config.leaseTtlSeconds * 1_000) / 4),
  });
  const relay = createRelay({
    bus,
    vault,
    clock,
    logger: log,
    metrics,
    leaseBook,
    journal,
    bodies,
    settings: {
      trustedProxies: config.trustedProxies,
      maxBodyBytes: config.maxBodyMb * 1024 * 1024,
      streamIdleTimeoutMs: config.streamingIdleTimeoutSeconds * 1_000,
      headersTimeoutMs: config.upstreamHeadersTimeoutSeconds * 1_000,
      drainMs: config.drainSeconds * 1_000,
    },
  });
  return {
    relay,
    start: async () => {
      await shipper.start();
      await leaseBook.start();
      await relay.start();
    },
    stop: async () => {
      await relay.stop();
      await leaseBook.stop();
      await shipper.stop();
      await journal.close();
    },
    ready: () => ({ ok: relay.ready(), detail: { relayId } }),
  };
};
