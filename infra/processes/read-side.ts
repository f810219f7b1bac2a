import { createProjections } from '../../projections/create-projections.ts';
import { createSessionUse } from '../bus/session-use.ts';
import type { Bus } from '../ports/bus.ts';
import type { EventStore } from '../ports/event-store.ts';
import { createDatabase } from '../postgres/create-database.ts';
import type { Telemetry } from '../telemetry/create-telemetry.ts';
import { createReadVault } from '../vault/create-vault.ts';
import type { Keyring } from '../vault/keyring.ts';
import { siteSessionVerifier } from '../vault/site-session-verifier.ts';
import { compressed } from './compression.ts';
import type { Runtime } from './runtime.ts';
import { verifyInChild } from './verify-in-child.ts';
import type { ServerModule } from './web-app.ts';

type Engines = Readonly<{
  eventStore: EventStore;
  bus: Bus;
  keyring: Keyring;
  telemetry: Telemetry | null;
}>;

/** The read side: projectors, feeds and the read API. */
export const readSide = (
  runtime: Runtime,
  { eventStore, bus, keyring, telemetry }: Engines,
  databaseUrl: string,
): ServerModule => {
  const { config, logger, metrics, clock } = runtime;
  const database = createDatabase({
    url: databaseUrl,
    applicationName: 'tollgate-projections',
    synchronousCommit: false,
    // Each is a process of the embedded engine: one has the lock, the others serve ticks and readers.
    ...(config.databaseUrl === null ? { maxConnections: 5 } : {}),
  });
  const projections = createProjections({
    eventStore,
    bus,
    db: database.db,
    vault: createReadVault(keyring),
    sessionVerifier: siteSessionVerifier(() => keyring),
    sessionUse: createSessionUse({ bus, clock, logger }),
    clock,
    timers: runtime.system.timers,
    logger: logger.child({ module: 'projections' }),
    metrics,
    tracing: telemetry?.log ?? null,
    verify: verifyInChild({
      databaseUrl,
      dataDir: config.dataDir,
    }),
    settings: { trustedProxies: config.trustedProxies },
  });
  return {
    name: 'projections',
    register: compressed(projections.register),
    tokenOwner: projections.tokenOwner,
    start: projections.start,
    stop: async () => {
      await projections.stop();
      await database.close();
    },
    ready: projections.ready,
  };
};
