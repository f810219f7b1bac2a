import { join } from 'node:path';
import { createRelay, type Relay } from '../../relay/create-relay.ts';
import type { Bus } from '../ports/bus.ts';
import type { Foundation } from './foundation.ts';
import { openMetering } from './relay-metering.ts';

export type RelayParts = Readonly<{
  relay: Relay;
  start: () => Promise<void>;
  stop: () => Promise<void>;
  ready: () => Readonly<{ ok: boolean; detail: unknown }>;
}>;

/** The relay over its lease book, journal and shipper. */
export const assembleRelay = (foundation: Foundation, bus: Bus): RelayParts => {
  const { config, logger, metrics, vault, clock, system } = foundation;
  const metering = openMetering({
    bus,
    clock,
    system,
    logger,
    metrics,
    name: config.relayId ?? 'relay',
    directory: join(config.dataDir, 'journal'),
    leaseTtlMs: config.leaseTtlSeconds * 1_000,
  });
  const { relayId, journal, leaseBook } = metering;
  const relay = createRelay({
    bus,
    vault,
    clock,
    timers: system.timers,
    logger: metering.logger,
    metrics,
    leaseBook,
    journal,
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
      await metering.start();
      await relay.start();
    },
    stop: async () => {
      await relay.stop();
      await metering.stop();
    },
    ready: () => ({ ok: relay.ready(), detail: { relayId } }),
  };
};
