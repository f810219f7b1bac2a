import { afterAll, beforeAll, expect, test } from 'vitest';
import { addUp, openLog } from '../support/books.ts';
import { type ChatOutcome, chat } from '../support/chat.ts';
import {
  addChannel,
  addToken,
  ConsoleClient,
  rootUser,
  self,
  setUpSite,
} from '../support/console-client.ts';
import { eventually, type Product, removeData, startProduct } from '../support/product.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

const clients = 200;

let product: Product;
let provider: StubProvider;

beforeAll(async () => {
  provider = await startStubProvider();
});
afterAll(async () => {
  await product?.stop();
  await provider?.close();
  if (product !== undefined) removeData(product);
});

test('after kill -9 of everything under 200 concurrent requests the books add up', async () => {
  const env = { LEASE_TTL_SECONDS: '5' };
  product = await startProduct({ env });
  const admin = await setUpSite(product.url);
  await addChannel(admin, provider.url);
  const token = await addToken(admin);
  const before = (await self(admin)).quota;

  const complete: ChatOutcome[] = [];
  let running = true;
  let broken = 0;
  const client = async (n: number): Promise<void> => {
    while (running) {
      try {
        const outcome = await chat(product.url, token.key, {
          stream: n % 2 === 0,
          stub: { delayMs: 20, chunkDelayMs: 5, chunks: 6 },
        });
        if (outcome.complete) complete.push(outcome);
      } catch {
        broken += 1;
      }
    }
  };
  const all = Array.from({ length: clients }, (_, n) => client(n));
  await eventually(async () => {
    if (complete.length < 500) throw new Error(`${complete.length} requests so far`);
  });
  await product.kill();
  running = false;
  await Promise.all(all);

  product = await startProduct({ dataDir: product.dataDir, env });
  const log = openLog(product.dataDir);
  const userId = admin.userId;
  const books = await eventually(async () => {
    const found = await addUp(log, userId);
    const charged = new Set(found.charges.map(({ call }) => call.requestId));
    const missing = complete.filter(({ requestId }) => !charged.has(requestId));
    if (missing.length > 0) throw new Error(`${missing.length} completed requests are not charged`);
    if (found.reserved > 0) throw new Error(`${found.reserved} units are still set aside`);
    return found;
  });
  expect(broken).toBeGreaterThan(0);
  expect(books.chargedTwice).toEqual([]);
  expect(books.wrongAmounts).toEqual([]);
  expect(books.balance).toBe(before - books.charged);
  const outcomes = new Set(books.charges.map(({ call }) => call.requestId));
  expect(books.abandoned.filter((id) => outcomes.has(id))).toEqual([]);
  const again = new ConsoleClient(product.url);
  await again.login(rootUser.username, rootUser.password);
  await eventually(async () => {
    expect((await self(again)).quota).toBe(books.balance);
  });
  const stillWorks = await chat(product.url, token.key, {});
  expect(stillWorks.status).toBe(200);
  await log.close();
  console.log(
    `kill -9: ${complete.length} complete, ${broken} broken, ${books.charges.length} charged, ` +
      `${books.abandoned.length} abandoned, 0 lost, 0 doubled, 0 reserved`,
  );
});
