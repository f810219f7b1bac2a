import { type ChildProcess, fork } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  addChannel,
  addToken,
  ConsoleClient,
  setUpSite,
} from '../../tests/support/console-client.ts';
import { eventually, type Product, removeData, startProduct } from '../../tests/support/product.ts';
import { type Certificate, makeCertificate } from './certificate.ts';
import {
  applyLoad,
  claudeModel,
  type Load,
  openPool,
  smallChat,
  type Target,
  tlsModel,
} from './load.ts';
import { profilerEnv } from './profile/profiler.ts';

/** The product of another checkout, which runs next to this one. */
export type OtherCheckout = Readonly<{
  folder: string;
  /** The executable that runs it; the one of this process when absent. */
  node?: string;
}>;

/** The bare proxy, this product, or that of the other checkout. */
export type GatewayName = 'bare' | 'own' | 'other';
export type Gateway = Readonly<{
  name: GatewayName;
  pid: number;
  /** Null for the bare proxy. */
  product: Product | null;
  /** By how the provider is reached. */
  targets: Readonly<{ plain: Target; overTls: Target }>;
}>;

export const targetOf = ({ targets }: Gateway, load: Load): Target =>
  load.overTls === true ? targets.overTls : targets.plain;

export type Plant = Readonly<{ gateways: readonly Gateway[]; stop: () => Promise<void> }>;

type Upstreams = Readonly<{ plain: string; overTls: string }>;

/** Starts a helper process; resolves with the first message, which has its ports. */
const startHelper = async <Ports extends object>(
  file: URL,
  env: Readonly<Record<string, string>>,
): Promise<{ child: ChildProcess; ports: Ports }> => {
  const child = fork(file, {
    env: { ...process.env, ...env },
    ...(file.pathname.endsWith('.mjs') && { execArgv: [] }),
  });
  const ports = await new Promise<Ports>((resolvePorts, reject) => {
    child.once('message', (message) => resolvePorts(message as Ports));
    child.once('exit', () => reject(new Error('a helper process of the benchmark ended')));
  });
  return { child, ports };
};

const startUpstream = (certificate: Certificate | null) =>
  startHelper<{ port: number }>(new URL('./upstream.ts', import.meta.url), {
    BENCH_TLS_KEY: certificate?.keyFile ?? '',
    BENCH_TLS_CERT: certificate?.certFile ?? '',
  });

const startBare = (upstreams: Upstreams, certFile: string) =>
  startHelper<{ port: number; tlsPort: number }>(new URL('./bare-proxy.mjs', import.meta.url), {
    BENCH_UPSTREAM: upstreams.plain,
    BENCH_TLS_UPSTREAM: upstreams.overTls,
    NODE_EXTRA_CA_CERTS: certFile,
    ...profilerEnv(),
  });

/** The most quota that a new user can have, and more than any run of the benchmarks spends. */
const plentyOfQuota = 2_147_483_647;

const addCaller = async (product: Product, admin: ConsoleClient): Promise<ConsoleClient> => {
  const caller = { username: 'caller', password: 'correct-horse' };
  await admin.ok('PUT', '/api/option/', { key: 'QuotaForNewUser', value: String(plentyOfQuota) });
  await admin.ok('POST', '/api/user/', caller);
  const client = new ConsoleClient(product.url);
  await eventually(() => client.login(caller.username, caller.password));
  return client;
};

/** A gateway serves for days: compiling the code after a start is no part of the cost of a call. */
const warmUpCalls = 8_000;

/** As long as keys of providers are: answers are searched for it, in each way in which it may be written. */
const providerKey = `sk-${'0123456789abcdefghijKLMN'.repeat(2)}`;

/** Adds channels to the provider with and without TLS; returns the token of a caller. */
const setUpProduct = async (product: Product, { plain, overTls }: Upstreams): Promise<string> => {
  const admin = await setUpSite(product.url);
  const key = providerKey;
  await addChannel(admin, plain, { key, models: 'gpt-4o-mini' });
  await addChannel(admin, plain, { key, type: 14, name: 'claude', models: claudeModel });
  await addChannel(admin, overTls, { key, name: 'over TLS', models: tlsModel });
  const token = await addToken(await addCaller(product, admin));
  return `sk-${token.key}`;
};

type ProductTools = Readonly<{ startProduct: typeof startProduct }>;

/** Started by its own tools; its packages must be installed. They take the executable of their own process. */
const startOther = async (
  { folder, node = process.execPath }: OtherCheckout,
  env: Readonly<Record<string, string>>,
): Promise<Product> => {
  const file = pathToFileURL(resolve(folder, 'tests/support/product.ts'));
  const tools: ProductTools = await import(String(file));
  const { execPath } = process;
  process.execPath = resolve(node);
  return tools.startProduct({ env }).finally(() => {
    process.execPath = execPath;
  });
};

const urlOf = (port: number, scheme = 'http'): string => `${scheme}://127.0.0.1:${port}`;

const productGateway = async (
  name: 'own' | 'other',
  product: Product,
  upstreams: Upstreams,
): Promise<Gateway> => {
  const target = { name, key: await setUpProduct(product, upstreams), pool: openPool(product.url) };
  return { name, pid: product.pid, product, targets: { plain: target, overTls: target } };
};

/** Providers with and without TLS, and in front of them a bare proxy, this product and that of another checkout. */
export const openPlant = async (other?: OtherCheckout): Promise<Plant> => {
  const certificate = makeCertificate();
  const products: Product[] = [];
  const children: ChildProcess[] = [];
  const gateways: Gateway[] = [];
  const stop = async (): Promise<void> => {
    for (const { targets } of gateways) {
      await Promise.all([targets.plain.pool.destroy(), targets.overTls.pool.destroy()]);
    }
    for (const product of products) {
      await product.stop();
      removeData(product);
    }
    certificate.remove();
    for (const child of children) child.kill();
  };
  try {
    const plain = await startUpstream(null);
    children.push(plain.child);
    const overTls = await startUpstream(certificate);
    children.push(overTls.child);
    const upstreams = {
      plain: urlOf(plain.ports.port),
      overTls: urlOf(overTls.ports.port, 'https'),
    };
    const bare = await startBare(upstreams, certificate.certFile);
    children.push(bare.child);
    const bareTarget = (port: number): Target => ({
      name: 'bare',
      key: '',
      pool: openPool(urlOf(port)),
    });
    gateways.push({
      name: 'bare',
      pid: bare.child.pid ?? 0,
      product: null,
      targets: { plain: bareTarget(bare.ports.port), overTls: bareTarget(bare.ports.tlsPort) },
    });
    const env = { LOG_LEVEL: 'warn', NODE_EXTRA_CA_CERTS: certificate.certFile };
    products.push(await startProduct({ env: { ...env, ...profilerEnv() } }));
    if (other !== undefined) products.push(await startOther(other, env));
    for (const [i, product] of products.entries()) {
      gateways.push(await productGateway(i === 0 ? 'own' : 'other', product, upstreams));
    }
    const calls = { name: 'warm-up', body: smallChat, perSecond: null, perRound: 50 };
    for (const { targets } of gateways) {
      await eventually(() => applyLoad(targets.plain, calls));
      await applyLoad(targets.plain, calls, warmUpCalls);
    }
    return { gateways, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
