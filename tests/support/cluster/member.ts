import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type ClusterBuild, root } from './build.ts';

/** One process of a cluster through all its restarts. It is started again whenever it ends. */
export type Member = Readonly<{
  name: string;
  /** null while it is down. */
  pid: () => number | null;
  lives: () => number;
  log: () => string;
  /** `kill -9`; the next life begins after `downMs`. */
  kill: (downMs?: number) => Promise<void>;
  /** `kill -9`, and it stays down until `revive`. */
  fell: () => Promise<void>;
  revive: () => void;
  /** It hangs for a while: neither answers nor ends. */
  hang: (ms: number) => Promise<void>;
  /** SIGTERM, and it stays down. */
  stop: () => Promise<void>;
}>;

export type MemberPlan = Readonly<{
  name: string;
  build: ClusterBuild;
  /** Module, from the top of the build and without its ending. */
  entry: string;
  env: Readonly<Record<string, string>>;
  onMessage?: (message: unknown) => void;
}>;

const usualDownMs = 200;
const patienceMs = 30_000;

export const startMember = (plan: MemberPlan): Member => {
  let child: ChildProcess | null = null;
  let timer: NodeJS.Timeout | null = null;
  let downMs: number | null = usualDownMs;
  let lives = 0;
  let log = '';
  const keep = (part: Buffer): void => {
    log = (log + part.toString('utf8')).slice(-400_000);
  };

  const live = (): void => {
    timer = null;
    lives += 1;
    const life = fork(join(plan.build.folder, `${plan.entry}.js`), {
      cwd: root,
      execArgv: ['--enable-source-maps', '--min-semi-space-size=32', '--max-semi-space-size=32'],
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        LOG_LEVEL: 'info',
        API_RATE_LIMIT: '0',
        TOLLGATE_BUILD: plan.build.folder,
        ...plan.env,
      },
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    child = life;
    life.stdout?.on('data', keep);
    life.stderr?.on('data', keep);
    if (plan.onMessage !== undefined) life.on('message', plan.onMessage);
    life.once('exit', (code, signal) => {
      log += `\n--- ${plan.name}, life ${lives}: ended with ${signal ?? code}\n`;
      child = null;
      if (downMs !== null) timer = setTimeout(live, downMs);
    });
  };

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const life = child;
    if (life === null) return;
    const gone = new Promise<void>((resolve) => life.once('exit', () => resolve()));
    life.kill(signal);
    const force = setTimeout(() => life.kill('SIGKILL'), patienceMs);
    await gone;
    clearTimeout(force);
  };

  live();
  return {
    name: plan.name,
    pid: () => child?.pid ?? null,
    lives: () => lives,
    log: () => log,
    kill: async (ms = usualDownMs) => {
      if (child === null) return;
      downMs = ms;
      await end('SIGKILL');
      downMs = usualDownMs;
    },
    fell: async () => {
      downMs = null;
      await end('SIGKILL');
    },
    revive: () => {
      downMs = usualDownMs;
      if (child === null && timer === null) live();
    },
    hang: async (ms) => {
      child?.kill('SIGSTOP');
      await pause(ms);
      child?.kill('SIGCONT');
    },
    stop: async () => {
      downMs = null;
      await end('SIGTERM');
    },
  };
};
