import type { AccountCommand, AccountRejection } from '../../domain/account/commands.ts';
import type { AccountEvent } from '../../domain/account/events.ts';
import type {
  LeasesRenewed,
  RelayAlive,
  UsageLines,
  UsageSettled,
} from '../../domain/account/messages.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { Bus, Stop } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Metrics } from '../../infra/ports/metrics.ts';
import type { Random } from '../../infra/ports/random.ts';
import type { Timer, Timers } from '../../infra/ports/timers.ts';
import type { LogTracing } from '../../infra/ports/tracing.ts';
import type { CommandResult } from '../commands/command-result.ts';
import type { Digest } from '../commands/digest.ts';
import { commandWork } from './account-command.ts';
import { AccountQueues } from './account-queues.ts';
import { summaryWork } from './account-summary.ts';
import type { AccountSummary, Accounts, CommandOrigin } from './accounts.ts';
import { catchUp } from './command-batch.ts';
import { createExpiry } from './expiry.ts';
import { createHandOver } from './hand-over.ts';
import { LeaseIndex } from './lease-index.ts';
import { createLeaseInquiry } from './lease-inquiry.ts';
import { createLeaseRequests } from './lease-requests.ts';
import { LeaseWatch } from './lease-watch.ts';
import { ListeningClock } from './listening-clock.ts';
import { createLoweringRepeats, loweredLeases, mayLower } from './lowered-leases.ts';
import { ownAllPartitions, sharePartitions } from './partitions.ts';
import { LeaseRecalls } from './recall.ts';
import { createSideStreams } from './side-streams.ts';
import { createTaskNotes } from './task-notes.ts';
import { createUsageIntake } from './usage-intake.ts';

export type KeeperSettings = Readonly<{
  eventStore: EventStore;
  bus: Bus;
  clock: Clock;
  timers: Timers;
  random: Random;
  logger: Logger;
  metrics: Metrics;
  /** Absent: no collector is configured. */
  tracing?: LogTracing | null;
  /** Names this life of the keeper where several share the partitions; alone without it. */
  keeperId?: string;
  /**
   * The term of a lease, for which a relay admits requests without a word from a keeper; 30 s by
   * default. A relay that is silent for two terms, one for what it admitted last to end, loses its
   * leases.
   */
  leaseTtlMs?: number;
  /** How often silent relays are checked; 1 s by default. */
  sweepEveryMs?: number;
  /** Accounts kept in memory. */
  keep?: number;
  /** Makes the fingerprints of commands about tasks, which may contain prompts. */
  digest?: Digest;
}>;

type KeeperReadiness = Readonly<{ ok: boolean; detail: Readonly<Record<string, number>> }>;

/** Holds the state of every account: leases quota to relays and settles what they used. */
export interface Keeper extends Accounts {
  start(): Promise<void>;
  stop(): Promise<void>;
  ready(): KeeperReadiness;
}

const lagBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600];

const createMeters = (metrics: Metrics) => ({
  charges: metrics.counter({ name: 'tollgate_charges_total', help: 'Requests charged' }),
  units: metrics.counter({ name: 'tollgate_charged_units_total', help: 'Quota units charged' }),
  deadLetter: metrics.counter({
    name: 'tollgate_usage_set_aside_total',
    help: 'Usage records that could not be settled',
  }),
  lagSeconds: metrics.histogram({
    name: 'tollgate_settlement_lag_seconds',
    help: 'From the end of a request to its charge in the log',
    buckets: lagBuckets,
  }),
  leases: metrics.gauge({
    name: 'tollgate_leases_open',
    help: 'Accounts in which a relay holds a lease, summed over relays',
  }),
});

/** Accounts that are read side by side when the keeper starts. */
const readAhead = 16;

