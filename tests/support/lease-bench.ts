import type { LeaseReply, LeaseRequest, RelayAlive } from '../../domain/account/messages.ts';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import { createMetrics } from '../../infra/metrics/create-metrics.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import { nodeSystem } from '../../infra/system/node-system.ts';
import type { LeaseIdleEntry } from '../../relay/admission/lease-book.ts';
import {
  createLeaseBook,
  type LeaseBook,
  type ReserveResult,
} from '../../relay/admission/lease-book.ts';
import { silentLogger } from './silent-logger.ts';

export const user = 7;
export const token = 70;

type Answer = Partial<LeaseReply> | Error;
export type Bench = {
  book: LeaseBook;
  asks: LeaseRequest[];
  idle: LeaseIdleEntry[];
  bus: Bus;
  /** The number of a heartbeat that is sent from now on. */
  nextHeartbeat: () => Promise<number>;
  /** How the keeper answers; grants what is needed by default. */
  answer: (ask: LeaseRequest) => Answer | Promise<Answer>;
  now: number;
  stop: () => Promise<void>;
};

/** Last number of the journal, for an account whose lease lapsed. */
export const recorded = 12;

const benches: Bench[] = [];

export const stopBenches = async (): Promise<void> => {
  for (const bench of benches.splice(0)) await bench.stop();
};

export const openBench = async (heartbeatMs = 60_000, idleMs = 60_000): Promise<Bench> => {
  const bus = createMemoryBus({ logger: silentLogger });
  const heartbeats: ((heartbeat: number) => void)[] = [];
  await bus.subscribe<RelayAlive>('relay.alive', ({ heartbeat }) => {
    for (const hear of heartbeats.splice(0)) hear(heartbeat);
  });
  const bench: Bench = {
    asks: [],
    idle: [],
    bus,
    nextHeartbeat: () => new Promise((resolve) => void heartbeats.push(resolve)),
    answer: ({ need }) => ({ granted: Math.max(need, 1_000) }),
    now: 1_000_000,
    book: createLeaseBook({
      timers: { ...nodeSystem.timers, now: () => bench.now },
      bus,
      relayId: 'relay-a',
      journal: { leaseIdle: (entry) => bench.idle.push(entry), unsettledNumber: () => recorded },
      logger: silentLogger,
      metrics: createMetrics({ process: 'test' }),
      heartbeatMs,
      idleMs,
      askTimeoutMs: 50,
    }),
    stop: async () => {
      await bench.book.stop();
      await bus.close();
    },
  };
  await bus.serve<LeaseRequest, LeaseReply>('keeper.lease', async (ask) => {
    bench.asks.push(ask);
    const answer = await bench.answer(ask);
    if (answer instanceof Error) throw answer;
    const leaseId = `${ask.relayId}.${ask.userId}.${ask.tokenId}.${ask.lease}`;
    const base = {
      leaseId,
      producerId: 1,
      granted: 0,
      refusal: null,
      balance: 5_000,
      tokenRemain: null,
    };
    const fresh = !bench.asks.slice(0, -1).some(({ lease }) => lease === ask.lease);
    return { ...base, fresh, ...answer };
  });
  await bench.book.start();
  benches.push(bench);
  return bench;
};

export const reserved = (result: ReserveResult) => {
  if (result.kind !== 'reserved') throw new Error(`refused: ${result.refusal}`);
  return result.reservation;
};

export const until = async (isDone: () => boolean): Promise<void> => {
  const giveUpAt = performance.now() + 20_000;
  while (!isDone()) {
    if (performance.now() > giveUpAt) throw new Error('it did not happen');
    await turn();
  }
};
export const turn = () => new Promise((resolve) => setTimeout(resolve, 5));
