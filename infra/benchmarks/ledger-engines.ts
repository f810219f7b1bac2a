import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKeeper, type Keeper } from '../../command-api/keeper/create-keeper.ts';
import type { LeaseReply, LeaseRequest, RequestUsed } from '../../domain/account/messages.ts';
import type { Metadata } from '../../domain/shared/event.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { createMemoryBus } from '../bus/memory/create-memory-bus.ts';
import { engineEnvironment } from '../embedded/engine-environment.ts';
import { startEmbeddedPostgres } from '../embedded/postgres/start-embedded-postgres.ts';
import { createEventStore } from '../event-store/create-event-store.ts';
import { socketUrl } from '../event-store/socket-address.ts';
import { createMetrics } from '../metrics/create-metrics.ts';
import type { Bus } from '../ports/bus.ts';
import { entryPath } from '../processes/entry-paths.ts';
import { nodeSystem } from '../system/node-system.ts';

const metadata: Metadata = {
  actor: { kind: 'system', id: 'bench' },
  correlationId: 'bench',
  causationId: 'bench',
  commandId: 'bench',
  occurredAt: new Date().toISOString(),
};

const relayId = 'bench';

/** Under which a relay numbers what it records for an account. */
export type BenchLease = Pick<LeaseReply, 'leaseId' | 'producerId'>;

/** Without a lease: as relays wrote them that numbered nothing. */
export const usageRecord = (
  userId: number,
  sequence: number,
  lease: BenchLease | null = null,
): RequestUsed => ({
  kind: 'used',
  relayId,
  userId,
  sequence,
  leaseId: lease?.leaseId ?? null,
  ...(lease?.producerId != null && {
    usageNumber: { producerId: lease.producerId, number: sequence },
  }),
  call: {
    requestId: `bench-${userId}-${sequence}`,
    relayId,
    tokenId: userId,
    channelId: 1,
    channelsTried: [1],
    model: 'gpt-4o-mini',
    upstreamModel: null,
    group: 'default',
    path: '/v1/chat/completions',
    isStream: sequence % 2 === 0,
    startedAt: new Date().toISOString(),
    durationMs: 1_200,
    firstByteMs: 150,
  },
  usage: { promptTokens: 200, completionTokens: 150, cachedTokens: 0, cacheCreationTokens: 0 },
  usageSource: 'upstream',
  usageNote: null,
  end: 'complete',
  quote: {
    kind: 'ratio',
    model: 'gpt-4o-mini',
    modelRatio: '0.075',
    completionRatio: '4',
    cacheRatio: '0.5',
    cacheCreationRatio: '1.25',
    groupRatio: '1',
  },
});

/** Behind a socket, as the product has it. */
const startNode = async (databaseUrl: string, folder: string) => {
  const socketPath = join(folder, 'event-store.sock');
  const node = fork(entryPath('infra/embedded/event-store/main'), {
    env: engineEnvironment({
      TOLLGATE_NODE_DATABASE_URL: databaseUrl,
      TOLLGATE_NODE_SOCKET: socketPath,
    }),
  });
  await once(node, 'message');
  return { node, url: socketUrl(socketPath) };
};

/** The engines and a keeper, as one machine has them; all of it below a separate folder. */
export const startLedger = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
  const postgres = await startEmbeddedPostgres({
    dataDir: join(folder, 'pg'),
    logger: silentLogger,
  });
  await postgres.createDatabase('event_store');
  const { node, url } = await startNode(postgres.url('event_store'), folder);
  const eventStore = createEventStore({ url, logger: silentLogger });
  const bus = createMemoryBus({ logger: silentLogger });
  const shared = { ...nodeSystem, eventStore, bus, clock: () => new Date(), logger: silentLogger };
  const metrics = createMetrics({ process: 'bench' });
  return {
    postgres,
    /** Of the event store. */
    url,
    shared,
    metrics,
    createKeeper: (): Keeper =>
      createKeeper({
        ...shared,
        metrics: createMetrics({ process: 'keeper' }),
        leaseTtlMs: 30_000,
      }),
    stop: async (): Promise<void> => {
      await bus.close();
      await eventStore.close();
      node.kill();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** An account with quota enough for any number of charges. */
export const openAccount = async (keeper: Keeper, userId: number): Promise<void> => {
  await keeper.execute({
    type: 'OpenAccount',
    data: { userId },
    metadata: { ...metadata, commandId: `open-${userId}` },
  });
  await keeper.execute({
    type: 'GrantQuota',
    data: { userId, amount: 1_000_000_000, source: 'setup', reference: '' },
    metadata: { ...metadata, commandId: `grant-${userId}` },
  });
  await keeper.execute({
    type: 'SetTokenBudget',
    data: { userId, tokenId: userId, unlimited: true, remain: 0 },
    metadata: { ...metadata, commandId: `budget-${userId}` },
  });
};

/** As a relay requests it before its first call of the account. */
export const openLease = (bus: Bus, userId: number): Promise<BenchLease> =>
  bus.request<LeaseRequest, LeaseReply>('keeper.lease', {
    relayId,
    userId,
    tokenId: userId,
    lease: 1,
    need: 100_000_000,
    ask: 1,
  });
