import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/free-port.ts';
import { readCompose } from '../support/manifests.ts';
import { composeProgram, docker, execute, logOf, networkField } from './docker.ts';
import type { ClusterImages } from './images.ts';

const root = new URL('../..', import.meta.url).pathname;
const project = `tollgate-test-${process.pid}`;

type Container = Readonly<{ id: string; service: string }>;

/** The distributed run in containers, as `infra/distributed-run.md` has it. */
export type ComposeRun = Readonly<{
  url: string;
  /** Of this machine, on the network of the proxy: where a provider is reached from containers. */
  gateway: () => Promise<string>;
  /** Resolves once every container is healthy. */
  up: () => Promise<void>;
  /** Volumes stay. */
  down: () => Promise<void>;
  /** Those of one service or of all, but for those that end by themselves. */
  containers: (service?: string) => Promise<readonly Container[]>;
  kill: (container: Container) => Promise<void>;
  /** SIGTERM with its grace period, and a start on the same address. */
  restart: (container: Container) => Promise<void>;
  /** SIGTERM, and another container in its place under another address of the network `front`. */
  recreate: (container: Container) => Promise<void>;
  remove: () => Promise<void>;
}>;

const readyMs = 240_000;
const pollMs = 500;
/** Of `stop_grace_period` in the file. */
const graceSeconds = 90;
const serviceCount = (service: string): number =>
  ['command-api', 'projections'].includes(service) ? 2 : 1;
/** The predecessor of `docker compose` accepts neither `name` nor `deploy`. */
const scaleOf = (services: readonly string[]): readonly string[] =>
  services.flatMap((service) => ['--scale', `${service}=${serviceCount(service)}`]);

/** Of the services only the origin of their images. */
const imagesOf = ({ product, nats, postgres }: ClusterImages): string => {
  const { services } = readCompose();
  const ofProduct = Object.entries(services)
    .filter(([name, { image }]) => image === 'tollgate' || name === 'eventstore')
    .map(([name]) => [name, { image: product }]);
  const all = {
    ...Object.fromEntries(ofProduct),
    nats: { image: nats },
    postgres: { image: postgres },
  };
  return JSON.stringify({ services: all });
};

const writeFiles = (folder: string, images: ClusterImages): readonly string[] => {
  const texts = ['compose.yaml', 'compose.embedded.yaml'].map((name) =>
    readFileSync(join(root, 'infra', name), 'utf8')
      .replace(/^name: .*$/m, '')
      // Another range than that of a distributed run that this machine may have.
      .replaceAll('172.30.255.', '172.30.254.'),
  );
  return [...texts, imagesOf(images)].map((text, index) => {
    const path = join(folder, `${index}.yaml`);
    writeFileSync(path, text);
    return path;
  });
};

const readEnvironment = (file: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

const containers = async (service?: string): Promise<readonly Container[]> => {
  const lines = await docker(
    ...['ps', '--all', '--filter', `label=com.docker.compose.project=${project}`],
    ...['--format', '{{.ID}} {{.Label "com.docker.compose.service"}}'],
  );
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ id: line.split(' ')[0] ?? '', service: line.split(' ')[1] ?? '' }))
    .filter((one) => !one.service.endsWith('-key'))
    .filter((one) => service === undefined || one.service === service);
};

const expected = Object.keys(readCompose().services)
  .filter((service) => !service.endsWith('-key'))
  .reduce((sum, service) => sum + serviceCount(service), 0);

const logsOf = async (some: readonly Container[]): Promise<string> =>
  (
    await Promise.all(some.map(async ({ id, service }) => `--- ${service}\n${await logOf(id)}`))
  ).join('\n');

const untilHealthy = async (): Promise<void> => {
  const end = performance.now() + readyMs;
  for (;;) {
    const all = await containers();
    const format = '{{.State.Status}} {{.State.Health.Status}}';
    const states = await docker('inspect', '--format', format, ...all.map(({ id }) => id));
    const lines = states.split('\n');
    const unhealthy = all.filter((_, index) => lines[index] !== 'running healthy');
    if (all.length === expected && unhealthy.length === 0) return;
    if (performance.now() > end) {
      throw new Error(
        `${all.length} of ${expected} containers; not healthy:\n${await logsOf(unhealthy)}`,
      );
    }
    await sleep(pollMs);
  }
};

const front = `${project}_front`;
const fieldOf = (id: string, field: 'IPAddress' | 'Gateway'): Promise<string> =>
  networkField(id, front, field);
const addressesOf = async (service: string): Promise<readonly string[]> =>
  Promise.all((await containers(service)).map(({ id }) => fieldOf(id, 'IPAddress')));

export const prepareCompose = async (images: ClusterImages): Promise<ComposeRun> => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-compose-'));
  const secrets = join(folder, 'secrets');
  execFileSync(join(root, 'infra/tooling/make-cluster-secrets.sh'), [secrets], { stdio: 'pipe' });
  const port = await freePort();
  const env = {
    ...process.env,
    ...readEnvironment(join(secrets, 'compose.env')),
    COMPOSE_PROJECT_NAME: project,
    PORT: String(port),
  };
  const files = writeFiles(folder, images).flatMap((file) => ['--file', file]);
  const [command, ...first] = composeProgram();
  const compose = async (...args: readonly string[]): Promise<void> => {
    const all = [...first, '--project-directory', join(root, 'infra'), ...files, ...args];
    await execute(command, all, { env }).catch(async (error: Error) => {
      throw new Error(`${error.message}\n${await logsOf(await containers())}`);
    });
  };
  const up = async (...args: readonly string[]): Promise<void> => {
    await compose('up', '--detach', '--no-build', ...args);
    await untilHealthy();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    gateway: async () => fieldOf((await containers('proxy'))[0]?.id ?? '', 'Gateway'),
    up: () => up(...scaleOf(['command-api', 'projections'])),
    down: () => compose('down'),
    containers,
    kill: async ({ id }) => {
      await docker('kill', '--signal=KILL', id);
      await docker('start', id);
      await untilHealthy();
    },
    restart: async ({ id }) => {
      await docker('restart', `--time=${graceSeconds}`, id);
      await untilHealthy();
    },
    recreate: async ({ id, service }) => {
      const address = await fieldOf(id, 'IPAddress');
      await docker('stop', `--time=${graceSeconds}`, id);
      await docker('rm', id);
      // What has the address from now on answers nothing.
      const other = await docker(
        ...['run', '--detach', '--network', front, '--ip', address, '--entrypoint', 'sleep'],
        ...[images.product, 'infinity'],
      );
      try {
        await up('--no-deps', '--no-recreate', ...scaleOf([service]), service);
        if ((await addressesOf(service)).includes(address)) {
          throw new Error(`${service} has the address that it had`);
        }
      } finally {
        await docker('rm', '--force', '--volumes', other);
      }
    },
    remove: async () => {
      await compose('down', '--volumes', '--remove-orphans');
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
