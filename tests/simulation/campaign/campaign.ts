import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWithFaults } from '../faults/catalogue.ts';
import type { History } from '../history.ts';
import type { Profile } from '../nemesis/profile.ts';
import type { ViolationKind } from '../oracle/violations.ts';
import type { Counts, Failure } from './protocol.ts';
import { openSimulator, type Simulator } from './simulator.ts';
import { Totals } from './totals.ts';

export type CampaignPlan = Readonly<{
  /** The first seed. */
  from: number;
  /** null: as many as fit into the time. */
  histories: number | null;
  /** null: as long as it takes. */
  seconds: number | null;
  cores: number;
  profile: Profile;
  /** Names of planted faults. */
  faults: readonly string[];
}>;

export type CampaignResult = Readonly<{
  histories: number;
  cpuMs: number;
  counts: Counts;
  /** The first one found; null: there was none. */
  failure: Failure | null;
  /** Seed of the failure less the first seed, plus one. */
  foundAfter: number | null;
}>;

/** Histories that are requested at once; few, so that a failure ends the search soon. */
const batch = 10;

const earliest = (failures: readonly Failure[]): Failure | null =>
  failures.toSorted((left, right) => left.seed - right.seed)[0] ?? null;

/** Observer of a search: gets its progress after each batch, and can end it. */
type Watch = Readonly<{ onBatch: (totals: Totals) => void; signal: AbortSignal }>;

const unwatched: Watch = { onBatch: () => undefined, signal: new AbortController().signal };

/** Runs seeds one after the other until one fails, the plan is done, or the search is ended. */
export const search = async (
  simulators: readonly Simulator[],
  plan: Omit<CampaignPlan, 'cores' | 'faults'>,
  { onBatch, signal }: Watch = unwatched,
): Promise<CampaignResult> => {
  const { from, histories, seconds, profile } = plan;
  const end = performance.now() + (seconds ?? Number.POSITIVE_INFINITY) * 1_000;
  const last = from + (histories ?? Number.POSITIVE_INFINITY);
  const totals = new Totals();
  const failures: Failure[] = [];
  let cpuMs = 0;
  let next = from;
  const isOver = (): boolean =>
    failures.length > 0 || next >= last || performance.now() >= end || signal.aborted;
  const work = async (simulator: Simulator): Promise<void> => {
    while (!isOver()) {
      const first = next;
      const count = Math.min(batch, last - first);
      next += count;
      const result = await simulator.seeds(first, count, profile);
      totals.add(result.counts);
      cpuMs += result.cpuMs;
      failures.push(...result.failures);
      onBatch(totals);
    }
  };
  await Promise.all(simulators.map(work));
  const failure = earliest(failures);
  return {
    histories: totals.histories,
    cpuMs,
    counts: totals,
    failure,
    foundAfter: failure === null ? null : failure.seed - from + 1,
  };
};

export const outputDirectory = new URL('../../../.cache/simulation', import.meta.url).pathname;

const writeHistory = (name: string, history: History): string => {
  mkdirSync(outputDirectory, { recursive: true });
  const path = join(outputDirectory, `${name}.json`);
  writeFileSync(path, `${JSON.stringify(history, null, 1)}\n`);
  return path;
};

const counted = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .toSorted(([, left], [, right]) => right - left)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

const totalOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

const report = ({ histories, cpuMs, counts }: CampaignResult): void => {
  const { sums, calls, actions } = counts;
  const each = (total: number | undefined): string => ((total ?? 0) / histories).toFixed(1);
  const perMinute = Math.round((histories / cpuMs) * 60_000);
  console.log(`${histories} histories, ${perMinute} a minute and core`);
  console.log(
    `each: ${each(cpuMs)} ms of CPU for ${each((sums.lastedMs ?? 0) / 1_000)} s, ` +
      `${each(totalOf(calls))} calls, ${each(totalOf(actions))} actions, ` +
      `${each(sums.charges)} charges, ${each(sums.events)} events`,
  );
  console.log(`calls: ${counted(calls)}`);
  console.log(`charges: ${sums.charges ?? 0}`);
  console.log(`actions that took place: ${counted(actions)}`);
};

const reportFailure = async (
  simulator: Simulator,
  { seed, violations }: Failure,
  { profile, faults }: CampaignPlan,
): Promise<void> => {
  console.log(`\nSeed ${seed} fails:`);
  for (const { kind, detail } of violations) console.log(`  ${kind}: ${detail}`);
  const kind: ViolationKind | undefined = violations[0]?.kind;
  if (kind === undefined) return;
  const history = await simulator.shrink(await simulator.generate(seed, profile), kind);
  const path = writeHistory(`seed-${seed}`, history);
  console.log(`\nThe shortest history that shows ${kind}:\n${JSON.stringify(history)}`);
  const more = faults.length === 0 ? '' : ` --faults ${faults.join(',')}`;
  console.log(`\nnpm run simulate -- --history ${path}${more} --trace`);
};

const progressMs = 60_000;

/**
 * Prints each minute the progress of the campaign; the sums are reported when it is interrupted.
 */
const watchFromTerminal = (): Watch => {
  const interrupted = new AbortController();
  // A second signal is received where npm, or `timeout`, forwards what the whole group was sent.
  process.on('SIGINT', () => interrupted.abort());
  process.on('SIGTERM', () => interrupted.abort());
  const startedAt = performance.now();
  let toldAt = startedAt;
  const onBatch = ({ histories, sums }: Totals): void => {
    const now = performance.now();
    if (now - toldAt < progressMs) return;
    toldAt = now;
    const minutes = Math.round((now - startedAt) / 60_000);
    console.log(`${minutes} min: ${histories} histories, ${sums.charges ?? 0} charges`);
  };
  return { onBatch, signal: interrupted.signal };
};

/** 0: nothing was found. */
export const runCampaign = async (plan: CampaignPlan): Promise<number> => {
  const path = await bundleWithFaults(plan.faults);
  const simulators = Array.from({ length: plan.cores }, () => openSimulator(path));
  const result = await search(simulators, plan, watchFromTerminal());
  report(result);
  const [simulator] = simulators;
  if (result.failure !== null && simulator !== undefined) {
    await reportFailure(simulator, result.failure, plan);
  }
  await Promise.all(simulators.map(({ stop }) => stop()));
  return result.failure === null ? 0 : 1;
};
