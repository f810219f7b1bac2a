import { afterAll, beforeAll, expect, test } from 'vitest';
import { addUp, openLog } from '../support/books.ts';
import { chat } from '../support/chat.ts';
import {
  addChannel,
  addToken,
  ConsoleClient,
  self,
  setUpSite,
  type TokenRow,
} from '../support/console-client.ts';
import { eventually, type Product, removeData, startProduct } from '../support/product.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

/** 1,000 prompt and 1,000 completion tokens of gpt-4o-mini: (1000 + 1000 × 4) × 0.075 = 375 units. */
const usage = { prompt_tokens: 1_000, completion_tokens: 1_000, total_tokens: 2_000 };
const costOfOne = 375;
const requests = 50;
const funded = 10;

let product: Product;
let provider: StubProvider;
let admin: ConsoleClient;

beforeAll(async () => {
  provider = await startStubProvider();
  product = await startProduct();
  admin = await setUpSite(product.url);
  await addChannel(admin, provider.url);
});
afterAll(async () => {
  await product?.stop();
  await provider?.close();
  if (product !== undefined) removeData(product);
});

/** Every call limits its cost with `max_tokens`; the prompt is as long as its usage. */
const manyAtOnce = async (token: TokenRow): Promise<number> => {
  const prompt = 'word '.repeat(1_000);
  const outcomes = await Promise.all(
    Array.from({ length: requests }, () =>
      chat(product.url, token.key, {
        messages: [{ role: 'user', content: prompt }],
        max_tokens: 1_000,
        stub: { usage, delayMs: 300 },
      }),
    ),
  );
  const refused = outcomes.filter(({ status }) => status !== 200);
  for (const { status, text } of refused) {
    expect(status).toBe(429);
    expect(JSON.parse(text).error.code).toMatch(/quota/);
  }
  return outcomes.length - refused.length;
};

/** A user of that name who has these units. */
const userWith = async (username: string, units: number): Promise<ConsoleClient> => {
  await admin.ok('POST', '/api/user/', { username, password: 'correct-horse' });
  const user = new ConsoleClient(product.url);
  await user.login(username, 'correct-horse');
  const before = await self(user);
  await admin.ok('PUT', '/api/user/', {
    id: user.userId,
    username,
    display_name: username,
    group: 'default',
    quota: before.quota + units,
  });
  return user;
};

test('50 requests at once on a balance that funds 10 never overdraw it', async () => {
  const poor = await userWith('poor', costOfOne * funded);
  const token = await addToken(poor);
  const served = await manyAtOnce(token);
  const log = openLog(product.dataDir);
  const books = await eventually(async () => {
    const found = await addUp(log, poor.userId);
    if (found.charges.length !== served) throw new Error(`${found.charges.length} of ${served}`);
    return found;
  });
  await log.close();
  expect(served).toBeGreaterThan(0);
  expect(served).toBeLessThanOrEqual(funded);
  expect(books.balance).toBe((funded - served) * costOfOne);
  expect(books.balance).toBeGreaterThanOrEqual(0);
});

test('a token with a budget for 10 is not overdrawn either, whatever the balance', async () => {
  const token = await addToken(admin, {
    unlimited_quota: false,
    remain_quota: costOfOne * funded,
  });
  const served = await manyAtOnce(token);
  expect(served).toBeGreaterThan(0);
  expect(served).toBeLessThanOrEqual(funded);
  const row = await eventually(async () => {
    const [newest] = await admin.ok<TokenRow[]>('GET', '/api/token/?p=0&size=10');
    if (newest?.used_quota !== served * costOfOne) throw new Error(JSON.stringify(newest));
    return newest;
  });
  expect(row.remain_quota).toBe((funded - served) * costOfOne);
});

/** A token of the answer costs 0.3 units; an event of the stream below is five of them. */
const tokenPrice = 0.3;
const tokensPerEvent = 5;

test('20 streams at once that name no limit end where the balance does', async () => {
  const poor = await userWith('streaming', 3_600);
  const token = await addToken(poor);
  const words = 6_000;
  const stub = { text: ' word'.repeat(words), chunks: words / tokensPerEvent, chunkDelayMs: 1 };
  const body = { messages: [{ role: 'user', content: 'Go on' }], stream: true, stub };
  const calls = Array.from({ length: 20 }, () => chat(product.url, token.key, body));
  const outcomes = await Promise.all(calls);
  const served = outcomes.filter(({ status }) => status === 200);
  for (const { complete, text } of served) {
    expect(complete).toBe(true);
    expect(text).toContain('"finish_reason":"length"');
    expect(text).toContain('"insufficient_quota"');
  }
  const log = openLog(product.dataDir);
  const books = await eventually(async () => {
    const found = await addUp(log, poor.userId);
    if (found.charges.length !== served.length) throw new Error(`${found.charges.length} charges`);
    return found;
  });
  await log.close();
  expect(served.length).toBeGreaterThan(0);
  expect(books.balance).toBeGreaterThanOrEqual(-served.length * tokensPerEvent * tokenPrice * 2);
  expect(books.balance).toBeLessThan(360);
}, 60_000);
