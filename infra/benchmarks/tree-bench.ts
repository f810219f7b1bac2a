/*
 * `npm run bench tree [seconds at each rate]`: what a call costs when every process is counted. The all-in-one run is
 * started as `npm start` does; its calls are admitted, metered, charged and shown before a rate is over.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { treeOf } from '../../tests/support/processes.ts';
import { eventually, type Product } from '../../tests/support/product.ts';
import { setApart } from './cores.ts';
import { quantile, requestIdOfCall, saturate, shapes, steady } from './load.ts';
import { type Middle, openPlant } from './plant.ts';
import { profiled } from './profile/profiler.ts';
import { openReadModels } from './seen-charges.ts';
import { residentMb, spentByPart, type TreePart, usageOf } from './tree.ts';

/** Calls a second; `saturated` has 32 callers that never wait, and the tree one core. */
const rates = [10, 50, 200, 1_000] as const;
const width = 32;
const probes = 20;
const defaultSeconds = 8;
const settleMs = 1_500;
/** After the last call V8 collects and compiles for a while, which is the cost of calls, not of idling. */
const idleAfterMs = 30_000;
const idleSeconds = 20;
/** A gateway serves for days: what it costs to compile the code after a start is no part of a call. */
const warmUpCalls = 8_000;

type Latency = Readonly<{ p50: number; p99: number }>;
export type TreeRow = Readonly<{
  load: string;
  calls: number;
  perSecond: number;
  /** CPU milliseconds of each part of the tree for each call; of an idle tree: for each second. */
  cpuMs: Readonly<Record<TreePart, number>>;
  cpuMsAll: number;
  coresUsed: number;
  /** Milliseconds. */
  latency: Readonly<{ relay: Latency; bare: Latency }> | null;
  /** Milliseconds from the end of a call until usage log and ledger have its charge. */
  seen: Readonly<{ p50: number; p99: number }> | null;
  residentMb: number;
}>;

type Bench = Readonly<{
  product: Product;
  readModels: Awaited<ReturnType<typeof openReadModels>>;
  relay: Middle;
  bare: Middle;
  body: Buffer;
}>;

const latencyOf = (values: readonly number[]): Latency => ({
  p50: quantile(values, 0.5),
  p99: quantile(values, 0.99),
});

/** Resolves when the charges of so many calls are shown. */
const untilBooked = (plant: Bench, charges: number): Promise<void> =>
  eventually(async () => {
    const shown = await plant.readModels.count();
    if (shown < charges) throw new Error(`${shown} of ${charges} charges are shown`);
  });

type Run = Readonly<{ load: string; calls: number; work: () => Promise<readonly number[]> }>;

/** The CPU of a run, from its first call until all of its charges are shown. */
const measured = async (plant: Bench, { load, calls, work }: Run) => {
  const { pid } = plant.product;
  const { pids: asking } = plant.readModels;
  const charged = await plant.readModels.count();
  await sleep(settleMs);
  const before = usageOf(pid, asking);
  const begun = performance.now();
  const latencies = await profiled(load, pid, work);
  const seconds = (performance.now() - begun) / 1_000;
  const during = residentMb(pid, asking);
  if (calls > 0) await untilBooked(plant, charged + calls);
  const spent = spentByPart(before, usageOf(pid, asking));
  const per = calls === 0 ? seconds : calls;
  const cpuMs = Object.fromEntries(
    Object.entries(spent).map(([part, micros]) => [part, micros / 1_000 / per]),
  );
  const cpuMsAll = Object.values(cpuMs).reduce((sum, ms) => sum + ms, 0);
  const row: TreeRow = {
    load,
    calls,
    perSecond: calls / seconds,
    cpuMs,
    cpuMsAll,
    coresUsed: (cpuMsAll * per) / 1_000 / seconds,
    latency: null,
    seen: null,
    residentMb: during,
  };
  return { row, latencies };
};

const rounds = (seconds: number, perSecond: number) => ({ perSecond, count: seconds * perSecond });

/** How long charges take to be seen while the load goes on; apart from the CPU, for it asks often. */
const untilSeen = async (plant: Bench, perSecond: number, seconds: number): Promise<Latency> => {
  const { relay, body } = plant;
  const load = steady(
    { pool: relay.pool, target: relay, body },
    rounds(Math.ceil(seconds / 2), perSecond),
  );
  const waits: Promise<number>[] = [];
  for (let i = 0; i < probes; i += 1) {
    const requestId = await requestIdOfCall(relay.pool, relay, body);
    waits.push(plant.readModels.msUntilSeen(requestId));
    await sleep((seconds * 500) / probes);
  }
  await load;
  return latencyOf(await Promise.all(waits));
};

const measureRate = async (plant: Bench, perSecond: number, seconds: number): Promise<TreeRow> => {
  const { relay, bare, body } = plant;
  const at = (target: Middle, forSeconds: number) =>
    steady({ pool: target.pool, target, body }, rounds(forSeconds, perSecond));
  await at(relay, 1);
  const { row, latencies } = await measured(plant, {
    load: `${perSecond}/s`,
    calls: seconds * perSecond,
    work: () => at(relay, seconds),
  });
  const bareLatencies = await at(bare, Math.ceil(seconds / 2));
  return {
    ...row,
    latency: { relay: latencyOf(latencies), bare: latencyOf(bareLatencies) },
    seen: await untilSeen(plant, perSecond, seconds),
  };
};

const measureSaturated = async (plant: Bench, seconds: number): Promise<TreeRow> => {
  const { relay, body } = plant;
  const flow = { pool: relay.pool, target: relay, body };
  const isApart = setApart(treeOf(plant.product.pid)) !== null;
  const begun = performance.now();
  await saturate(flow, { count: 2_000, width });
  const calls = Math.round((2_000 * seconds * 1_000) / (performance.now() - begun));
  const { row } = await measured(plant, {
    load: isApart ? 'saturated, one core' : 'saturated',
    calls,
    work: async () => {
      await saturate(flow, { count: calls, width });
      return [];
    },
  });
  return row;
};

const measureAll = async (plant: Bench, seconds: number): Promise<TreeRow[]> => {
  await sleep(idleAfterMs);
  const idle = await measured(plant, {
    load: 'idle',
    calls: 0,
    work: async () => {
      await sleep(idleSeconds * 1_000);
      return [];
    },
  });
  const rows = [idle.row];
  for (const rate of rates) rows.push(await measureRate(plant, rate, seconds));
  rows.push(await measureSaturated(plant, seconds));
  return rows;
};

/** The whole tree at several rates, beside a bare proxy. */
export const benchTree = async (seconds = defaultSeconds): Promise<TreeRow[]> => {
  const plant = await openPlant();
  const { relay, bare } = plant.middlesOf({});
  const body = shapes[0]?.body ?? Buffer.alloc(0);
  try {
    for (const target of [relay, bare]) {
      await saturate({ pool: target.pool, target, body }, { count: warmUpCalls, width: 8 });
    }
    const { product } = plant;
    const readModels = await openReadModels(product.dataDir);
    const rows = await measureAll({ product, readModels, relay, bare, body }, seconds);
    await readModels.close();
    return rows;
  } finally {
    await plant.stop();
  }
};
