import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { launchNatsServer, type NatsServer, natsServerVersion } from '../nats-server.ts';

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
  const [major, minor] = natsServerVersion();
  return major === 2 && minor < 10;
};

/** The provided file, with the addresses and folders of a test and nothing else changed. */
const configFor = (port: number, dataDir: string): string => {
  const text = readFileSync(provided, 'utf8')
    .replace('"0.0.0.0:4222"', `"127.0.0.1:${port}"`)
    .replace(/^http: .*$/m, '')
    .replace('"/data"', JSON.stringify(dataDir));
  return isBefore210() ? text.replace(/^ *sync_interval: .*$/m, '') : text;
};

const launch = (folder: string) => launchNatsServer(['-c', 'nats.conf'], folder);

export const startRoleNats = async (secrets: ClusterSecrets): Promise<RoleNats> => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-nats-'));
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  cpSync(join(secrets.folder, 'nats'), join(folder, 'secrets'), { recursive: true });
  const port = await freePort();
  writeFileSync(join(folder, 'nats.conf'), configFor(port, dataDir));
  let server = await launch(folder);
  const restart = async (): Promise<void> => {
    await server.kill();
    server = await launch(folder);
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
      await server.kill();
      rmSync(dataDir, { recursive: true, force: true });
      mkdirSync(dataDir);
      server = await launch(folder);
    },
    stop: async () => {
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
