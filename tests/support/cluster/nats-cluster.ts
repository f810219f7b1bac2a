import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'nats';
import type { NatsProcess } from '../engines/containers.ts';
import { freePort } from '../free-port.ts';
import { launchNatsServer, type NatsServer } from '../nats-server.ts';
import { eventually } from '../product.ts';

const size = 3;

/** Three servers that keep three copies of each stream, so that the loss of any one is borne. */
export type NatsCluster = NatsServer &
  Readonly<{
    names: readonly string[];
    /** `kill -9` of one of them. */
    kill: (name: string) => Promise<void>;
    /** Starts it again on its own data, and waits until every copy of every stream is up to date. */
    revive: (name: string) => Promise<void>;
    /** The server that leads this stream. */
    leaderOf: (stream: RegExp) => Promise<string>;
  }>;

type Server = {
  readonly name: string;
  readonly port: number;
  readonly args: readonly string[];
  readonly folder: string;
  process: NatsProcess | null;
};

const serversOf = async (directory: string): Promise<readonly Server[]> => {
  const names = Array.from({ length: size }, (_, index) => `nats-${index + 1}`);
  const ports = await Promise.all(names.map(freePort));
  const routePorts = await Promise.all(names.map(freePort));
  const routes = routePorts.map((port) => `nats://127.0.0.1:${port}`).join(',');
  return names.map((name, index) => {
    const folder = join(directory, name);
    mkdirSync(folder);
    const own = ['-a', '127.0.0.1', '-p', String(ports[index]), '-n', name];
    const stores = ['-js', '-sd', join(folder, 'store')];
    const peers = ['--cluster_name', 'tests', '--cluster', `nats://127.0.0.1:${routePorts[index]}`];
    const args = [...own, ...stores, ...peers, '--routes', routes];
    return { name, port: ports[index] ?? 0, args, folder, process: null };
  });
};

export const startNatsCluster = async (): Promise<NatsCluster> => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-nats-cluster-'));
  const servers = await serversOf(directory);
  const url = servers.map(({ port }) => `nats://127.0.0.1:${port}`).join(',');
  const launch = async (server: Server): Promise<void> => {
    server.process = await launchNatsServer(server.args, server.folder);
  };
  await Promise.all(servers.map(launch));

  const serverOf = (name: string): Server => {
    const server = servers.find((candidate) => candidate.name === name);
    if (server === undefined) throw new Error(`no server is called ${name}`);
    return server;
  };

  const streams = async () => {
    const connection = await connect({ servers: url.split(',') });
    try {
      const manager = await connection.jetstreamManager();
      const found = [];
      for await (const { config } of manager.streams.list()) {
        found.push(await manager.streams.info(config.name));
      }
      return found;
    } finally {
      await connection.close();
    }
  };

  const untilCopied = (): Promise<void> =>
    eventually(async () => {
      for (const { config, cluster } of await streams()) {
        const copies = (cluster?.replicas ?? []).filter(({ current }) => current).length + 1;
        if (copies < config.num_replicas)
          throw new Error(`${copies} copies of ${config.name} are up to date`);
      }
    });

  await eventually(streams);
  return {
    url: url.split(',')[0] ?? '',
    urlOf: () => url,
    restart: null,
    names: servers.map(({ name }) => name),
    kill: async (name) => serverOf(name).process?.kill(),
    revive: async (name) => {
      await launch(serverOf(name));
      await untilCopied();
    },
    leaderOf: async (stream) => {
      const info = (await streams()).find(({ config }) => stream.test(config.name));
      if (info?.cluster?.leader === undefined) throw new Error(`nobody leads ${stream}`);
      return info.cluster.leader;
    },
    stop: async () => {
      await Promise.all(servers.map(({ process }) => process?.kill()));
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
