import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

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

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
};

/** Resolves once the server takes connections. @throws with what it said when it ends before */
export const launchNatsServer = async (
  args: readonly string[],
  cwd?: string,
): Promise<ChildProcess> => {
  const child = spawn('nats-server', args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  const lines = createInterface({ input: child.stderr });
  const output: string[] = [];
  for await (const line of lines) {
    output.push(line);
    if (!line.includes('Server is ready')) continue;
    child.stderr.resume();
    return child;
  }
  throw new Error(`nats-server did not start: ${output.join('\n')}`);
};

export const killNatsServer = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
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

const startBinary = async (): Promise<NatsServer> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-nats-'));
  const port = await freePort();
  const args = ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', dataDir];
  let child = await launchNatsServer(args);
  const restart = async (whileDown: () => Promise<void> = async () => undefined): Promise<void> => {
    await killNatsServer(child);
    await whileDown();
    child = await launchNatsServer(args);
  };
  return {
    url: `nats://127.0.0.1:${port}`,
    stop: async () => {
      await killNatsServer(child);
      for (const folder of [dataDir, `${dataDir}-kept`]) {
        await rm(folder, { recursive: true, force: true });
      }
    },
    restart: () => restart(),
    hang: async (ms) => {
      child.kill('SIGSTOP');
      await sleep(ms);
      child.kill('SIGCONT');
    },
    store: storeAt(dataDir, restart),
  };
};

const startContainer = async (): Promise<NatsServer> => {
  const { GenericContainer } = await import('testcontainers');
  const container = await new GenericContainer('nats:2-alpine')
    .withCommand(['-js'])
    .withExposedPorts(4222)
    .start();
  return {
    url: `nats://${container.getHost()}:${container.getMappedPort(4222)}`,
    stop: async () => void (await container.stop()),
    restart: null,
  };
};

const dockerAnswers = async (): Promise<boolean> => {
  const { getContainerRuntimeClient } = await import('testcontainers');
  return getContainerRuntimeClient().then(
    () => true,
    () => false,
  );
};

type Available =
  | Readonly<{ start: () => Promise<NatsServer> }>
  | Readonly<{ start: null; reason: string }>;

/**
 * The server named in `TEST_NATS_URL`, else the `nats-server` binary, else a container where
 * Docker answers, else the reason why there is none.
 */
export const findNatsServer = async (): Promise<Available> => {
  const url = process.env.TEST_NATS_URL;
  if (url) return { start: async () => ({ url, stop: async () => undefined, restart: null }) };
  if (hasBinary()) return { start: startBinary };
  if (await dockerAnswers()) return { start: startContainer };
  return { start: null, reason: 'no TEST_NATS_URL, no nats-server on the PATH, no Docker' };
};
