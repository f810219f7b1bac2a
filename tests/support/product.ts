import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { killTree, treeOf, untilGone } from './processes.ts';

/** As in package.json's `start`. */
const flags = ['--enable-source-maps', '--min-semi-space-size=32', '--max-semi-space-size=32'];
const root = new URL('../..', import.meta.url).pathname;

/** Retries until it holds. Fails with the last reason after `patienceMs`. */
export const eventually = async <T>(ask: () => Promise<T>, patienceMs = 60_000): Promise<T> => {
  const until = Date.now() + patienceMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (Date.now() > until) throw error;
      await sleep(50);
    }
  }
};

export type Product = Readonly<{
  url: string;
  dataDir: string;
  pid: number;
  /** Where this machine reads metrics, once the product is open. */
  metricsUrl: () => string;
  /** Everything the processes wrote. */
  log: () => string;
  /** SIGTERM, and waits until the whole tree is gone. */
  stop: () => Promise<void>;
  /** `kill -9` of the whole tree at one moment. */
  kill: () => Promise<void>;
}>;

export type ProductOptions = Readonly<{
  dataDir?: string;
  port?: number;
  env?: Readonly<Record<string, string>>;
  /** How many files and sockets each of its processes may have open; as usual here when absent. */
  openFiles?: number;
}>;

/** Starts the product as `npm start` does, on a free port of 127.0.0.1. */
export const startProduct = async (options: ProductOptions = {}): Promise<Product> => {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'tollgate-test-'));
  const port = options.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const node = [process.execPath, ...flags, 'infra/tooling/start.mjs', 'all-in-one'];
  const limit = options.openFiles === undefined ? '' : `ulimit -n ${options.openFiles}; `;
  const child = spawn('sh', ['-c', `${limit}exec "$@"`, 'sh', ...node], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'info',
      API_RATE_LIMIT: '0',
      API_USER_RATE_LIMIT: '0',
      METRICS_PORT: '0',
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('the product could not be started');
  let log = '';
  const keep = (part: Buffer): void => {
    log = (log + part.toString('utf8')).slice(-1_000_000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  let exited = false;
  const exit = new Promise<void>((resolve) =>
    child.once('exit', () => {
      exited = true;
      resolve();
    }),
  );
  await eventually(async () => {
    if (exited) return;
    const answer = await fetch(`${url}/api/status`);
    if (!answer.ok) throw new Error(`status ${answer.status}\n${log}`);
    await answer.body?.cancel();
  }, 90_000).catch((error) => {
    killTree(pid);
    throw new Error(`the product did not start: ${String(error)}\n${log.slice(-8_000)}`);
  });
  if (exited) throw new Error(`the product ended at once:\n${log.slice(-8_000)}`);
  return {
    url,
    dataDir,
    pid,
    metricsUrl: () => JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8')).metricsUrl,
    log: () => log,
    stop: async () => {
      const pids = treeOf(pid);
      child.kill('SIGTERM');
      await exit;
      await untilGone(pids);
    },
    kill: async () => {
      await untilGone(killTree(pid));
    },
  };
};

export const removeData = (product: Product): void =>
  rmSync(product.dataDir, { recursive: true, force: true });
