import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'nats';
import { choiceOf } from './engines/choice.ts';
import type { NatsProcess } from './engines/containers.ts';
import { freePort } from './free-port.ts';

/** A NATS server with JetStream for one test file. */
export type NatsServer = Readonly<{
  url: string;
  /** Where it has users: the address with the credentials of one. `port`: of a line between. */
  urlOf?: (user: string, options?: Readonly<{ port?: number; password?: string }>) => string;
  stop: () => Promise<void>;
  /** Kills it and starts it again on the same port and data; null where it is not ours to kill. */
  restart: (() => Promise<void>) | null;
  /** It hangs for a while: neither answers nor ends. */
  hang?: (ms: number) => Promise<void>;
  /** What it stores, to be put back while it is down; null where that is not ours to touch. */
  store?: NatsStore | null;
}>;

export type NatsStore = Readonly<{
  /** Keeps a copy of the store as it is now. */
  keep: () => Promise<void>;
  /** Kills the server and starts it with the copy, or with nothing where none was kept. */
  putBack: () => Promise<void>;
}>;

const hasBinary = (): boolean => spawnSync('nats-server', ['--version']).status === 0;

/** Of the server that `launchNatsServer` starts: major and minor. */
export const natsServerVersion = (): readonly [number, number] => {
  const choice = choiceOf('nats');
  const output =
    choice.source === 'container'
      ? execFileSync('docker', ['run', '--rm', choice.image, '--version'], { encoding: 'utf8' })
      : execFileSync('nats-server', ['--version'], { encoding: 'utf8' });
  const [, major, minor] = /v(\d+)\.(\d+)/.exec(output) ?? [];
  return [Number(major), Number(minor)];
};

/** Of the server's output, so many pieces are kept for the report of an unexpected end. */
const keptOutput = 50;

/** @throws with the server's output when it ends before it takes connections */
const launchBinary = async (args: readonly string[], folder: string): Promise<NatsProcess> => {
  const child = spawn('nats-server', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const signal = (name: NodeJS.Signals) => async (): Promise<void> => void child.kill(name);
  const lines = createInterface({ input: child.stderr });
  const output: string[] = [];
  for await (const line of lines) {
    output.push(line);
    if (!line.includes('Server is ready')) continue;
    child.stderr.on('data', (text: Buffer) => {
      output.push(text.toString('utf8'));
      if (output.length > keptOutput) output.shift();
    });
    child.stderr.resume();
    child.once('exit', (code, by) => {
      if (by !== 'SIGKILL')
        console.error(`nats-server ended (${code ?? by}): ${output.join('\n')}`);
    });
    return {
      kill: async () => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const gone = once(child, 'exit');
        child.kill('SIGKILL');
        await gone;
      },
      pause: signal('SIGSTOP'),
      resume: signal('SIGCONT'),
    };
  }
  throw new Error(`nats-server did not start: ${output.join('\n')}`);
};

/** Resolves once the server takes connections, in the way that was chosen for this run. */
export const launchNatsServer = async (
  args: readonly string[],
  folder: string,
): Promise<NatsProcess> => {
  const choice = choiceOf('nats');
  if (choice.source !== 'container') return launchBinary(args, folder);
  const { startNatsContainer } = await import('./engines/containers.ts');
  return startNatsContainer(choice.image, args, folder).catch((error: unknown) => {
    if (!hasBinary()) throw error;
    console.warn(`no container of ${choice.image}, nats-server instead: ${String(error)}`);
    return launchBinary(args, folder);
  });
};

/** @param restart kills the server, does the work while it is down, and starts it again */
const storeAt = (
  dataDir: string,
  restart: (whileDown: () => Promise<void>) => Promise<void>,
): NatsStore => {
  const kept = `${dataDir}-kept`;
  let isKept = false;
  return {
    keep: async () => {
      await restart(async () => {
        await rm(kept, { recursive: true, force: true });
        await cp(dataDir, kept, { recursive: true });
      });
      isKept = true;
    },
    putBack: () =>
      restart(async () => {
        await rm(dataDir, { recursive: true, force: true });
        if (isKept) await cp(kept, dataDir, { recursive: true });
      }),
  };
};

const startOwn = async (): Promise<NatsServer> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-nats-'));
  const port = await freePort();
  const store = join(dataDir, 'store');
  const args = ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', store];
  let server = await launchNatsServer(args, dataDir);
  const restart = async (whileDown: () => Promise<void> = async () => undefined): Promise<void> => {
    await server.kill();
    await whileDown();
    server = await launchNatsServer(args, dataDir);
  };
  return {
    url: `nats://127.0.0.1:${port}`,
    stop: async () => {
      await server.kill();
      await rm(dataDir, { recursive: true, force: true });
    },
    restart: () => restart(),
    hang: async (ms) => {
      await server.pause();
      await sleep(ms);
      await server.resume();
    },
    store: storeAt(store, restart),
  };
};

/** A named server may hold what an earlier suite left: streams and buckets of the product go. */
const clean = async (url: string): Promise<void> => {
  const connection = await connect({ servers: url });
  const manager = await connection.jetstreamManager();
  for await (const { config } of manager.streams.list()) {
    if (/^(KV_)?tollgate-/.test(config.name)) await manager.streams.delete(config.name);
  }
  await connection.close();
};

type Available =
  | Readonly<{ start: () => Promise<NatsServer> }>
  | Readonly<{ start: null; reason: string }>;

/** The server named in `TEST_NATS_URL`, else a container, else `nats-server`, else why there is none. */
export const findNatsServer = async (): Promise<Available> => {
  const choice = choiceOf('nats');
  if (choice.source === 'url') {
    const { url } = choice;
    const start = async (): Promise<NatsServer> => {
      await clean(url);
      return { url, stop: async () => undefined, restart: null };
    };
    return { start };
  }
  if (choice.source === 'container' || hasBinary()) return { start: startOwn };
  return { start: null, reason: 'no TEST_NATS_URL, no Docker with its image, no nats-server' };
};
