import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from './config.ts';
import { withEngineFiles } from './engine-files.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'engine-files-'));
  writeFileSync(join(folder, 'password'), 'p@ss', { mode: 0o600 });
  writeFileSync(join(folder, 'ca.crt'), 'certificate');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const completed = (variables: Readonly<Record<string, string>>) =>
  withEngineFiles(loadConfig(variables), () => undefined);

test('the nodes of a cluster of event stores share the user, the password and the authority', () => {
  const { eventStoreUrl } = completed({
    EVENTSTORE_URL: 'esdb://admin@es-0:2113,es-1:2113,es-2:2113?tls=true',
    EVENTSTORE_PASSWORD_FILE: join(folder, 'password'),
    EVENTSTORE_CA_FILE: join(folder, 'ca.crt'),
  });
  const authority = encodeURIComponent(join(folder, 'ca.crt'));
  expect(eventStoreUrl).toBe(
    `esdb://admin:p%40ss@es-0:2113,es-1:2113,es-2:2113?tls=true&tlsCAFile=${authority}`,
  );
});

test('an empty file name means no file', () => {
  const variables = {
    EVENTSTORE_URL: 'esdb+unix:///run/eventstore/eventstore.sock',
    EVENTSTORE_PASSWORD_FILE: '',
    EVENTSTORE_CA_FILE: '',
  };
  expect(completed(variables).eventStoreUrl).toBe(variables.EVENTSTORE_URL);
});

test('one bad node of a list is refused', () => {
  expect(() => loadConfig({ EVENTSTORE_URL: 'esdb://es-0:2113,es-1:port' })).toThrow(
    'EVENTSTORE_URL must be a URL',
  );
});
