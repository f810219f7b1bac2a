import { expect, test } from 'vitest';
import { readCompose, readInfra, readManifests } from '../support/manifests.ts';

/* What NATS has acknowledged is on a disk, on as many servers as are named; read from the files. */

const compose = readCompose();
const clients = Object.entries(compose.services).filter(
  ([, { environment = {} }]) => environment.NATS_URL !== undefined,
);

/** The settings between the braces of `jetstream`, without comments. */
const jetStreamSettings = (text: string): readonly string[] =>
  (/^jetstream \{$([\s\S]*?)^\}$/m.exec(text)?.[1] ?? '')
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '');

test('the provided server syncs before it acknowledges', () => {
  expect(jetStreamSettings(readInfra('nats/nats.conf'))).toEqual([
    'store_dir: "/data"',
    'sync_interval: always',
  ]);
});

test('compose runs that file, on a version that supports the setting, with a volume', () => {
  const { nats } = compose.services;
  expect(nats?.command).toEqual(['-c', 'nats.conf']);
  expect(nats?.volumes).toEqual(['nats:/data', './nats/nats.conf:/etc/nats/nats.conf:ro']);
  const [, major, minor] =
    /^ARG NATS_IMAGE=nats:(\d+)\.(\d+)/m.exec(readInfra('nats/Dockerfile')) ?? [];
  expect([major, Number(minor) >= 11]).toEqual(['2', true]);
});

test('every process of compose sets how many servers keep a copy', () => {
  expect(clients.map(([name]) => name)).toEqual([
    'command-api',
    'projections',
    'relay-0',
    'relay-1',
  ]);
  for (const [, { environment }] of clients) {
    expect(environment?.NATS_REPLICAS).toBe('${' + 'NATS_REPLICAS:-1}');
  }
});

test('on Kubernetes three servers keep a copy, for every process alike', () => {
  expect(readInfra('kubernetes/base/kustomization.yaml')).toMatch(/^ +- NATS_REPLICAS=3$/m);
  const containers = readManifests().flatMap(({ spec }) => spec?.template?.spec.containers ?? []);
  const users = containers.filter(({ env = [] }) => env.some(({ name }) => name === 'NATS_URL'));
  expect(users.map(({ name }) => name).toSorted()).toEqual(['command-api', 'projections', 'relay']);
  for (const { env = [] } of users) {
    const replicas = env.find(({ name }) => name === 'NATS_REPLICAS');
    expect(replicas?.valueFrom?.configMapKeyRef).toEqual({
      name: 'tollgate',
      key: 'NATS_REPLICAS',
    });
  }
});

test('operators with their own servers get the list of what to do', () => {
  for (const page of ['nats/README.md', 'kubernetes/README.md']) {
    expect(readInfra(page)).toContain('sync_interval: always');
    expect(readInfra(page)).toContain('NATS_REPLICAS');
  }
});
