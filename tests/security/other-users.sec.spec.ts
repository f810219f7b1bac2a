import { chmodSync, lstatSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  canBecomeOther,
  connectingAsOther,
  eventStorePortsAsOther,
  readingAsOther,
} from '../support/other-user.ts';
import { listenersOf, treeOf } from '../support/processes.ts';
import { type Product, removeData, startProduct } from '../support/product.ts';

/*
 * What another user of the same machine can do to the product with its embedded engines. As root
 * the attempts are made as `nobody`; otherwise owners and modes are checked instead.
 */

const attempted = canBecomeOther ? 'tried as nobody' : 'by owner and mode; needs root to be tried';

const canary = 'a-secret-of-the-environment';

let product: Product;

beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
  // As a careless umask of before would have left it.
  chmodSync(dataDir, 0o755);
  product = await startProduct({ dataDir, env: { SOME_PASSWORD: canary } });
});
afterAll(async () => {
  await product?.stop();
  removeData(product);
});

const everythingBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [path, ...everythingBelow(path)] : [path];
  });

/** Rights of the group and of all others. */
const foreignRights = (path: string): number => lstatSync(path).mode & 0o077;

test(`the event store answers no other user on any port (${attempted})`, async () => {
  const { ports } = listenersOf(product.pid);
  expect(ports.length).toBeGreaterThan(0);
  const site = Number(new URL(product.url).port);
  const others = ports.filter((port) => port !== site);
  if (canBecomeOther) expect(await eventStorePortsAsOther(ports)).toEqual([]);
  else expect(others).toEqual([]);
});

test(`no socket of an engine lets another user in (${attempted})`, async () => {
  const { sockets } = listenersOf(product.pid);
  expect(sockets.some((path) => path.endsWith('.s.PGSQL.5432'))).toBe(true);
  expect(sockets.some((path) => path.endsWith('event-store.sock'))).toBe(true);
  if (canBecomeOther) {
    const refused = sockets.map((path) => [path, 'EACCES'] as const);
    expect(await connectingAsOther(sockets)).toEqual(Object.fromEntries(refused));
  } else for (const path of sockets) expect(foreignRights(join(path, '..'))).toBe(0);
});

test(`no file of the data folder can be read by another user (${attempted})`, async () => {
  const paths = everythingBelow(product.dataDir);
  expect(paths).toContain(join(product.dataDir, 'run.json'));
  expect(paths).toContain(join(product.dataDir, 'secret-key'));
  expect(paths.some((path) => path.startsWith(join(product.dataDir, 'journal')))).toBe(true);
  const files = [product.dataDir, ...paths];
  if (canBecomeOther) {
    const result = await readingAsOther(files);
    expect(Object.entries(result).filter(([, outcome]) => outcome === 'opened')).toEqual([]);
  }
  const own = paths.filter((path) => lstatSync(path).uid === process.getuid?.());
  const loose = own.filter(
    (path) => foreignRights(path) !== 0 && !lstatSync(path).isSymbolicLink(),
  );
  // PostgreSQL, which runs as a separate user under root, has to walk through one folder of ours.
  const walked = canBecomeOther ? [join(product.dataDir, 'postgres')] : [];
  expect(loose.filter((path) => !walked.includes(path))).toEqual([]);
});

test('the engines receive nothing of the environment of the product', async () => {
  const engines = treeOf(product.pid).filter((pid) =>
    /postgres|event-store/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')),
  );
  expect(engines.length).toBeGreaterThan(1);
  for (const pid of engines) {
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain(
      'a-canary-of-the-environment',
    );
  }
});
