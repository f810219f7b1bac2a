import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { NatsServer } from '../nats-server.ts';
import { freePort } from '../product.ts';
import type { ClusterSecrets } from './secrets.ts';

export type NatsUser = 'command-api' | 'projections' | 'relay-0' | 'relay-1';

/** A server with the users and permissions that are provided for a cluster. */
export type RoleNats = NatsServer &
  Readonly<{
    port: number;
    urlOf: NonNullable<NatsServer['urlOf']>;
    /** Kills it, and starts it with no stream left. */
    loseData: () => Promise<void>;
  }>;

const provided = new URL('../../../infra/nats/nats.conf', import.meta.url).pathname;

const isBefore210 = (): boolean => {
  const version = /v(\d+)\.(\d+)/.exec(
    execFileSync('nats-server', ['--version'], { encoding: 'utf8' }),
  );
  return Number(version?.[1]) === 2 && Number(version?.[2]) < 10;
};

/** The provided file, with the addresses and folders of a test and nothing else changed. */
const configFor = (port: number, dataDir: string): string => {
  const text = readFileSync(provided, 'utf8')
    .replace('"0.0.0.0:4222"', `"127.0.0.1:${port}"`)
    .replace(/^http: .*$/m, '')
    .replace('"/data"', JSON.stringify(dataDir));
  return isBefore210() ? text.replace(/^ *sync_interval: .*$/m, '') : text;
};

const launch = async (folder: string): Promise<ChildProcess> => {
  const child = spawn('nats-server', ['-c', 'nats.conf'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const output: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    output.push(line);
    if (!line.includes('Server is ready')) continue;
    child.stderr.resume();
    return child;
  }
  throw new Error(`nats-server did not start: ${output.join('\n')}`);
};

const kill = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
};

export const startRoleNats = async (secrets: ClusterSecrets): Promise<RoleNats> => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-nats-'));
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  cpSync(join(secrets.folder, 'nats'), join(folder, 'secrets'), { recursive: true });
  const port = await freePort();
  writeFileSync(join(folder, 'nats.conf'), configFor(port, dataDir));
  let child = await launch(folder);
  const restart = async (): Promise<void> => {
    await kill(child);
    child = await launch(folder);
  };
  return {
    url: `tls://127.0.0.1:${port}`,
    port,
    urlOf: (user, options = {}) => {
      const password = options.password ?? secrets.read(`nats-${user}-password`);
      const caFile = encodeURIComponent(secrets.caFile);
      return `tls://${user}:${password}@127.0.0.1:${options.port ?? port}?caFile=${caFile}`;
    },
    restart,
    loseData: async () => {
      await kill(child);
      rmSync(dataDir, { recursive: true, force: true });
      mkdirSync(dataDir);
      child = await launch(folder);
    },
    stop: async () => {
      await kill(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
