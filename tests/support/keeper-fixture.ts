import { setTimeout as sleep } from 'node:timers/promises';
import { createKeeper, type Keeper } from '../../command-api/keeper/create-keeper.ts';
import type { AccountEvent } from '../../domain/account/events.ts';
import type { LeaseReply, LeaseRequest, UsageRecord } from '../../domain/account/messages.ts';
import { accountPartitions } from '../../domain/account/messages.ts';
import { accountStreamId } from '../../domain/account/stream.ts';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import { createMetrics } from '../../infra/metrics/create-metrics.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Timers } from '../../infra/ports/timers.ts';
import { nodeSystem } from '../../infra/system/node-system.ts';
import { anAccountCommand, relayId, tokenId, userId } from './account-examples.ts';
import { createMemoryEventStore, type MemoryEventStore } from './memory-event-store.ts';
import { silentLogger } from './silent-logger.ts';

/** Keepers over one log in memory, with a clock that a test turns. */
export type KeeperFixture = Readonly<{
  store: MemoryEventStore;
  bus: Bus;
  keeper: Keeper;
  /** Another instance of the keeper, on a separate bus. */
  another: () => Promise<KeeperFixture>;
  advance: (ms: number) => void;
  /** Opens the account, grants `balance` and sets the token's budget. */
  fund: (balance: number, remain?: number) => Promise<void>;
  lease: (need: number, request?: Partial<LeaseRequest>) => Promise<LeaseReply>;
  publish: (...records: readonly UsageRecord[]) => Promise<void>;
  /** Waits for the sweep for silent relays until `isDone`. */
  until: (isDone: () => boolean) => Promise<void>;
  events: <T extends AccountEvent['type']>(type: T) => Extract<AccountEvent, { type: T }>[];
  stop: () => Promise<void>;
}>;

type Options = Readonly<{
  store?: MemoryEventStore;
  now?: { ms: number };
  keep?: number;
  /** Shares the partitions with other keepers of this bus. */
  keeperId?: string;
  bus?: Bus;
}>;

const startOfTime = Date.parse('2026-03-01T08:00:00.000Z');

/** More than this at once counts as a pause of the keeper. */
const longestAdvanceMs = 3_600_000;

/**
 * Monotonic time that a test advances together with the clock; sweeps run every few milliseconds.
 */
const sweptOften = (now: Readonly<{ ms: number }>): Timers => ({
  ...nodeSystem.timers,
  now: () => nodeSystem.timers.now() + now.ms - startOfTime,
  setInterval: (task, ms) => nodeSystem.timers.setInterval(task, Math.min(ms, 5)),
});

export const openKeeperFixture = async (options: Options = {}): Promise<KeeperFixture> => {
  const store = options.store ?? createMemoryEventStore();
  const now = options.now ?? { ms: startOfTime };
  const bus = options.bus ?? createMemoryBus({ logger: silentLogger });
  const keeper = createKeeper({
    ...nodeSystem,
    timers: sweptOften(now),
    eventStore: store,
    bus,
    clock: () => new Date(now.ms),
    logger: silentLogger,
    metrics: createMetrics({ process: 'test' }),
    sweepEveryMs: longestAdvanceMs,
    ...(options.keep === undefined ? {} : { keep: options.keep }),
    ...(options.keeperId === undefined ? {} : { keeperId: options.keeperId }),
  });
  await keeper.start();
  let ask = 0;

  const desk: KeeperFixture = {
    store,
    bus,
    keeper,
    another: () => openKeeperFixture({ ...options, store, now }),
    advance: (ms) => {
      now.ms += ms;
    },
    fund: async (balance, remain = balance) => {
      await keeper.execute(anAccountCommand('OpenAccount', { userId }, { commandId: 'open' }));
      await keeper.execute(
        anAccountCommand(
          'GrantQuota',
          { userId, amount: balance, source: 'topup', reference: 'trade-1' },
          { commandId: 'grant' },
        ),
      );
      await keeper.execute(
        anAccountCommand(
          'SetTokenBudget',
          { userId, tokenId, unlimited: false, remain },
          { commandId: 'budget' },
        ),
      );
    },
    lease: (need, request = {}) => {
      ask += 1;
      const body: LeaseRequest = { relayId, userId, tokenId, lease: 1, need, ask, ...request };
      return bus.request<LeaseRequest, LeaseReply>('keeper.lease', body);
    },
    publish: async (...records) => {
      const lines = records.map((record) => JSON.stringify(record));
      const partition = (records[0]?.userId ?? 0) % accountPartitions;
      await bus.queue<string>('usage').publish(partition, lines);
    },
    until: async (isDone) => {
      const giveUpAt = performance.now() + 20_000;
      while (!isDone()) {
        if (performance.now() > giveUpAt) throw new Error('it did not happen');
        await sleep(2);
      }
    },
    events: <T extends AccountEvent['type']>(type: T) =>
      store.all
        .filter((e) => e.streamId === accountStreamId(userId) && e.event.type === type)
        .map((e) => e.event as Extract<AccountEvent, { type: T }>),
    stop: async () => {
      await keeper.stop();
      if (options.bus === undefined) await bus.close();
    },
  };
  return desk;
};
