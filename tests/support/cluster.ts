import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEventStore } from '../../infra/event-store/create-event-store.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import type { VerifyReport } from '../../infra/ports/verify.ts';
import { buildCluster } from './cluster/build.ts';
import { type Engines, startEngines } from './cluster/engines.ts';
import { type Line, openLine } from './cluster/line.ts';
import { createMachine, type Machine } from './cluster/machine.ts';
import { type Member, startMember } from './cluster/member.ts';
import { startClusterProxy } from './cluster/proxy.ts';
import { runVerify } from './cluster/verify.ts';
import { freePort } from './free-port.ts';
import type { NatsServer } from './nats-server.ts';
import { eventually } from './product.ts';
import { silentLogger } from './silent-logger.ts';

export type ClusterSize = Readonly<{ relays: number; commandApis: number; projections: number }>;
export type ClusterOptions = Readonly<{
  env?: Readonly<Record<string, string>>;
  /** Gives every process a clock and a disk that a test may spoil. */
  hasMachines?: boolean;
  /** Gives PostgreSQL a disk of this size. */
  diskMb?: number;
  /** Engines from where this run has them: no test of the cluster kills PostgreSQL or the log. */
  enginesAsChosen?: boolean;
}>;

/** The product as separate processes over NATS, on one machine and behind one origin. */
export type Cluster = Readonly<{
  /** The one origin, as behind the reverse proxy. */
  url: string;
  /** Where each process has its data, in a folder of its name. */
  folder: string;
  engines: Engines;
  relays: readonly Member[];
  /** Between a process and NATS, by the name of the process. */
  natsLines: ReadonlyMap<string, Line>;
  /** By the name of the process; empty without `hasMachines`. */
  machines: ReadonlyMap<string, Machine>;
  /** Addresses of the relays themselves. */
  relayUrls: readonly string[];
  commandApis: readonly Member[];
  commandApiUrls: readonly string[];
  projections: readonly Member[];
  projectionUrls: readonly string[];
  /** `npm run verify` over the log and the read models; leases of the named relays may be open. */
  verify: (aliveRelays?: readonly string[]) => Promise<VerifyReport>;
  /** The environment of a further process of the cluster, but for its port and data folder. */
  env: Readonly<Record<string, string>>;
  /** The log, read on its own and not through any read model. */
  openLog: () => EventStore;
  stop: () => Promise<void>;
}>;

type Kind = Readonly<{ members: readonly Member[]; ports: readonly number[]; urls: string[] }>;

/** The master key of every cluster. */
export const clusterSecret = 'a-secret-for-tests-that-is-long-enough-to-be-taken';

/** The user of a process at NATS, where that has users. */
const userOf = (process: string, index: number): string =>
  process === 'relay' ? `relay-${index}` : process;

const urlOf = (port: number): string => `http://127.0.0.1:${port}`;

/** Where the process at an address has its metrics and the details of its readiness. */
const metricsUrls = new Map<string, string>();

/** The process's report of its parts; throws while it does not answer. */
export const readiness = async (
  url: string,
): Promise<Readonly<{ ok: boolean; parts: { name: string; ok: boolean; detail: unknown }[] }>> => {
  const answer = await fetch(`${metricsUrls.get(url)}/readyz`);
  return (await answer.json()) as Awaited<ReturnType<typeof readiness>>;
};

/** The metrics of the process at an address, as Prometheus reads them. */
export const metricsOf = async (url: string): Promise<string> =>
  (await fetch(`${metricsUrls.get(url)}/metrics`)).text();

/** Less than the hooks of the suites have, so that the process that is not ready is named. */
const startPatienceMs = 90_000;

const untilReady = async (kinds: readonly Kind[]): Promise<void> => {
  for (const { members, urls } of kinds) {
    for (const [index, url] of urls.entries()) {
      await eventually(async () => {
        if (!(await readiness(url)).ok) throw new Error('not ready');
      }, startPatienceMs).catch((error: unknown) => {
        const log = members[index]?.log().slice(-6_000);
        throw new Error(`${members[index]?.name} is not ready: ${String(error)}\n${log}`);
      });
    }
  }
};

