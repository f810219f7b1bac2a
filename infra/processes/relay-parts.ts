import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createLeaseBook } from '../../relay/admission/lease-book.ts';
import { createRelay, type Relay } from '../../relay/create-relay.ts';
import { openJournal } from '../../relay/metering/journal.ts';
import { createShipper } from '../../relay/metering/shipper.ts';
import type { Bus } from '../ports/bus.ts';
import { createRelayKeys } from '../vault/relay-keys.ts';
import type { BodyBudget } from '../web/body-budget.ts';
import { createWorkers } from '../workers/create-workers.ts';
import { workerEntry } from './entries.ts';
import type { Foundation } from './foundation.ts';
import { orRefuse, refuse } from './refuse.ts';

export type RelayParts = Readonly<{
  relay: Relay;
  start: () => Promise<void>;
  stop: () => Promise<void>;
  ready: () => Readonly<{ ok: boolean; detail: unknown }>;
}>;

/** The relay with its lease book, journal and shipper, wired in the order in which they depend. */
export const assembleRelay = async (
  foundation: Foundation,
  { bus, bodies, secret }: Readonly<{ bus: Bus; bodies: BodyBudget; secret: string }>,
): Promise<RelayParts> => {
  const { config, logger, metrics, clock } = foundation;
  const keys = await orRefuse(() =>
    createRelayKeys({ bus, secret, logger, onRefused: ({ message }) => void refuse(message) }),
  );
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
  const workers = createWorkers({
    entry: workerEntry('infra/processes/relay-worker'),
    logger: log,
    metrics,
  });
  const relay = createRelay({
    bus,
    vault: keys.vault,
    sessionVerifier: keys.sessionVerifier,
    clock,
    logger: log,
    metrics,
    leaseBook,
    journal,
    workers,
    bodies,
    settings: {
      trustedProxies: config.trustedProxies,
      maxBodyBytes: config.maxBodyMb * 1024 * 1024,
      streamIdleTimeoutMs: config.streamingIdleTimeoutSeconds * 1_000,
      headersTimeoutMs: config.upstreamHeadersTimeoutSeconds * 1_000,
      drainMs: config.drainSeconds * 1_000,
      translation: {
        maxBytes: config.translatedMaxBodyMb * 1024 * 1024,
        maxMessages: config.translatedMaxMessages,
      },
    },
  });
  keys.onChange(relay.reopenChannels);
  return {
    relay,
    start: async () => {
      await orRefuse(keys.start);
      await shipper.start();
      await leaseBook.start();
      await relay.start();
    },
    stop: async () => {
      await relay.stop();
      await leaseBook.stop();
      await shipper.stop();
      await journal.close();
      await keys.stop();
    },
    ready: () => ({ ok: relay.ready(), detail: { relayId } }),
  };
};
