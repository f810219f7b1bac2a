/*
 * `npm run bench tree`: the cost of a call when every process is counted. The all-in-one run starts as with `npm start`; a
 * load is over when all of its calls are admitted, metered, charged and visible. The bare proxy and, with `--other`, the
 * product of another checkout get the same loads.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { treeOf } from '../../tests/support/processes.ts';
import { eventually } from '../../tests/support/product.ts';
import { setApart } from './cores.ts';
import {
  applyLoad,
  type Latency,
  type Load,
  latencyOf,
  loadsNamed,
  requestIdOfCall,
} from './load.ts';
import { readOptions } from './options.ts';
import { type Gateway, type GatewayName, openPlant, targetOf } from './plant.ts';
import { openProfiles, profiled } from './profile/profiler.ts';
import { digits, ratio, writeResult } from './report.ts';
import { openReadModels } from './seen-charges.ts';
import { residentMb, spentByPart, type TreePart, usageOf } from './tree.ts';

const probes = 20;
const settleMs = 1_500;
/** After the last call V8 collects and compiles for a while, which is the cost of calls, not of idling. */
const idleAfterMs = 60_000;
const idleSeconds = 20;

type TreeRow = Readonly<{
  load: string;
  gateway: GatewayName;
  perSecond: number;
  processes: number;
  /** CPU milliseconds of each part of the tree for each call; of an idle tree: for each second. */
  cpuMs: Readonly<Record<TreePart, number>>;
  cpuMsAll: number;
  coresUsed: number;
  latency: Latency | null;
  /** From the end of a call until usage log and ledger have its charge. */
  visibleAfter: Latency | null;
  residentMb: number;
}>;

type ReadModels = Awaited<ReturnType<typeof openReadModels>>;
type Site = Gateway & Readonly<{ readModels: ReadModels | null }>;

/** Resolves when the charges of so many calls are visible. */
const untilBooked = ({ readModels }: Site, charges: number): Promise<void> =>
  eventually(async () => {
    const visible = (await readModels?.count()) ?? charges;
    if (visible < charges) throw new Error(`${visible} of ${charges} charges are visible`);
  });

const none: ReadonlySet<number> = new Set();

type Run = Readonly<{ name: string; calls: number; work: () => Promise<readonly number[]> }>;

/** The CPU of a run, from its first call until all of its charges are visible. */
const measure = async (site: Site, { name, calls, work }: Run): Promise<TreeRow> => {
  const { pid, readModels } = site;
  const excluded = readModels?.pids ?? none;
  const charged = (await readModels?.count()) ?? 0;
  await sleep(settleMs);
  const before = usageOf(pid, excluded);
  const startedAt = performance.now();
  const latencies = await profiled(`${name}, ${site.name}`, pid, work);
  const seconds = (performance.now() - startedAt) / 1_000;
  const resident = residentMb(pid, excluded);
  if (calls > 0) await untilBooked(site, charged + calls);
  const after = usageOf(pid, excluded);
  const per = calls === 0 ? seconds : calls;
  const cpuMs = Object.fromEntries(
    Object.entries(spentByPart(before, after)).map(([part, micros]) => [
      part,
      micros / 1_000 / per,
    ]),
  );
  const cpuMsAll = Object.values(cpuMs).reduce((sum, ms) => sum + ms, 0);
  return {
    load: name,
    gateway: site.name,
    perSecond: calls / seconds,
    processes: after.size,
    cpuMs,
    cpuMsAll,
    coresUsed: (cpuMsAll * per) / 1_000 / seconds,
    latency: latencies.length === 0 ? null : latencyOf(latencies),
    visibleAfter: null,
    residentMb: resident,
  };
};

/** How long charges take to become visible under the load; apart from the CPU, because it polls often. */
const measureVisibility = async (
  { readModels, ...gateway }: Site,
  load: Load,
  seconds: number,
): Promise<Latency | null> => {
  if (readModels === null || load.perSecond === null) return null;
  const target = targetOf(gateway, load);
  const isOver = applyLoad(target, load, Math.ceil(seconds / 2) * load.perSecond);
  const waits: Promise<number>[] = [];
  for (let i = 0; i < probes; i += 1) {
    waits.push(readModels.msUntilSeen(await requestIdOfCall(target)));
    await sleep((seconds * 500) / probes);
  }
  await isOver;
  return latencyOf(await Promise.all(waits));
};

