import { type ChildProcess, fork } from 'node:child_process';
import type { Pool } from 'undici';
import { addChannel, addToken, setUpSite } from '../../tests/support/console-client.ts';
import { cpuMicros, treeOf } from '../../tests/support/processes.ts';
import { eventually, removeData, startProduct } from '../../tests/support/product.ts';
import {
  median,
  openPool,
  quantile,
  type Shape,
  saturate,
  shapes,
  steady,
  type Target,
} from './load.ts';

const rounds = 7;
const roundMs = 1_500;
const lanes = 32;

export type RelayRow = Readonly<{
  shape: string;
  /** Requests per second, saturated, median of the rounds. */
  perSecond: Readonly<Record<'upstream' | 'bare' | 'relay', number>>;
  /** CPU of the process in the middle per request, microseconds. */
  cpuMicros: Readonly<{ bare: number; relay: number; allOfTollgate: number }>;
  cpuRatio: number;
  cpuRatioAll: number;
  /** Milliseconds above the bare proxy at 200 requests/s. */
  addedMs: Readonly<{ p50: number; p99: number }>;
  /** Milliseconds above the upstream alone at 200 requests/s. */
  aboveUpstreamMs: Readonly<{ p50: number; p99: number }>;
}>;

const portOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    child.once('message', (message) => resolve((message as { port: number }).port));
    child.once('exit', () => reject(new Error('a helper process of the benchmark ended')));
  });

type Middle = Target & Readonly<{ pool: Pool; pids: () => readonly number[] }>;
type Sample = { done: number; micros: number; allMicros: number };

const round = async (middle: Middle, body: Buffer): Promise<Sample> => {
  const [own = 0, ...others] = middle.pids();
  const cpu = () => cpuMicros(own);
  const rest = () => others.reduce((sum, pid) => sum + cpuMicros(pid), 0);
  const before = { own: cpu(), rest: rest() };
  const done = await saturate({ pool: middle.pool, target: middle, body }, { ms: roundMs, lanes });
  const micros = cpu() - before.own;
  return { done, micros, allMicros: micros + rest() - before.rest };
};

const measure = async (
  middles: Readonly<Record<'upstream' | 'bare' | 'relay', Middle>>,
  shape: Shape,
) => {
  const samples = { upstream: [] as Sample[], bare: [] as Sample[], relay: [] as Sample[] };
  const names = ['upstream', 'bare', 'relay'] as const;
  for (const name of names) await round(middles[name], shape.body);
  for (let i = 0; i < rounds; i += 1) {
    for (const name of names) samples[name].push(await round(middles[name], shape.body));
  }
  const perSecond = (name: (typeof names)[number]) =>
    median(samples[name].map(({ done }) => (done * 1_000) / roundMs));
  const micros = (name: (typeof names)[number]) =>
    median(samples[name].map((sample) => sample.micros / sample.done));
  const latencies = { upstream: [] as number[], bare: [] as number[], relay: [] as number[] };
  for (let i = 0; i < 5; i += 1) {
    for (const name of names) {
      const target = middles[name];
      const plan = { pool: target.pool, target, body: shape.body };
      latencies[name].push(...(await steady(plan, { perSecond: 200, count: 300 })));
    }
  }
  const above = (name: 'bare' | 'upstream', q: number) =>
    quantile(latencies.relay, q) - quantile(latencies[name], q);
  const allOfTollgate = median(samples.relay.map((s) => s.allMicros / s.done));
  const row: RelayRow = {
    shape: shape.name,
    perSecond: {
      upstream: perSecond('upstream'),
      bare: perSecond('bare'),
      relay: perSecond('relay'),
    },
    cpuMicros: { bare: micros('bare'), relay: micros('relay'), allOfTollgate },
    cpuRatio: micros('relay') / micros('bare'),
    cpuRatioAll: allOfTollgate / micros('bare'),
    addedMs: { p50: above('bare', 0.5), p99: above('bare', 0.99) },
    aboveUpstreamMs: { p50: above('upstream', 0.5), p99: above('upstream', 0.99) },
  };
  return row;
};

/** The relay of the all-in-one run against a bare proxy and against the upstream alone. */
export const benchRelay = async (): Promise<RelayRow[]> => {
  const upstream = fork(new URL('./upstream.ts', import.meta.url));
  const upstreamUrl = `http://127.0.0.1:${await portOf(upstream)}`;
  const bare = fork(new URL('./bare-proxy.ts', import.meta.url), {
    env: { ...process.env, BENCH_UPSTREAM: upstreamUrl },
  });
  const bareUrl = `http://127.0.0.1:${await portOf(bare)}`;
  const product = await startProduct({ env: { LOG_LEVEL: 'warn' } });
  try {
    const admin = await setUpSite(product.url);
    await addChannel(admin, upstreamUrl);
    const { key } = await addToken(admin);
    const middle = (name: string, url: string, pids: () => readonly number[]): Middle => {
      const target = { name, url, key: `sk-${key}` };
      return { ...target, pool: openPool(target), pids };
    };
    const tree = treeOf(product.pid);
    const middles = {
      upstream: middle('upstream', upstreamUrl, () => [upstream.pid ?? 0]),
      bare: middle('bare proxy', bareUrl, () => [bare.pid ?? 0]),
      relay: middle('relay', product.url, () => tree),
    };
    await eventually(() =>
      saturate(
        {
          pool: middles.relay.pool,
          target: middles.relay,
          body: shapes[0]?.body ?? Buffer.alloc(0),
        },
        { ms: 200, lanes: 4 },
      ),
    );
    const rows: RelayRow[] = [];
    for (const shape of shapes) rows.push(await measure(middles, shape));
    for (const { pool } of Object.values(middles)) await pool.destroy();
    return rows;
  } finally {
    await product.stop();
    removeData(product);
    upstream.kill();
    bare.kill();
  }
};
