import { join } from 'node:path';
import { createRelay, type Relay } from '../../relay/create-relay.ts';
import type { Bus } from '../ports/bus.ts';
import type { Telemetry } from '../telemetry/create-telemetry.ts';
import { createRelayKeys } from '../vault/relay-keys.ts';
import type { BodyBudget } from '../web/body-budget.ts';
import { createWorkers } from '../workers/create-workers.ts';
import { entryPath } from './entry-paths.ts';
import { orRefuse, refuse } from './refuse.ts';
import { openMetering } from './relay-metering.ts';
import type { Runtime } from './runtime.ts';

export type RelayModule = Readonly<{
  relay: Relay;
  start: () => Promise<void>;
  stop: () => Promise<void>;
  ready: () => Readonly<{ ok: boolean; detail: unknown }>;
}>;

type Plan = Readonly<{
  bus: Bus;
  bodies: BodyBudget;
  secret: string;
  telemetry: Telemetry | null;
}>;

/** The relay over its lease book, journal and shipper. */
export const assembleRelay = async (
  runtime: Runtime,
  { bus, bodies, secret, telemetry }: Plan,
): Promise<RelayModule> => {
  const { config, logger, metrics, clock, system } = runtime;
  const keys = await orRefuse(() =>
    createRelayKeys({ bus, secret, logger, onRefused: ({ message }) => void refuse(message) }),
  );
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
  const workers = createWorkers({
    filename: entryPath('infra/processes/relay-worker'),
    logger: metering.logger,
    metrics,
  });
  const relay = createRelay({
    bus,
    vault: keys.vault,
    sessionVerifier: keys.sessionVerifier,
    clock,
    timers: system.timers,
    logger: metering.logger,
    metrics,
    tracing: telemetry?.relay ?? null,
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
      await metering.start();
      await relay.start();
    },
    stop: async () => {
      await relay.stop();
      await metering.stop();
      await keys.stop();
    },
    ready: () => ({ ok: relay.ready(), detail: { relayId } }),
  };
};
