import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GoogleGenAI } from '@google/genai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addChannel,
  addToken,
  allLogs,
  ConsoleClient,
  setUpSite,
} from '../support/console-client.ts';
import { eventually, type Product, removeData, startProduct } from '../support/product.ts';
import { createStubCaches } from '../support/stub-provider/caches.ts';

const model = 'gemini-2.0-flash';
const book = 'A chapter of the book. '.repeat(400);
const stub = createStubCaches((key) => key === 'google-key');
const google: Server = createServer((req, res) => {
  const parts: Buffer[] = [];
  req.on('data', (part: Buffer) => parts.push(part));
  req.on('end', () => {
    const { method = 'GET', url = '/', headers } = req;
    stub.serve(res, { method, url, headers, body: Buffer.concat(parts) });
  });
});

let product: Product;
let admin: ConsoleClient;
let genai: GoogleGenAI;

beforeAll(async () => {
  await new Promise<void>((resolve) => google.listen(0, '127.0.0.1', resolve));
  const { port } = google.address() as AddressInfo;
  product = await startProduct({});
  admin = await setUpSite(product.url);
  for (const [key, value] of [
    ['ModelRatio', '1'],
    ['CompletionRatio', '4'],
    ['CacheRatio', '0.25'],
  ] as const) {
    await admin.ok('PUT', '/api/option/', { key, value: `{"${model}":${value}}` });
  }
  const own = { type: 24, key: 'google-key', models: model };
  await addChannel(admin, `http://127.0.0.1:${port}`, own);
  genai = await clientOf(admin);
});
afterAll(async () => {
  await product?.stop();
  google.closeAllConnections();
  google.close();
  if (product !== undefined) removeData(product);
});

const clientOf = async (person: ConsoleClient): Promise<GoogleGenAI> => {
  const { key } = await addToken(person);
  return new GoogleGenAI({ apiKey: `sk-${key}`, httpOptions: { baseUrl: product.url } });
};
const quota = async (): Promise<number> =>
  (await admin.ok<{ quota: number }>('GET', '/api/user/self')).quota;

type VerifyState = Readonly<{ report: Readonly<{ breaks: unknown[] }> | null }>;

test('a cache is made, read, kept longer and deleted with the client of Google', async () => {
  const before = await quota();
  const config = { contents: book, systemInstruction: 'Be brief.', ttl: '600s' };
  const cache = await eventually(() => genai.caches.create({ model, config }));
  const name = cache.name ?? '';
  const made = stub.caches[0]?.tokens ?? 0;
  expect(cache.usageMetadata?.totalTokenCount).toBe(made);
  await eventually(async () => expect(await quota()).toBe(before - Math.round(made * 1.25)));

  const call = { model, contents: 'Who wrote it?', config: { cachedContent: name } };
  const { text, usageMetadata } = await genai.models.generateContent(call);
  expect(text).toBe('By the cache.');
  let streamed = '';
  for await (const chunk of await genai.models.generateContentStream(call)) {
    streamed += chunk.text ?? '';
  }
  expect(streamed).toBe('By the cache.');
  const fresh = (usageMetadata?.promptTokenCount ?? 0) - made;
  const each = Math.round(fresh + made * 0.25 + 4 * 4);
  await eventually(async () =>
    expect(await quota()).toBe(before - Math.round(made * 1.25) - 2 * each),
  );

  const longer = await genai.caches.update({ name, config: { ttl: '3600s' } });
  expect(Date.parse(longer.expireTime ?? '')).toBeGreaterThan(Date.now() + 3_000_000);
  expect((await genai.caches.list()).page.map((one) => one.name)).toEqual([name]);
  const logs = await allLogs(admin, 2);
  expect(logs).toHaveLength(3);
  expect(JSON.stringify(logs)).not.toContain(stub.caches[0]?.name);
});

test('a second user finds nothing of it', async () => {
  const { page } = await genai.caches.list();
  const name = page[0]?.name ?? '';
  const second = { username: 'second', password: 'correct-horse' };
  await admin.ok('POST', '/api/user/', second);
  const person = new ConsoleClient(product.url);
  await person.login(second.username, second.password);
  const stranger = await clientOf(person);
  await eventually(async () => expect((await stranger.caches.list()).page).toEqual([]));
  await expect(stranger.caches.get({ name })).rejects.toMatchObject({ status: 404 });
  const config = { cachedContent: name };
  const call = stranger.models.generateContent({ model, contents: 'Who?', config });
  await expect(call).rejects.toMatchObject({ status: 404 });
  await genai.caches.delete({ name });
  expect(stub.caches).toEqual([]);
  expect((await genai.caches.list()).page).toEqual([]);
});

test('the books hold after all of these', async () => {
  await admin.ok('POST', '/api/verify', {});
  const breaks = await eventually(async () => {
    const { report } = await admin.ok<VerifyState>('GET', '/api/verify');
    if (report === null) throw new Error('verify is still running');
    return report.breaks;
  });
  expect(breaks).toEqual([]);
});
