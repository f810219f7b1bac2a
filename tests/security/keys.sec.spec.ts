import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chat } from '../support/chat.ts';
import {
  addChannel,
  addToken,
  type ConsoleClient,
  setUpSite,
  type TokenRow,
} from '../support/console-client.ts';
import { freePort } from '../support/free-port.ts';
import { makePerson, type Person } from '../support/people.ts';
import { eventually, type Product, removeData, startProduct } from '../support/product.ts';
import { runTool } from '../support/run-tool.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

/* The key of a site is replaced while the site runs, and every key under it is renewed. */

const before = 'the-first-master-key-of-the-site-0123456789';
const after = 'the-second-master-key-of-the-site-9876543210';
const upstreamKey = 'sk-known-to-the-provider';

let product: Product;
let provider: StubProvider;
let admin: ConsoleClient;
let person: Person;
let token: TokenRow;

const keys = (args: readonly string[], env: Readonly<Record<string, string>>) =>
  runTool('keys-cli', args, { DATA_DIR: product.dataDir, ...env });

const restart = async (secret: string): Promise<void> => {
  const { dataDir } = product;
  const port = Number(new URL(product.url).port);
  await product.stop();
  product = await startProduct({ dataDir, port, env: { SECRET_KEY: secret } });
};

/** The result of starting the product with this environment. */
const refusedStart = async (env: Readonly<Record<string, string>>) => {
  const port = String(await freePort());
  return runTool('all-in-one', [], {
    DATA_DIR: product.dataDir,
    PORT: port,
    HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
    ...env,
  });
};

/** Everything that was sealed, signed or hashed before is as good as it was. */
const expectEverythingWorks = async (): Promise<void> => {
  await eventually(async () => {
    expect((await chat(product.url, token.key, {})).status).toBe(200);
  });
  expect(provider.requests.at(-1)?.authorization).toBe(`Bearer ${upstreamKey}`);
  const headers = [admin.headers, person.session, person.accessToken];
  for (const credentials of headers) {
    const answer = await fetch(`${product.url}/api/user/self`, { headers: credentials });
    expect([answer.status, (await answer.json()).success]).toEqual([200, true]);
  }
  const users = await admin.ok<{ id: number; display_name: string }[]>('GET', '/api/user/?p=0');
  expect(JSON.stringify(users)).toContain('"display_name":"Ada Lovelace"');
  const [listed] = await admin.ok<TokenRow[]>('GET', '/api/token/?p=0&size=10');
  expect(listed?.key).toBe(token.key);
  const taken = await admin.call('POST', '/api/user/', {
    username: 'ada',
    password: 'correct-horse',
  });
  expect(taken.success).toBe(false);
};

beforeAll(async () => {
  provider = await startStubProvider({ record: true });
  product = await startProduct({ env: { SECRET_KEY: before } });
  admin = await setUpSite(product.url);
  await addChannel(admin, provider.url, { key: upstreamKey });
  token = await addToken(admin);
  person = await makePerson(admin, product.url, { username: 'ada', rank: 'user' });
  const profile = await fetch(`${product.url}/api/user/self`, {
    method: 'PUT',
    headers: { ...person.session, 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'ada', display_name: 'Ada Lovelace' }),
  });
  expect((await profile.json()).success).toBe(true);
  await expectEverythingWorks();
});
afterAll(async () => {
  await product?.stop();
  await provider?.close();
  if (product !== undefined) removeData(product);
});

test('the keys are wrapped under the new SECRET_KEY while the site runs, once', async () => {
  const env = { SECRET_KEY: before, NEW_SECRET_KEY: after };
  const first = await keys(['rotate'], env);
  expect([first.code, first.stderr]).toEqual([0, '']);
  expect(first.stdout).toContain('Next:');
  const again = await keys(['rotate'], env);
  expect(again.code).toBe(0);
  expect(again.stdout).toContain('already');
  await expectEverythingWorks();
});

test('the old SECRET_KEY no longer starts the site: one line and exit code 1', async () => {
  await product.stop();
  const run = await refusedStart({ SECRET_KEY: before });
  expect(run.code).toBe(1);
  expect(run.stderr).toBe('SECRET_KEY does not open the keyring of this log\n');
});

test('under the new one everything of before works: channels, people, sessions, tokens', async () => {
  const { dataDir, url } = product;
  const port = Number(new URL(url).port);
  product = await startProduct({ dataDir, port, env: { SECRET_KEY: after } });
  await expectEverythingWorks();
});

test('every kind of key is renewed, and what older ones sealed works on', async () => {
  for (const purpose of ['secrets', 'personal-keys', 'session-signing', 'relay']) {
    const run = await keys(['renew', purpose], { SECRET_KEY: after });
    expect([purpose, run.code, run.stderr]).toEqual([purpose, 0, '']);
    expect(run.stdout).toContain('version 2');
  }
  await expectEverythingWorks();
  await restart(after);
  await expectEverythingWorks();
  await addChannel(admin, provider.url, { name: 'new', key: upstreamKey });
  await makePerson(admin, product.url, { username: 'grace', rank: 'user' });
  await expectEverythingWorks();
});

test('hashes of names and addresses never change, so that their key cannot be renewed', async () => {
  const run = await keys(['renew', 'claims'], { SECRET_KEY: after });
  expect(run.code).toBe(1);
  expect(run.stderr).toContain('usage:');
});

test('a wrong key opens nothing: no renewal, no printed key, no second keyring', async () => {
  for (const args of [
    ['renew', 'secrets'],
    ['print', 'relay'],
  ]) {
    const run = await keys(args, { SECRET_KEY: before });
    expect([run.code, run.stdout]).toEqual([1, '']);
    expect(run.stderr).toBe('SECRET_KEY does not open the keyring of this log\n');
  }
});

test('a key outside the data folder is taken from its file, unless all users can read it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-key-'));
  const file = join(folder, 'key');
  writeFileSync(file, `${after}\n`, { mode: 0o644 });
  await product.stop();
  const run = await refusedStart({ SECRET_KEY_FILE: file });
  expect(run.code).toBe(1);
  expect(run.stderr).toBe(
    `configuration: SECRET_KEY_FILE must not be open to all users: chmod 0600 ${file}\n`,
  );
  chmodSync(file, 0o600);
  const { dataDir, url } = product;
  const port = Number(new URL(url).port);
  product = await startProduct({ dataDir, port, env: { SECRET_KEY_FILE: file } });
  await expectEverythingWorks();
  expect(existsSync(join(dataDir, 'secret-key'))).toBe(false);
  rmSync(folder, { recursive: true, force: true });
});

test('no process writes a key to its log', async () => {
  const log = product.log() + readFileSync(join(product.dataDir, 'run.json'), 'utf8');
  for (const secret of [before, after, upstreamKey, token.key]) expect(log).not.toContain(secret);
});
