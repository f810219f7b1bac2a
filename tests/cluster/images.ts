import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EngineName, imageOf } from '../support/engines/choice.ts';
import { canHaveImage } from '../support/engines/docker.ts';
import { docker } from './docker.ts';

const root = new URL('../..', import.meta.url).pathname;

/** By service of `infra/compose.yaml`. */
export type ClusterImages = Readonly<{ product: string; nats: string; postgres: string }>;

/** `CLUSTER_BUILD_OPTIONS`: what `docker build` needs on a machine, such as `--network host`. */
const build = (name: string, args: readonly string[], dockerfile?: string): string => {
  const options = (process.env.CLUSTER_BUILD_OPTIONS ?? '').split(' ').filter((one) => one !== '');
  execFileSync('docker', ['build', '--quiet', ...options, '--tag', name, ...args], {
    cwd: root,
    stdio: [dockerfile === undefined ? 'ignore' : 'pipe', 'ignore', 'inherit'],
    ...(dockerfile === undefined ? {} : { input: dockerfile }),
  });
  return name;
};

/** Of the sources as they are; the layers of a former build are used again. */
export const buildProductImage = (): string =>
  build('tollgate-cluster-test', ['--file', 'infra/Dockerfile', '.']);

const engineImage = async (engine: EngineName): Promise<string> => {
  const image = imageOf(engine, process.env);
  if (await canHaveImage(image)) return image;
  throw new Error(`the image ${image} is not here, and no registry gave it`);
};

/** `infra/nats/nats.conf` requires 2.10.10: an older server has no `sync_interval: always`. */
const isTooOld = (version: string): boolean => {
  const [, major = 0, minor = 0, patch = 0] = (/v(\d+)\.(\d+)\.(\d+)/.exec(version) ?? []).map(
    Number,
  );
  return major * 1e6 + minor * 1e3 + patch < 2_010_010;
};

const buildNatsImage = async (): Promise<string> => {
  const base = await engineImage('nats');
  const version = await docker('run', '--rm', base, '--version');
  if (isTooOld(version)) {
    throw new Error(
      `infra/nats/nats.conf needs NATS 2.10.10, and ${base} has ${version}: ` +
        'name another image in TEST_NATS_IMAGE',
    );
  }
  const dockerfile = readFileSync(join(root, 'infra/nats/Dockerfile'), 'utf8');
  return build(
    'tollgate-nats-cluster-test',
    ['-'],
    dockerfile.replace(/^FROM .*$/m, `FROM ${base}`),
  );
};

/**
 * The official image takes any user that owns its data. One of another origin may need root for
 * that: PostgreSQL then runs from it without its own start script.
 */
const postgresImage = async (): Promise<string> => {
  const base = await engineImage('postgres');
  const entrypoint = await docker(
    'image',
    'inspect',
    '--format',
    '{{json .Config.Entrypoint}}',
    base,
  );
  if (entrypoint.includes('docker-entrypoint.sh')) return base;
  const args = ['--build-arg', `BASE=${base}`, 'tests/cluster/postgres'];
  return build('tollgate-postgres-cluster-test', args);
};

const versionOf = (image: string, command: string): Promise<string> =>
  docker('run', '--rm', '--entrypoint', 'sh', image, '-c', command);

/** Builds what a run needs, and prints its engines. */
export const prepareImages = async (): Promise<ClusterImages> => {
  const images = {
    product: buildProductImage(),
    nats: await buildNatsImage(),
    postgres: await postgresImage(),
  };
  const path = 'PATH=$PATH:$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -1)';
  console.log(
    [
      `Node: ${await versionOf(images.product, 'node --version')} (infra/Dockerfile)`,
      `EventStoreDB: the embedded node (infra/compose.embedded.yaml)`,
      `NATS: ${await versionOf(images.nats, 'nats-server --version')} (${imageOf('nats', process.env)})`,
      `PostgreSQL: ${await versionOf(images.postgres, `${path} postgres --version`)} (${imageOf('postgres', process.env)})`,
      `Proxy: ${await versionOf('nginx:1.30-alpine', 'nginx -v 2>&1')} (nginx:1.30-alpine)`,
      `Docker ${await docker('version', '--format', '{{.Server.Version}}')}`,
    ].join('\n'),
  );
  return images;
};
