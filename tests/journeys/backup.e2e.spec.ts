import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { addUp, openLog } from '../support/books.ts';
import { chat } from '../support/chat.ts';
import {
  addChannel,
  addToken,
  ConsoleClient,
  rootUser,
  self,
  setUpSite,
} from '../support/console-client.ts';
import { eventually, type Product, startProduct } from '../support/product.ts';
import { runTool, type ToolRun } from '../support/run-tool.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
// As root the engine runs as another user, who must get here.
chmodSync(folder, 0o755);
const dataDir = join(folder, 'data');
const backup = join(folder, 'backup');
const env = { LEASE_TTL_SECONDS: '5' };

let product: Product;
let provider: StubProvider;
let admin: ConsoleClient;
let key: string;
let granted: number;

/** Requests whose answer arrived whole. */
const completed: string[] = [];
/** Those of them that were answered before the backup began. */
let beforeBackup: readonly string[];

const tool = (name: string, args: readonly string[], of = dataDir): Promise<ToolRun> =>
  runTool(name, args, { DATA_DIR: of });

const callWhile = async (isGoingOn: () => boolean, clients = 24): Promise<void> => {
  const client = async (n: number): Promise<void> => {
    while (isGoingOn()) {
      const stub = { delayMs: 5, chunkDelayMs: 3, chunks: 4 };
      const outcome = await chat(product.url, key, { stream: n % 2 === 0, stub });
      if (outcome.complete) completed.push(outcome.requestId);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, n) => client(n)));
};

beforeAll(async () => {
  provider = await startStubProvider();
  product = await startProduct({ dataDir, env });
  admin = await setUpSite(product.url);
  await addChannel(admin, provider.url);
  key = (await addToken(admin)).key;
  granted = (await self(admin)).quota;
});
afterAll(async () => {
  await product?.stop();
  await provider?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a site is backed up under load', async () => {
  let isGoingOn = true;
  const calls = callWhile(() => isGoingOn);
  onTestFinished(() => {
    isGoingOn = false;
  });
  await eventually(async () => expect(completed.length).toBeGreaterThan(300));
  beforeBackup = [...completed];
  const run = await tool('backup', [backup]);
  expect(run.stderr).toBe('');
  expect(run.code).toBe(0);
  const had = completed.length;
  await eventually(async () => expect(completed.length).toBeGreaterThan(had + 100));
  isGoingOn = false;
  await calls;
  const { head, files } = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8'));
  expect(head).toBeGreaterThan(300);
  expect(files.map(({ path }: { path: string }) => path)).toContain('secret-key');
});

test('a backup is never written over another, nor into the folder that it saves', async () => {
  const again = await tool('backup', [backup]);
  expect(again).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `${backup} exists; name a new folder\n`,
  });
  const inside = await tool('backup', [join(dataDir, 'backup')]);
  expect(inside.code).toBe(1);
  expect(inside.stderr).toContain('would be lost together with it');
});

test('nothing is restored over a data folder, nor from a backup that was changed', async () => {
  const over = await tool('restore', [backup]);
  expect(over.code).toBe(1);
  expect(over.stderr).toBe(
    `${dataDir} is not empty; a backup is restored into an empty folder only\n`,
  );

  const damaged = join(folder, 'damaged');
  cpSync(backup, damaged, { recursive: true });
  const events = join(damaged, 'event-store', 'events.copy.gz');
  const bytes = readFileSync(events);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(events, bytes);
  const elsewhere = join(folder, 'elsewhere');
  const changed = await tool('restore', [damaged], elsewhere);
  expect(changed.code).toBe(1);
  expect(changed.stderr).toContain('was changed or is damaged; nothing was restored');
  expect(existsSync(elsewhere)).toBe(false);
});

test('after the loss of the data folder the books are those of the backup, and calls continue', async () => {
  await product.kill();
  rmSync(dataDir, { recursive: true });
  const run = await tool('restore', [backup]);
  expect(run.stderr).toBe('');
  expect(run.code).toBe(0);

  product = await startProduct({ dataDir, env });
  const log = openLog(dataDir);
  const settled = await eventually(async () => {
    const books = await addUp(log, admin.userId);
    if (books.reserved > 0) throw new Error(`${books.reserved} units are still reserved`);
    return books;
  });
  const charged = new Set(settled.charges.map(({ call }) => call.requestId));
  expect(beforeBackup.filter((id) => !charged.has(id))).toEqual([]);
  const known = new Set(completed);
  // Requests under way during the backup may be in it; later ones are not.
  expect(charged.size).toBeLessThan(known.size);
  expect(settled).toMatchObject({ chargedTwice: [], wrongAmounts: [] });
  expect(settled.balance).toBe(granted - settled.charged);

  const again = new ConsoleClient(product.url);
  await again.login(rootUser.username, rootUser.password);
  await eventually(async () => expect((await self(again)).quota).toBe(settled.balance));

  const served = completed.length;
  await callWhile(() => completed.length < served + 200);
  const since = completed.slice(served);
  const books = await eventually(async () => {
    const found = await addUp(log, admin.userId);
    const paid = new Set(found.charges.map(({ call }) => call.requestId));
    const missing = since.filter((id) => !paid.has(id));
    if (missing.length > 0) throw new Error(`${missing.length} calls are not charged`);
    return found;
  });
  expect(books.charges).toHaveLength(settled.charges.length + since.length);
  expect(books).toMatchObject({ chargedTwice: [], wrongAmounts: [] });
  expect(books.balance).toBe(granted - books.charged);
  await log.close();

  const verified = await tool('verify', ['--json']);
  expect(JSON.parse(verified.stdout)).toMatchObject({ breakCounts: {} });
  expect(verified.code).toBe(0);
  console.log(
    `backup: ${beforeBackup.length} calls before it, ${charged.size} charges in it, ` +
      `${known.size} answered in all; ${since.length} after the restore, each charged once`,
  );
});

test('a stopped site is backed up as well, and with its key apart', async () => {
  await product.stop();
  const stopped = join(folder, 'stopped');
  const run = await tool('backup', [stopped, '--without-key']);
  expect(run.stderr).toBe('');
  expect(run.code).toBe(0);
  expect(existsSync(join(stopped, 'secret-key'))).toBe(false);

  const secret = readFileSync(join(dataDir, 'secret-key'), 'utf8').trim();
  const elsewhere = join(folder, 'restored');
  expect((await tool('restore', [stopped], elsewhere)).code).toBe(0);
  product = await startProduct({ dataDir: elsewhere, env: { ...env, SECRET_KEY: secret } });
  const answer = await eventually(async () => {
    const outcome = await chat(product.url, key, {});
    expect(outcome.status).toBe(200);
    return outcome;
  });
  expect(answer.complete).toBe(true);
});

test('a site does not start on a restore that did not end', async () => {
  const half = join(folder, 'half');
  const unfinished = join(half, 'restore-unfinished');
  cpSync(backup, half, { recursive: true });
  writeFileSync(unfinished, '');
  const run = await tool('all-in-one', [], half);
  expect(run.code).toBe(1);
  expect(run.stderr).toContain('a restore into');
});
