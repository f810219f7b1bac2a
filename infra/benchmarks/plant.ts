import { type ChildProcess, fork } from 'node:child_process';
import type { Pool } from 'undici';
import {
  addChannel,
  addToken,
  ConsoleClient,
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
import { profilerEnv } from './profile/profiler.ts';

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
      ...profilerEnv(),
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

/** The most that a newcomer can be given, and more than any run of the benchmarks spends. */
const plentyOfQuota = 2_147_483_647;

const addCaller = async (product: Product, admin: ConsoleClient): Promise<ConsoleClient> => {
  const caller = { username: 'caller', password: 'correct-horse' };
  await admin.ok('PUT', '/api/option/', { key: 'QuotaForNewUser', value: String(plentyOfQuota) });
  await admin.ok('POST', '/api/user/', caller);
  const client = new ConsoleClient(product.url);
  await eventually(() => client.login(caller.username, caller.password));
  return client;
};

/** What starts a product of any version. */
export type ProductTools = Readonly<{
  startProduct: typeof startProduct;
  removeData: typeof removeData;
}>;

/** As long as keys of providers are: answers are searched for it, in each way in which it may be written. */
const providerKey = `sk-${'0123456789abcdefghijKLMN'.repeat(2)}`;

/** Channels to a provider with and without TLS, and the token of a caller. */
export const openSiteOf = async (
  product: Product,
  { plain, overTls }: Readonly<{ plain: string; overTls: string }>,
): Promise<string> => {
  const admin = await setUpSite(product.url);
  const key = providerKey;
  await addChannel(admin, plain, { key, models: 'gpt-4o-mini' });
  await addChannel(admin, plain, { key, type: 14, name: 'claude', models: claudeModel });
  await addChannel(admin, overTls, { key, name: 'over TLS', models: tlsModel });
  const token = await addToken(await addCaller(product, admin));
  return `sk-${token.key}`;
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
    env: { LOG_LEVEL: 'warn', NODE_EXTRA_CA_CERTS: certificate.certFile, ...profilerEnv() },
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
    const urls = { plain: sideOf(0).upstream.url, overTls: sideOf(1).upstream.url };
    const key = await openSiteOf(product, urls);
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
