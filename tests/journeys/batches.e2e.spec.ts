import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addChannel, addToken, type ConsoleClient, setUpSite } from '../support/console-client.ts';
import { eventually, type Product, removeData, startProduct } from '../support/product.ts';
import { createStubBatches, usedBy } from '../support/stub-provider/batches.ts';

const stub = createStubBatches((key) => key === 'batch-key');
const provider: Server = createServer((req, res) => {
  const parts: Buffer[] = [];
  req.on('data', (part: Buffer) => parts.push(part));
  req.on('end', () => {
    const { method = 'GET', url = '/', headers } = req;
    void stub.serve(res, { method, url, headers, body: Buffer.concat(parts) });
  });
});

let product: Product;
let admin: ConsoleClient;
let openai: OpenAI;
let claude: Anthropic;

beforeAll(async () => {
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const { port } = provider.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}`;
  product = await startProduct({});
  admin = await setUpSite(product.url);
  const own = { key: 'batch-key' };
  await addChannel(admin, address, { ...own, type: 1, name: 'openai', models: 'gpt-4o-mini' });
  const model = 'claude-3-5-sonnet-20241022';
  await addChannel(admin, address, { ...own, type: 14, name: 'claude', models: model });
  const { key } = await addToken(admin);
  openai = new OpenAI({ apiKey: `sk-${key}`, baseURL: `${product.url}/v1`, maxRetries: 0 });
  claude = new Anthropic({ apiKey: `sk-${key}`, baseURL: product.url, maxRetries: 0 });
});
afterAll(async () => {
  await product?.stop();
  provider.closeAllConnections();
  provider.close();
  if (product !== undefined) removeData(product);
});

const poll = (): Promise<unknown> => admin.call('POST', '/api/jobs/task-polling/run', {});
const quota = async (): Promise<number> =>
  (await admin.ok<{ quota: number }>('GET', '/api/user/self')).quota;
const chat = (customId: string, content: string): string =>
  JSON.stringify({
    custom_id: customId,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model: 'gpt-4o-mini', max_tokens: 1_000, messages: [{ role: 'user', content }] },
  });

type TaskRow = Readonly<{ task_id: string; platform: string; status: string; quota: number }>;
type VerifyState = Readonly<{ report: Readonly<{ breaks: unknown[] }> | null }>;
const verified = async (): Promise<unknown[]> => {
  await admin.ok('POST', '/api/verify', {});
  return eventually(async () => {
    const { report } = await admin.ok<VerifyState>('GET', '/api/verify');
    if (report === null) throw new Error('verify is still running');
    return report.breaks;
  });
};

test('batches of OpenAI are uploaded, charged by estimate and settled by what they used', async () => {
  const before = await quota();
  const lines = [chat('one', 'Hello'), chat('two', 'please be refused'), chat('three', 'Bye')];
  const content = await toFile(Buffer.from(`${lines.join('\n')}\n`), 'work.jsonl');
  const file = await openai.files.create({ file: content, purpose: 'batch' });
  expect(file).toMatchObject({ object: 'file', filename: 'work.jsonl', purpose: 'batch' });
  const batch = await openai.batches.create({
    input_file_id: file.id,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
    metadata: { run: 'nightly' },
  });
  expect(batch).toMatchObject({ status: 'validating', input_file_id: file.id });
  // More than it will cost: 3 · 1,000 tokens of answer at 0.075 · 4 · 0.5 units alone.
  await eventually(async () => expect(await quota()).toBeLessThan(before - 450));
  await eventually(async () => {
    await poll();
    expect((await openai.batches.retrieve(batch.id)).status).toBe('completed');
  });
  const bodies = stub.batches[0]?.requests.map(({ body }) => usedBy(body)) ?? [];
  const prompts = (bodies[0]?.prompt ?? 0) + (bodies[2]?.prompt ?? 0);
  // Two answers: 0.075 units for a prompt token, four times as much for 7 tokens of answer, halved.
  const due = Math.round((0.075 * prompts + 0.075 * 4 * 14) * 0.5);
  await eventually(async () => expect(await quota()).toBe(before - due));
  const done = await openai.batches.retrieve(batch.id);
  expect(done.metadata).toEqual({ run: 'nightly' });
  expect(done.output_file_id).toMatch(/^file-output-/);
  const results = await (await openai.files.content(done.output_file_id ?? '')).text();
  expect(results.trim().split('\n')).toHaveLength(3);
  expect((await openai.batches.list()).data.map(({ id }) => id)).toEqual([batch.id]);
  expect((await openai.files.list()).data.map(({ id }) => id)).toEqual([file.id]);
  expect(await openai.files.delete(file.id)).toMatchObject({ deleted: true });
  await eventually(async () => expect((await openai.files.list()).data).toEqual([]));

  const [row] = await admin.ok<readonly TaskRow[]>('GET', '/api/task/?p=0');
  expect(row).toMatchObject({ task_id: batch.id, platform: 'batch', status: 'SUCCESS' });
  expect(JSON.stringify(row)).not.toContain('file-up');
  const shown = JSON.stringify(await admin.ok('GET', '/api/log/?p=1&page_size=10'));
  expect(shown).not.toContain('_up1');
});

test('a batch that fails is paid back whole, and one that is cancelled by what it did', async () => {
  const before = await quota();
  const lines = [chat('one', 'Hello'), chat('two', 'Bye')].join('\n');
  const content = await toFile(Buffer.from(lines), 'work.jsonl');
  const file = await openai.files.create({ file: content, purpose: 'batch' });
  const order = {
    input_file_id: file.id,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
  } as const;
  stub.end.of = 'failed';
  const bad = await openai.batches.create(order);
  await eventually(async () => {
    await poll();
    expect((await openai.batches.retrieve(bad.id)).status).toBe('failed');
  });
  const [error] = (await openai.batches.retrieve(bad.id)).errors?.data ?? [];
  expect(error?.message).toContain('Enqueued');
  expect(error?.message).not.toContain('internal.example');
  await eventually(async () => expect(await quota()).toBe(before));
  stub.end.of = 'completed';
  const half = await openai.batches.create(order);
  expect((await openai.batches.cancel(half.id)).status).toBe('cancelling');
  await eventually(async () => {
    await poll();
    expect((await openai.batches.retrieve(half.id)).status).toBe('cancelled');
  });
  const { prompt } = usedBy(stub.batches.at(-1)?.requests[0]?.body);
  const due = Math.round((0.075 * prompt + 0.075 * 4 * 7) * 0.5);
  await eventually(async () => expect(await quota()).toBe(before - due));
});

test('message batches of Anthropic are charged, settled and read with its own client', async () => {
  const before = await quota();
  const params = { model: 'claude-3-5-sonnet-20241022', max_tokens: 500 };
  const asked = (custom_id: string, content: string) => ({
    custom_id,
    params: { ...params, messages: [{ role: 'user' as const, content }] },
  });
  const requests = [asked('one', 'Hello'), asked('two', 'please be refused')];
  const batch = await claude.messages.batches.create({ requests });
  expect(batch).toMatchObject({ type: 'message_batch', processing_status: 'in_progress' });
  await eventually(async () => expect(await quota()).toBeLessThan(before - 3_750));
  await eventually(async () => {
    await poll();
    const { processing_status } = await claude.messages.batches.retrieve(batch.id);
    expect(processing_status).toBe('ended');
  });
  const { prompt } = usedBy(stub.batches.at(-1)?.requests[0]?.params);
  const due = Math.round((1.5 * prompt + 1.5 * 5 * 7) * 0.5);
  await eventually(async () => expect(await quota()).toBe(before - due));
  const results: string[] = [];
  for await (const { custom_id, result } of await claude.messages.batches.results(batch.id)) {
    results.push(`${custom_id} ${result.type}`);
  }
  expect(results).toEqual(['one succeeded', 'two errored']);
  const listed = await claude.messages.batches.list();
  expect(listed.data.map(({ id }) => id)).toEqual([batch.id]);
  expect(await claude.messages.batches.delete(batch.id)).toMatchObject({ id: batch.id });
  await expect(claude.messages.batches.retrieve(batch.id)).rejects.toMatchObject({ status: 404 });
});

test('the list of either API is read to its end, one batch a page, and back again', async () => {
  const params = { model: 'claude-3-5-sonnet-20241022', max_tokens: 9 };
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  const requests = [{ custom_id: 'one', params: { ...params, messages } }];
  const content = await toFile(Buffer.from(chat('one', 'Hello')), 'work.jsonl');
  const { id: input_file_id } = await openai.files.create({ file: content, purpose: 'batch' });
  const endpoint = '/v1/chat/completions';
  const own: string[] = [];
  const chats: string[] = [];
  for (let at = 0; at < 3; at += 1) {
    own.unshift((await claude.messages.batches.create({ requests })).id);
    const order = { input_file_id, endpoint, completion_window: '24h' } as const;
    chats.unshift((await openai.batches.create(order)).id);
  }
  const seen: string[] = [];
  for await (const { id } of claude.messages.batches.list({ limit: 1 })) seen.push(id);
  expect(seen.slice(0, 3)).toEqual(own);
  const before = await claude.messages.batches.list({ limit: 1, before_id: own[2] ?? '' });
  expect([before.data.map(({ id }) => id), before.has_more]).toEqual([[own[1]], true]);
  const first = await before.getNextPage();
  expect([first.data.map(({ id }) => id), first.has_more]).toEqual([[own[0]], false]);
  const page = await openai.batches.list({ limit: 3 });
  expect([page.data.map(({ id }) => id), page.has_more]).toEqual([chats, true]);
});

test('the books hold after all of these', async () => {
  expect(await verified()).toEqual([]);
});
