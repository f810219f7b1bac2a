import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'undici';
import { addChannel, addToken, setUpSite } from '../../tests/support/console-client.ts';
import { eventually, removeData, startProduct } from '../../tests/support/product.ts';
import { setApart } from './cores.ts';
import { cpuMicros, cpuOfTree, spent } from './cpu.ts';
import { portOf } from './forked.ts';
import {
  claudeModel,
  median,
  openPool,
  quantile,
  type Shape,
  saturate,
  shapes,
  steady,
  type Target,
} from './load.ts';

/** Short rounds that take turns: what else the machine does hits all of them alike. */
const rounds = 31;
/** Of every shape before the first is measured: the compiler is to have seen enough of all code. */
const warmUps = 10;
const width = 32;
const latencyRounds = 4;

const names = ['upstream', 'bare', 'relay'] as const;
type Name = (typeof names)[number];

export type RelayRow = Readonly<{
  shape: string;
  /** Requests per second, saturated, median of the rounds. */
  perSecond: Readonly<Record<Name, number>>;
  /** CPU of the process in the middle per request, microseconds, accounting included. */
  cpuMicros: Readonly<{ bare: number; relay: number; allOfTollgate: number }>;
  /** Median over the rounds of relay by the bare proxy beside it. */
  cpuRatio: number;
  /** The same of the calmest quarter of each one's rounds: what others do only ever adds. */
  cpuRatioCalm: number;
  cpuRatioAll: number;
  /** Milliseconds above the bare proxy at 200 requests/s. */
  addedMs: Readonly<{ p50: number; p99: number }>;
  /** Milliseconds above the upstream alone at 200 requests/s. */
  aboveUpstreamMs: Readonly<{ p50: number; p99: number }>;
}>;

type Middle = Target & Readonly<{ pool: Pool; pid: number }>;
type Middles = Readonly<Record<Name, Middle>>;
/** Per request. */
type Sample = Readonly<{ seconds: number; micros: number; allMicros: number }>;

/** Records gather for a moment before they leave the relay: that work belongs to the round too. */
const afterwork = (): Promise<void> => sleep(60);

const round = async (middle: Middle, { body, perRound }: Shape): Promise<Sample> => {
  const tree = cpuOfTree(middle.pid);
  const own = cpuMicros(middle.pid);
  const begun = performance.now();
  await saturate({ pool: middle.pool, target: middle, body }, { count: perRound, width });
  const seconds = (performance.now() - begun) / 1_000 / perRound;
  await afterwork();
  const micros = (cpuMicros(middle.pid) - own) / perRound;
  return { seconds, micros, allMicros: spent(tree, cpuOfTree(middle.pid)) / perRound };
};

const latenciesOf = async (middles: Middles, shape: Shape) => {
  const latencies: Record<Name, number[]> = { upstream: [], bare: [], relay: [] };
  for (let i = 0; i < latencyRounds; i += 1) {
    for (const name of names) {
      const target = middles[name];
      const plan = { pool: target.pool, target, body: shape.body };
      latencies[name].push(...(await steady(plan, { perSecond: 200, count: 200 })));
    }
  }
  return latencies;
};

const warmUp = async (middles: Middles, wanted: readonly Shape[]): Promise<void> => {
  for (let i = 0; i < warmUps; i += 1) {
    for (const shape of wanted) for (const name of names) await round(middles[name], shape);
  }
};

const measure = async (middles: Middles, shape: Shape): Promise<RelayRow> => {
  const samples: Record<Name, Sample[]> = { upstream: [], bare: [], relay: [] };
  for (let i = 0; i < rounds; i += 1) {
    // Each goes first in turn, so that none always follows the same other.
    const order = i % 2 === 0 ? names : names.toReversed();
    for (const name of order) samples[name].push(await round(middles[name], shape));
  }
  const of = (name: Name, read: (sample: Sample) => number): number =>
    median(samples[name].map(read));
  const ratio = (read: (sample: Sample) => number): number =>
    median(samples.relay.map((sample, i) => read(sample) / (samples.bare[i]?.micros ?? 0)));
  const calm = (name: Name) =>
    quantile(
      samples[name].map(({ micros }) => micros),
      0.25,
    );
  const latencies = await latenciesOf(middles, shape);
  const above = (name: Name, q: number) =>
    quantile(latencies.relay, q) - quantile(latencies[name], q);
  const perSecond = (name: Name) => 1 / of(name, ({ seconds }) => seconds);
  return {
    shape: shape.name,
    perSecond: {
      upstream: perSecond('upstream'),
      bare: perSecond('bare'),
      relay: perSecond('relay'),
    },
    cpuMicros: {
      bare: of('bare', ({ micros }) => micros),
      relay: of('relay', ({ micros }) => micros),
      allOfTollgate: of('relay', ({ allMicros }) => allMicros),
    },
    cpuRatio: ratio(({ micros }) => micros),
    cpuRatioCalm: calm('relay') / calm('bare'),
    cpuRatioAll: ratio(({ allMicros }) => allMicros),
    addedMs: { p50: above('bare', 0.5), p99: above('bare', 0.99) },
    aboveUpstreamMs: { p50: above('upstream', 0.5), p99: above('upstream', 0.99) },
  };
};

/** The relay of the all-in-one run against a bare proxy and against the upstream alone. */
export const benchRelay = async (only = ''): Promise<RelayRow[]> => {
  const upstream = fork(new URL('./upstream.ts', import.meta.url));
  const upstreamUrl = `http://127.0.0.1:${await portOf(upstream)}`;
  const bare = fork(new URL('./bare-proxy.mjs', import.meta.url), {
    env: { ...process.env, BENCH_UPSTREAM: upstreamUrl },
    execArgv: [],
  });
  const bareUrl = `http://127.0.0.1:${await portOf(bare)}`;
  const product = await startProduct({ env: { LOG_LEVEL: 'warn' } });
  try {
    const admin = await setUpSite(product.url);
    await addChannel(admin, upstreamUrl);
    await addChannel(admin, upstreamUrl, { type: 14, name: 'claude', models: claudeModel });
    const { key } = await addToken(admin);
    const middle = (name: string, url: string, pid: number | undefined): Middle => {
      const target = { name, url, key: `sk-${key}` };
      return { ...target, pool: openPool(target), pid: pid ?? 0 };
    };
    const middles = {
      upstream: middle('upstream', upstreamUrl, upstream.pid),
      bare: middle('bare proxy', bareUrl, bare.pid),
      relay: middle('relay', product.url, product.pid),
    };
    const warm = shapes[0]?.body ?? Buffer.alloc(0);
    await eventually(() =>
      saturate(
        { pool: middles.relay.pool, target: middles.relay, body: warm },
        { count: 50, width: 4 },
      ),
    );
    const isApart = setApart([product.pid, bare.pid ?? 0]);
    console.log(isApart ? 'gateways alone on one core' : 'gateways share all cores with the rest');
    const rows: RelayRow[] = [];
    const wanted = shapes.filter(({ name }) => name.includes(only));
    await warmUp(middles, wanted);
    for (const shape of wanted) rows.push(await measure(middles, shape));
    for (const { pool } of Object.values(middles)) await pool.destroy();
    return rows;
  } finally {
    await product.stop();
    removeData(product);
    upstream.kill();
    bare.kill();
  }
};
