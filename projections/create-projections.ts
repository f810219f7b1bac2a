import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Bus, Stop } from '../infra/ports/bus.ts';
import type { Clock } from '../infra/ports/clock.ts';
import type { EventStore } from '../infra/ports/event-store.ts';
import type { Logger } from '../infra/ports/logger.ts';
import type { Metrics } from '../infra/ports/metrics.ts';
import type { SessionUse, SessionVerifier } from '../infra/ports/sessions.ts';
import type { Timers } from '../infra/ports/timers.ts';
import type { LogTracing } from '../infra/ports/tracing.ts';
import type { ReadVault } from '../infra/ports/vault.ts';
import type { Verify } from '../infra/ports/verify.ts';
import { createClientAddress } from '../infra/web/client-address.ts';
import { allProjectors } from './all-projectors.ts';
import { auditTrailRoutes } from './audit-trail/routes.ts';
import { channelCostsRoutes } from './channel-costs/routes.ts';
import { serveChannelFigures } from './channel-list/figures.ts';
import { channelRoutes } from './channel-list/routes.ts';
import { createReadModels } from './create-read-models.ts';
import { deadLetterRoutes } from './dead-letters/routes.ts';
import { createKeySignIn } from './http/key-sign-in.ts';
import { registerRoutes } from './http/routes.ts';
import { createSignIn } from './http/sign-in.ts';
import { serveLedger } from './ledger/answers.ts';
import { ledgerRoutes } from './ledger/routes.ts';
import { createLive } from './live/live.ts';
import { liveRoutes } from './live/routes.ts';
import { createLookups, isRootThere } from './lookups.ts';
import { optionRoutes } from './option-list/routes.ts';
import { createActiveProjections, serveActive } from './projection-list/active.ts';
import { createLagHistory, watchedBy } from './projection-list/lag-history.ts';
import { projectionRoutes } from './projection-list/routes.ts';
import { createReclaim } from './reclaim.ts';
import { redemptionRoutes } from './redemption-list/routes.ts';
import { refusalRoutes } from './refusals/routes.ts';
import { createPostgresRows } from './runtime/postgres-rows.ts';
import { createRunner, type Runner } from './runtime/run-projections.ts';
import { serveTaskList } from './task-list/answers.ts';
import { taskRoutes } from './task-list/routes.ts';
import { billingRoutes } from './token-list/billing.ts';
import { tokenRoutes } from './token-list/routes.ts';
import { serveTopUps } from './topup-list/answers.ts';
import { topUpRoutes } from './topup-list/routes.ts';
import { serveUsageLog } from './usage-log/answers.ts';
import { createCoolingChannels } from './usage-log/cooling-channels.ts';
import { overviewRoutes } from './usage-log/overview-routes.ts';
import { usageLogProjector } from './usage-log/projector.ts';
import { usageLogRoutes } from './usage-log/routes.ts';
import { userRoutes } from './user-list/routes.ts';
import { secondFactorRoutes } from './user-list/second-factor-routes.ts';
import { sessionRoutes } from './user-list/session-routes.ts';
import { verifyRoutes } from './verify/routes.ts';
import { createVerifyRuns } from './verify/runs.ts';

export type ProjectionsDeps = Readonly<{
  eventStore: EventStore;
  bus: Bus;
  db: Kysely<unknown>;
  vault: ReadVault;
  sessionVerifier: SessionVerifier;
  sessionUse: SessionUse;
  clock: Clock;
  timers: Timers;
  logger: Logger;
  metrics: Metrics;
  /** Absent: no collector is configured. */
  tracing?: LogTracing | null;
  /** Walks the log; absent: this process cannot verify. */
  verify?: Verify;
  settings: Readonly<{
    /** For the address lists of keys. */
    trustedProxies?: readonly string[];
    /** Of the product, for the public status. */
    version?: string;
  }>;
}>;

export interface Projections {
  register(app: FastifyInstance): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  ready(): Readonly<{ ok: boolean; detail: string }>;
  /** Whose access token has this SHA-256, hex; null when it opens nothing. */
  tokenOwner(hash: string): Promise<number | null>;
  rebuild(name: string, onProgress: (progress: number) => void): Promise<void>;
  /** How far each projection of this process is. */
  status(): ReturnType<Runner['status']>;
}

/** The read side: turns the log into read models and feeds, and serves what people read. */
export const createProjections = (deps: ProjectionsDeps): Projections => {
  const { db, vault, sessionVerifier, sessionUse, clock, logger, settings } = deps;
  const reclaim = createReclaim(deps);
  const lags = createLagHistory(deps);
  const projectors = allProjectors({ ...deps, onDeparture: reclaim.soon }).map((projector) =>
    projector === usageLogProjector ? watchedBy(lags, projector) : projector,
  );
  const runner: Runner = createRunner({
    rows: createPostgresRows(db),
    ...deps,
    projectors,
    whileActive: () => serveActive({ ...deps, runner, lags }),
  });
  const answering: Stop[] = [];
  const lookups = createLookups(db, vault);
  const readDeps = { db, lookups, vault, sessionUse, clock };
  const site = {
    version: settings.version ?? '0.1.0',
    startTime: Math.floor(clock().getTime() / 1000),
    isRootThere: () => isRootThere(db),
  };
  const live = createLive(deps);
  const cooling = createCoolingChannels(deps);
  const verifyRuns = createVerifyRuns({ ...deps, readModels: createReadModels(db) });
  const routes = {
    ...userRoutes(readDeps),
    ...sessionRoutes(readDeps),
    ...secondFactorRoutes(readDeps),
    ...tokenRoutes(readDeps),
    ...billingRoutes(readDeps),
    ...channelRoutes(readDeps),
    ...optionRoutes(readDeps, site),
    ...ledgerRoutes(readDeps),
    ...auditTrailRoutes(readDeps),
    ...usageLogRoutes(readDeps),
    ...overviewRoutes(readDeps, cooling),
    ...channelCostsRoutes(readDeps),
    ...refusalRoutes(readDeps),
    ...redemptionRoutes(readDeps),
    ...taskRoutes(readDeps),
    ...topUpRoutes(readDeps),
    ...deadLetterRoutes(readDeps),
    ...liveRoutes(live),
    ...projectionRoutes(createActiveProjections({ ...deps, runner, lags })),
    ...verifyRoutes(verifyRuns),
  };
  const clientAddress = createClientAddress(deps.settings.trustedProxies ?? []);
  return {
    tokenOwner: async (hash) => (await lookups.userByAccessTokenHash(hash))?.id ?? null,
    register: (app) =>
      registerRoutes(app, routes, {
        signIn: createSignIn({ ...readDeps, sessionVerifier }),
        keySignIn: createKeySignIn({ ...readDeps, clientAddress }),
        logger,
        clock,
      }),
    start: async () => {
      for (const serve of [serveChannelFigures, serveLedger, serveTopUps, serveUsageLog]) {
        answering.push(await serve(deps.bus, db));
      }
      answering.push(await serveTaskList(deps.bus, readDeps));
      await live.start();
      await cooling.start();
      await verifyRuns.start();
      await runner.start();
    },
    stop: async () => {
      for (const stopAnswering of answering.splice(0)) await stopAnswering();
      await live.stop();
      await cooling.stop();
      await verifyRuns.stop();
      await runner.stop();
      await reclaim.stop();
    },
    ready: () => runner.ready(),
    rebuild: (name, onProgress) => runner.rebuild(name, onProgress),
    status: () => runner.status(),
  };
};
