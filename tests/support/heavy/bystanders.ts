import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

const file = (name: string): URL => new URL(name, import.meta.url);

export type LoopDelays = Readonly<{
  /** What the product is started with. */
  env: Readonly<Record<string, string>>;
  /** The longest time in milliseconds that a process was held up since `sinceMs`. */
  longest: (pid: number, sinceMs: number) => number;
}>;

export const watchLoopDelays = (): LoopDelays => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-delays-'));
  return {
    env: {
      LOOP_DELAY_DIR: folder,
      NODE_OPTIONS: `--import ${file('./loop-delay.mjs').href}`,
    },
    longest: (pid, sinceMs) => {
      if (!readdirSync(folder).includes(String(pid))) throw new Error(`no delays of ${pid}`);
      const lines = readFileSync(join(folder, String(pid)), 'utf8')
        .trim()
        .split('\n');
      return lines
        .map((line) => line.split(' ').map(Number))
        .filter(([at = 0]) => at >= sinceMs)
        .reduce((most, [, ms = 0]) => Math.max(most, ms), 0);
    },
  };
};

type Call = Readonly<{ ms: number; status: number }>;
export type Bystanders = Readonly<{
  /** Address of their provider. */
  provider: string;
  /** What they saw while the work went on. */
  during: <T>(url: string, key: string, work: () => Promise<T>) => Promise<Seen<T>>;
  close: () => Promise<void>;
}>;
type Seen<T> = Readonly<{ calls: number; failed: number; p99: number; result: T }>;

/** @throws what the thread dies of */
const next = async <T>(worker: Worker): Promise<T> => {
  const [message] = await once(worker, 'message');
  return message as T;
};

const percentile = (calls: readonly Call[], share: number): number => {
  const sorted = calls.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};

/** Callers of short chats, whose latencies show what other calls do to the gateway. */
export const startBystanders = async (): Promise<Bystanders> => {
  const worker = new Worker(file('./small-callers.mjs'));
  const { port } = await next<{ port: number }>(worker);
  return {
    provider: `http://127.0.0.1:${port}`,
    during: async (url, key, work) => {
      const stop = new Int32Array(new SharedArrayBuffer(4));
      const seen = next<{ calls?: readonly Call[]; error?: string }>(worker);
      worker.postMessage({ url, key, stop });
      const result = await work().finally(() => Atomics.store(stop, 0, 1));
      const { calls = [], error } = await seen;
      if (error !== undefined) throw new Error(error);
      const failed = calls.filter(({ status }) => status !== 200).length;
      return { calls: calls.length, failed, p99: percentile(calls, 0.99), result };
    },
    close: async () => {
      await worker.terminate();
    },
  };
};