export const startCluster = async (
  nats: NatsServer,
  size: ClusterSize,
  { env = {}, hasMachines = false, diskMb, enginesAsChosen = false }: ClusterOptions = {},
): Promise<Cluster> => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-cluster-'));
  chmodSync(directory, 0o755);
  const build = await buildCluster();
  const machines = new Map<string, Machine>();
  const machineOf = (name: string): Machine => {
    const machine = createMachine(directory, name);
    machines.set(name, machine);
    return machine;
  };
  const engines = await startEngines(nats, build, {
    directory,
    asChosen: enginesAsChosen,
    ...(diskMb === undefined ? {} : { diskMb }),
    ...(hasMachines ? { eventStoreMachine: machineOf('event-store') } : {}),
  });
  const shared = {
    HOST: '127.0.0.1',
    EVENTSTORE_URL: engines.eventStoreUrl,
    DATABASE_URL: engines.databaseUrl,
    SECRET_KEY: clusterSecret,
    TRUSTED_PROXIES: '127.0.0.1',
    LEASE_TTL_SECONDS: '10',
    ...env,
  };

  const natsUrlOf = (user: string, port?: number): string => {
    if (nats.urlOf !== undefined) return nats.urlOf(user, port === undefined ? {} : { port });
    return port === undefined ? nats.url : `nats://127.0.0.1:${port}`;
  };

  const { hostname, port: natsPort } = new URL(nats.url);
  const natsAt = { host: hostname, port: Number(natsPort) };
  const natsLines = new Map<string, Line>();

  const start = async (process: string, count: number): Promise<Kind> => {
    const ports = await Promise.all(Array.from({ length: count }, freePort));
    const metricsPorts = await Promise.all(Array.from({ length: count }, freePort));
    const lines = await Promise.all(Array.from({ length: count }, () => openLine(natsAt)));
    const members = ports.map((port, index) => {
      const name = `${process}-${index + 1}`;
      const line = lines[index];
      if (line !== undefined) natsLines.set(name, line);
      metricsUrls.set(urlOf(port), urlOf(metricsPorts[index] ?? 0));
      return startMember({
        name,
        build,
        entry: `infra/processes/${process}`,
        env: {
          ...shared,
          ...(hasMachines ? machineOf(name).env : {}),
          NATS_URL: natsUrlOf(userOf(process, index), line?.port),
          PORT: String(port),
          METRICS_PORT: String(metricsPorts[index]),
          DATA_DIR: join(directory, name),
          RELAY_ID: name,
        },
      });
    });
    return { members, ports, urls: ports.map(urlOf) };
  };

  const [commandApis, projections, relays] = await Promise.all([
    start('command-api', size.commandApis),
    start('projections', size.projections),
    start('relay', size.relays),
  ]);
  const proxy = await startClusterProxy({
    relay: relays.ports,
    'command-api': commandApis.ports,
    projections: projections.ports,
  });
  const kinds = [commandApis, projections, relays];
  const stop = async (): Promise<void> => {
    await proxy.close();
    for (const { members } of [relays, commandApis, projections]) {
      await Promise.all(members.map((member) => member.stop()));
    }
    await Promise.all([...natsLines.values()].map((line) => line.close()));
    await engines.stop();
    build.remove();
    rmSync(directory, { recursive: true, force: true });
  };
  await untilReady(kinds).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    url: proxy.url,
    folder: directory,
    engines,
    env: { ...shared, NATS_URL: natsUrlOf('relay-0') },
    relays: relays.members,
    natsLines,
    machines,
    relayUrls: relays.urls,
    commandApis: commandApis.members,
    commandApiUrls: commandApis.urls,
    projections: projections.members,
    projectionUrls: projections.urls,
    verify: (aliveRelays = []) =>
      runVerify(build, { ...shared, DATA_DIR: join(directory, 'verify') }, aliveRelays),
    openLog: () => createEventStore({ url: engines.eventStoreUrl, logger: silentLogger }),
    stop,
  };
};
