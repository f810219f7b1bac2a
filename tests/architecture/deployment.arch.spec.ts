import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string): string =>
  readFileSync(new URL(`../../infra/${path}`, import.meta.url), 'utf8');

/** What each process is given, by the key of the Secret. */
const wanted = {
  'command-api': {
    EVENTSTORE_URL: 'EVENTSTORE_URL',
    NATS_URL: 'NATS_URL',
    SECRET_KEY: 'SECRET_KEY',
  },
  projections: {
    EVENTSTORE_URL: 'EVENTSTORE_URL',
    DATABASE_URL: 'DATABASE_URL',
    NATS_URL: 'NATS_URL',
    SECRET_KEY: 'PROJECTIONS_SECRET_KEY',
  },
  relay: { NATS_URL: 'NATS_URL', SECRET_KEY: 'RELAY_SECRET_KEY' },
} as const;

const kinds = ['command-api', 'projections', 'relay'] as const;

test.each(kinds)(
  'Kubernetes starts no %s whose Secret lacks a key, and gives it no more',
  (kind) => {
    const manifest = read(`kubernetes/${kind}.yaml`);
    const given = [
      ...manifest.matchAll(
        /name: (\w+)\s+valueFrom: \{ secretKeyRef: \{ name: tollgate, key: (\w+) \} \}/g,
      ),
    ].map(([, name, key]) => [name, key]);
    expect(Object.fromEntries(given)).toEqual(wanted[kind]);
    expect(manifest).not.toMatch(/envFrom|optional:/);
  },
);

test('compose starts nothing without SECRET_KEY, and gives a relay neither log nor read models', () => {
  const text = read('compose.yaml');
  const keys = text.match(/^\s+SECRET_KEY: .*$/gm) ?? [];
  expect(keys).toHaveLength(kinds.length);
  for (const line of keys) expect(line).toContain('${SECRET_KEY:?');
  const relay = text.slice(text.indexOf('\n  relay:'), text.indexOf('\n  proxy:'));
  expect(relay).toContain('NATS_URL');
  expect(relay).not.toMatch(/EVENTSTORE_URL|DATABASE_URL|\*environment/);
});