const callsOf = async (site: Site, load: Load, seconds: number): Promise<number> => {
  const target = targetOf(site, load);
  if (load.perSecond !== null) {
    await applyLoad(target, load, load.perSecond);
    return seconds * load.perSecond;
  }
  const startedAt = performance.now();
  await applyLoad(target, load);
  return Math.round((load.perRound * seconds * 1_000) / (performance.now() - startedAt));
};

const measureLoad = async (site: Site, load: Load, seconds: number): Promise<TreeRow> => {
  const calls = await callsOf(site, load, seconds);
  const work = () => applyLoad(targetOf(site, load), load, calls);
  const row = await measure(site, { name: load.name, calls, work });
  return { ...row, visibleAfter: await measureVisibility(site, load, seconds) };
};

const measureIdle = (site: Site): Promise<TreeRow> =>
  measure(site, {
    name: 'idle',
    calls: 0,
    work: async () => {
      await sleep(idleSeconds * 1_000);
      return [];
    },
  });

const measureAll = async (
  sites: readonly Site[],
  loads: readonly Load[],
  seconds: number,
): Promise<TreeRow[]> => {
  const rows: TreeRow[] = [];
  await sleep(idleAfterMs);
  for (const site of sites) if (site.product !== null) rows.push(await measureIdle(site));
  for (const load of loads.filter(({ perSecond }) => perSecond !== null)) {
    for (const site of sites) rows.push(await measureLoad(site, load, seconds));
  }
  const isApart = setApart(sites.flatMap(({ pid }) => treeOf(pid)));
  console.log(isApart ? 'saturated: each tree on one core' : 'saturated: on all cores');
  for (const load of loads.filter(({ perSecond }) => perSecond === null)) {
    for (const site of sites) rows.push(await measureLoad(site, load, seconds));
  }
  return rows;
};

const pair = (of: Latency | null): string =>
  of === null ? '' : `${digits(of.p50, 1)} / ${digits(of.p99, 1)}`;

const print = (rows: readonly TreeRow[]): void => {
  console.log('CPU milliseconds of each call (idle: of each second); latencies p50 / p99 in ms');
  const table = rows.map((row) => {
    const bare = rows.find(({ load, gateway }) => load === row.load && gateway === 'bare');
    return [
      `${row.load}: ${row.gateway}`,
      {
        ...Object.fromEntries(Object.entries(row.cpuMs).map(([part, ms]) => [part, digits(ms)])),
        all: digits(row.cpuMsAll),
        'to bare': ratio(bare && bare !== row ? row.cpuMsAll / bare.cpuMsAll : null),
        cores: digits(row.coresUsed),
        'calls/s': Math.round(row.perSecond),
        latency: pair(row.latency),
        'visible after': pair(row.visibleAfter),
        processes: row.processes,
        MB: Math.round(row.residentMb),
      },
    ];
  });
  console.table(Object.fromEntries(table));
};

/** The loads that every run has; others by name. */
const usual = /, \d+\/s$|^(1 KB chat|16 KB chat|36-event stream), saturated$/;

const { only, seconds, other } = readOptions();
const loads = loadsNamed(only).filter(({ name }) => only !== '' || usual.test(name));
openProfiles();
const plant = await openPlant(other);
try {
  const sites: Site[] = [];
  for (const gateway of plant.gateways) {
    const { product } = gateway;
    const readModels = product === null ? null : await openReadModels(product.dataDir);
    sites.push({ ...gateway, readModels });
  }
  const rows = await measureAll(sites, loads, seconds);
  print(rows);
  writeResult('tree', { other, rows });
  for (const { readModels } of sites) await readModels?.close();
} finally {
  await plant.stop();
}
process.exit(0);