export const createKeeper = (settings: KeeperSettings): Keeper => {
  const { eventStore, bus, clock, timers, logger, leaseTtlMs = 30_000 } = settings;
  const { keeperId = null } = settings;
  const meters = createMeters(settings.metrics);
  const sweepEveryMs = settings.sweepEveryMs ?? 1_000;
  const listening = new ListeningClock({
    bus,
    timers,
    listenerId: keeperId ?? settings.random.uuid(),
    heartbeatEveryMs: sweepEveryMs,
  });
  const watch = new LeaseWatch(() => listening.now());
  const recalls = new LeaseRecalls({ bus, timers });
  const index = new LeaseIndex({
    eventStore,
    clock,
    mayHoldLease: (userId) => unread.has(userId) || watch.holdsAny(userId),
  });
  /** Accounts that may hold leases not tracked by this keeper. */
  const unread = new Set<UserId>();
  const queues = new AccountQueues({
    eventStore,
    clock,
    random: settings.random,
    logger,
    keep: settings.keep ?? 5_000,
    beforeLease: (userId) => index.note(userId),
    onLoaded: (account) => {
      unread.delete(account.userId);
      watch.loaded(account);
    },
    onAppended: (account, events) => {
      watch.appended(account, events);
      recalls.appended(account.userId, events);
      if (events.some(mayLower)) recalls.lowered(account.userId, loweredLeases(account.state));
    },
  });
  const sideStreams = createSideStreams(eventStore, clock);
  const { digest } = settings;
  const noteTasks = createTaskNotes({ eventStore, clock, ...(digest && { digest }) });
  const beside = { sideStreams, noteTasks };
  const onSettled = (settled: UsageSettled): void =>
    bus.publish<UsageSettled>('usage.settled', settled);
  const { tracing = null } = settings;
  const intake = { queues, watch, ...beside, clock, logger, onSettled, tracing, ...meters };
  const takeUsage = createUsageIntake(intake);
  const abandonAfterMs = 2 * leaseTtlMs;
  const expire = createExpiry({ queues, watch, ...beside, clock, logger, abandonAfterMs });
  const inquire = createLeaseInquiry({
    bus,
    queues,
    watch,
    quietAfterMs: abandonAfterMs,
  });
  const repeatLowerings = createLoweringRepeats({ queues, watch, recalls });
  const stops: Stop[] = [];
  let timer: Timer | null = null;
  let sweeping: Promise<void> | null = null;
  let isStarted = false;

  const readUnread = async (): Promise<void> => {
    const waiting = [...unread];
    const reader = async (): Promise<void> => {
      for (let userId = waiting.pop(); userId !== undefined; userId = waiting.pop()) {
        await queues.do(userId, catchUp);
        unread.delete(userId);
      }
    };
    await Promise.all(Array.from({ length: readAhead }, reader));
  };

  const sweep = async (): Promise<void> => {
    try {
      if (unread.size > 0) await readUnread();
      await expire();
      await inquire();
      await repeatLowerings();
      meters.leases.set(watch.counts().leases);
    } catch (error) {
      logger.warn({ error: String(error) }, 'the leases could not be checked');
    }
  };

  const tick = (): void => {
    listening.heartbeat();
    sweeping ??= sweep().finally(() => {
      sweeping = null;
    });
  };

  const readAnew = async (owned: readonly number[]): Promise<void> => {
    for (const userId of await index.load(owned)) unread.add(userId);
  };

  /** Accounts of the partitions that may hold leases are loaded before their usage arrives. */
  const take = async (taken: readonly number[], onLost?: () => void): Promise<Stop> => {
    await readAnew(taken);
    return bus.queue<UsageLines>('usage').consume(taken, takeUsage, onLost && { onLost });
  };
  const handOver = createHandOver({ bus, watch, logger });
  const takeOne = async (partition: number, onLost: () => void): Promise<Stop> => {
    await handOver.receive(partition);
    const stop = await take([partition], onLost);
    return async () => {
      await stop();
      await handOver.give(partition);
    };
  };
  const partitions =
    keeperId === null
      ? ownAllPartitions(take)
      : sharePartitions({
          bus,
          timers,
          logger,
          keeperId,
          take: takeOne,
          onKeeperGone: readAnew,
        });
  const requests = { bus, clock, timers, queues, watch, recalls, partitions, keeperId };
  const serveLeases = createLeaseRequests(requests);

  const renew = ({ relayId, heartbeat }: RelayAlive): void => {
    watch.reported(relayId);
    const owned = partitions.owned();
    if (owned.length === 0 || !Number.isSafeInteger(heartbeat)) return;
    bus.publish<LeasesRenewed>('lease.renewed', { relayId, heartbeat, partitions: owned });
  };

  return {
    async start() {
      stops.push(
        await listening.start(),
        await bus.subscribe<RelayAlive>('relay.alive', renew),
        ...(await serveLeases()),
      );
      await partitions.start();
      timer = timers.setInterval(tick, sweepEveryMs).unref();
      tick();
      isStarted = true;
    },

    async stop() {
      isStarted = false;
      timers.clear(timer);
      for (const stop of stops.splice(0).reverse()) await stop();
      // What is granted meanwhile is in the log before others read the leases of this keeper.
      await queues.idle();
      await partitions.stop();
      await sweeping;
      await queues.idle();
    },

    ready: () => ({
      ok: isStarted,
      detail: {
        partitions: partitions.owned().length,
        accounts: queues.size,
        unread: unread.size,
        ...watch.counts(),
      },
    }),

    async execute(
      command: AccountCommand,
      origin?: CommandOrigin,
    ): Promise<CommandResult<AccountEvent, AccountRejection>> {
      const work = commandWork(command, origin);
      const { value, position } = await queues.do(command.data.userId, work);
      if (value.kind === 'rejected') return value;
      const wrote = value.events.length > 0;
      return { ...value, position: value.position ?? (wrote ? position : null) };
    },

    async summary(userId: UserId): Promise<AccountSummary | null> {
      const { value } = await queues.do(userId, summaryWork);
      return value;
    },
  };
};
