import { afterAll, beforeAll, expect, test } from 'vitest';
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

/** 1,000 prompt and 200 completion tokens of gpt-4o-mini: (1000 + 200 × 4) × 0.075 = 135 units. */
const usage = { prompt_tokens: 1_000, completion_tokens: 200, total_tokens: 1_200 };
const costOfOne = 135;
const calls = 20;
const funded = 100_000;

let product: Product;
let provider: StubProvider;
let root: ConsoleClient;
let ada: ConsoleClient;
let token: TokenRow;

beforeAll(async () => {
  provider = await startStubProvider();
  product = await startProduct();
  root = await setUpSite(product.url);
  await addChannel(root, provider.url);
  await root.ok('PUT', '/api/option/', { key: 'QuotaForNewUser', value: String(funded) });
  await root.ok('POST', '/api/user/', { username: 'ada', password: 'correct-horse' });
  ada = new ConsoleClient(product.url);
  await ada.login('ada', 'correct-horse');
  token = await addToken(ada);
});
afterAll(async () => {
  await product?.stop();
  await provider?.close();
  if (product !== undefined) removeData(product);
});

type UserRecord = Readonly<{ quota: number; used_quota: number }>;
const record = () => root.ok<UserRecord>('GET', `/api/user/${ada.userId}`);

/** Calls that are all served, and charged for when this is done. */
const work = async (): Promise<void> => {
  const before = await self(ada);
  const body = { messages: [{ role: 'user', content: 'hi' }], stub: { usage } };
  const answers = await Promise.all(
    Array.from({ length: calls }, () => chat(product.url, token.key, body)),
  );
  for (const { status } of answers) expect(status).toBe(200);
  await eventually(async () => {
    expect((await self(ada)).used_quota).toBe(before.used_quota + calls * costOfOne);
  });
};

test('a record that was read before the work is saved after it, and no charge is reverted', async () => {
  const read = await record();
  expect(read.quota).toBe(funded);
  await work();
  await root.ok('PUT', '/api/user/', { ...read, display_name: 'Ada' });
  expect((await self(ada)).quota).toBe(funded - calls * costOfOne);
  await work();
  const gift = { ...read, quota: read.quota + 5_000, reason: 'a gift' };
  await root.ok('PUT', '/api/user/', gift);
  expect(await self(ada)).toMatchObject({
    quota: funded + 5_000 - 2 * calls * costOfOne,
    used_quota: 2 * calls * costOfOne,
  });
});
