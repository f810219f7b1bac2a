import { type ChildProcess, fork } from 'node:child_process';
import type { Pool } from 'undici';
import {
  addChannel,
  addToken,
  type ConsoleClient,
  setUpSite,
} from '../../tests/support/console-client.ts';
import { eventually, type Product, removeData, startProduct } from '../../tests/support/product.ts';
import { type Certificate, makeCertificate } from './certificate.ts';
import { portOf } from './forked.ts';
import {
  claudeModel,
  openPool,
  type Shape,
  saturate,
  shapes,
  type Target,
  tlsModel,
} from './load.ts';

/** What a call is sent to: the provider itself, the bare proxy before it, or the relay. */
export type Middle = Target & Readonly<{ pool: Pool; pid: number }>;
export const middleNames = ['upstream', 'bare', 'relay'] as const;
export type MiddleName = (typeof middleNames)[number];
export type Middles = Readonly<Record<MiddleName, Middle>>;

export type Plant = Readonly<{
  product: Product;
  /** Those before the provider that a shape of call wants. */
  middlesOf: (shape: Pick<Shape, 'overTls'>) => Middles;
  /** The processes of the gateways that are compared. */
  gateways: readonly number[];
  stop: () => Promise<void>;
}>;

type Served = Readonly<{ child: ChildProcess; url: string }>;

const startUpstream = async (certificate: Certificate | null): Promise<Served> => {
  const { keyFile = '', certFile = '' } = certificate ?? {};
  const child = fork(new URL('./upstream.ts', import.meta.url), {
    env: { ...process.env, BENCH_TLS_KEY: keyFile, BENCH_TLS_CERT: certFile },
  });
  const scheme = certificate === null ? 'http' : 'https';
  return { child, url: `${scheme}://127.0.0.1:${await portOf(child)}` };
};

const startBare = async (
  upstream: Served,
  { trusted, connections }: Readonly<{ trusted: string; connections: number }>,
): Promise<Served> => {
  const child = fork(new URL('./bare-proxy.mjs', import.meta.url), {
    env: {
      ...process.env,
      BENCH_UPSTREAM: upstream.url,
      BENCH_CONNECTIONS: String(connections),
      NODE_EXTRA_CA_CERTS: trusted,
    },
    execArgv: [],
  });
  return { child, url: `http://127.0.0.1:${await portOf(child)}` };
};

const middle = (target: Target, pid: number | undefined): Middle => ({
  ...target,
  pool: openPool(target),
  pid: pid ?? 0,
});

type Side = Readonly<{ upstream: Served; bare: Served }>;

const middlesBefore = ({ upstream, bare }: Side, product: Product, key: string): Middles => ({
  upstream: middle({ name: 'upstream', url: upstream.url, key }, upstream.child.pid),
  bare: middle({ name: 'bare proxy', url: bare.url, key }, bare.child.pid),
  relay: middle({ name: 'relay', url: product.url, key }, product.pid),
});

/** More than any run of the benchmarks can spend: one that runs out is refused, and ends the run. */
const plentyOfQuota = 1_000_000_000_000;

const giveQuota = async (admin: ConsoleClient): Promise<void> => {
  const code = { name: 'benchmark', count: 1, quota: plentyOfQuota };
  const [key] = await admin.ok<string[]>('POST', '/api/redemption/', code);
  await admin.ok('POST', '/api/user/topup', { key });
};

const openSite = async (product: Product, plain: Side, overTls: Side): Promise<string> => {
  const admin = await setUpSite(product.url);
  await addChannel(admin, plain.upstream.url, { models: 'gpt-4o-mini' });
  await addChannel(admin, plain.upstream.url, { type: 14, name: 'claude', models: claudeModel });
  await addChannel(admin, overTls.upstream.url, { name: 'over TLS', models: tlsModel });
  await giveQuota(admin);
  const { key } = await addToken(admin);
  return `sk-${key}`;
};

/**
 * The all-in-one run as `npm start` has it, a provider with and without TLS, and a bare proxy before each.
 * `connections`: of a bare proxy to its provider, at most.
 */
export const openPlant = async ({ connections = 256 } = {}): Promise<Plant> => {
  const certificate = makeCertificate();
  const upstreams = await Promise.all([startUpstream(null), startUpstream(certificate)]);
  const bares = await Promise.all(
    upstreams.map((upstream) =>
      startBare(upstream, { trusted: certificate.certFile, connections }),
    ),
  );
  const children = [...upstreams, ...bares].map(({ child }) => child);
  const product = await startProduct({
    env: { LOG_LEVEL: 'warn', NODE_EXTRA_CA_CERTS: certificate.certFile },
  });
  const stop = async (): Promise<void> => {
    await product.stop();
    removeData(product);
    certificate.remove();
    for (const child of children) child.kill();
  };
  const sideOf = (at: 0 | 1): Side => {
    const [upstream, bare] = [upstreams[at], bares[at]];
    if (upstream === undefined || bare === undefined) throw new Error('a process is missing');
    return { upstream, bare };
  };
  try {
    const key = await openSite(product, sideOf(0), sideOf(1));
    const plain = middlesBefore(sideOf(0), product, key);
    // Certificates are the gateways' concern: the provider is asked without TLS where it is asked directly.
    const overTls = { ...middlesBefore(sideOf(1), product, key), upstream: plain.upstream };
    const body = shapes[0]?.body ?? Buffer.alloc(0);
    for (const target of [plain.relay, plain.bare]) {
      const flow = { pool: target.pool, target, body };
      await eventually(() => saturate(flow, { count: 50, width: 4 }));
    }
    const pools = [plain, overTls].flatMap((middles) => Object.values(middles));
    return {
      product,
      middlesOf: (shape) => (shape.overTls === true ? overTls : plain),
      gateways: [product.pid, ...bares.map(({ child }) => child.pid ?? 0)],
      stop: async () => {
        await Promise.all(pools.map(({ pool }) => pool.destroy()));
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
