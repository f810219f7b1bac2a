import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addChannel, addToken, type ConsoleClient, setUpSite } from '../support/console-client.ts';
import { eventually, type Product, removeData, startProduct } from '../support/product.ts';
import { createStubVeo } from '../support/stub-provider/veo.ts';
import { hostFilm } from '../support/stub-provider/video-hosts.ts';
import { createStubVideos, filmOf } from '../support/stub-provider/videos.ts';

const stub = createStubVideos((key) => key === 'sora-key');
const veo = createStubVeo('google-key');
const provider: Server = createServer((req, res) => {
  const parts: Buffer[] = [];
  req.on('data', (part: Buffer) => parts.push(part));
  req.on('end', () => {
    const { method = 'GET', url = '/', headers } = req;
    const body = Buffer.concat(parts);
    if (headers['x-goog-api-key'] === undefined) {
      void stub.serve(res, { method, url, headers, body });
      return;
    }
    const { pathname: path, search: query } = new URL(url, 'http://provider');
    const origin = `http://${headers.host}`;
    veo.serve(res, { method, path, query, headers, body, origin, authorization: '' });
  });
});

let product: Product;
let admin: ConsoleClient;
let client: OpenAI;

beforeAll(async () => {
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const { port } = provider.address() as AddressInfo;
  product = await startProduct({});
  admin = await setUpSite(product.url);
  const sora = { type: 55, name: 'sora', key: 'sora-key', models: 'sora-2,sora-2-pro' };
  await addChannel(admin, `http://127.0.0.1:${port}`, sora);
  const google = { type: 24, name: 'google', key: 'google-key' };
  const models = 'veo-3.1-fast-generate-preview';
  await addChannel(admin, `http://127.0.0.1:${port}`, { ...google, models });
  const { key } = await addToken(admin);
  client = new OpenAI({ apiKey: `sk-${key}`, baseURL: `${product.url}/v1`, maxRetries: 0 });
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
const ended = (id: string, status: string): Promise<void> =>
  eventually(async () => {
    await poll();
    expect((await client.videos.retrieve(id)).status).toBe(status);
  }, 60_000);

type TaskRow = Readonly<{ task_id: string; platform: string; status: string; quota: number }>;
type LogPage = Readonly<{ items: readonly Readonly<{ other: string; content: string }>[] }>;
type VerifyState = Readonly<{ report: Readonly<{ breaks: unknown[] }> | null }>;

test('videos are made, watched, fetched, paid by the second and paid back when they fail', async () => {
  const before = await quota();
  const more = { model: 'sora-2-pro', seconds: '8', size: '1792x1024' } as const;
  const good = await client.videos.create({ prompt: 'a gate at dawn', ...more });
  const bad = await client.videos.create({ prompt: 'this will fail', seconds: '4' });
  // 8 s · 0.5 USD + 4 s · 0.1 USD, at 500,000 units for a USD.
  await eventually(async () => expect(await quota()).toBe(before - 2_000_000 - 200_000));
  await ended(good.id, 'completed');
  await ended(bad.id, 'failed');
  await eventually(async () => expect(await quota()).toBe(before - 2_000_000));
  const film = await client.videos.downloadContent(good.id);
  expect(Buffer.from(await film.arrayBuffer()).equals(filmOf({ id: 'video_up1' }))).toBe(true);
  const listed = (await client.videos.list()).data.map(({ id }) => id);
  expect(listed).toEqual([bad.id, good.id]);
  expect(await client.videos.delete(good.id)).toMatchObject({ deleted: true });
  await eventually(async () => expect((await client.videos.list()).data).toHaveLength(1));

  const rows = await admin.ok<readonly TaskRow[]>('GET', '/api/task/?p=0');
  expect(rows).toMatchObject([
    { task_id: bad.id, platform: 'video', status: 'FAILURE', quota: 200_000 },
    { task_id: good.id, platform: 'video', status: 'SUCCESS', quota: 2_000_000 },
  ]);
  const { items } = await admin.ok<LogPage>('GET', '/api/log/?p=1&page_size=10&type=2');
  const others = items.map(({ other }) => JSON.parse(other) as object);
  expect(others).toContainEqual(
    expect.objectContaining({ video_seconds: 8, video_size: '1792x1024', model_price: 0.5 }),
  );
  const said = items.map(({ content }) => content).join(' ');
  expect(said).toContain('0.50');
  expect(said).not.toContain('video_up');
  await admin.ok('POST', '/api/verify', {});
  const report = await eventually(async () => {
    const state = await admin.ok<VerifyState>('GET', '/api/verify');
    if (state.report === null) throw new Error('verify is still running');
    return state.report;
  });
  expect(report.breaks).toEqual([]);
  expect(await quota()).toBe(before - 2_000_000);
});

test('videos of Veo are paid by the second, fetched with the key of their channel and paid back', async () => {
  const before = await quota();
  const model = 'veo-3.1-fast-generate-preview' as string;
  const good = await client.videos.create({ prompt: 'a gate', model, seconds: '8' });
  const bad = await client.videos.create({ prompt: 'held back', model, seconds: '8' });
  // Twice 8 s · 0.15 USD, at 500,000 units for a USD.
  await eventually(async () => expect(await quota()).toBe(before - 1_200_000));
  await ended(good.id, 'completed');
  await ended(bad.id, 'failed');
  await eventually(async () => expect(await quota()).toBe(before - 600_000));
  const { error } = await client.videos.retrieve(bad.id);
  expect(error).toEqual({ code: 'moderation_blocked', message: expect.stringContaining('Held') });
  expect(JSON.stringify(error)).not.toMatch(/google-key|127\.0\.0\.1/);
  const film = await client.videos.downloadContent(good.id);
  expect(Buffer.from(await film.arrayBuffer())).toEqual(hostFilm);
});
