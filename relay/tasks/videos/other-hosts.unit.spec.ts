import { toFile } from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { price } from '../../../domain/pricing/price.ts';
import {
  aChannel,
  sealedFor,
  type UpstreamSpy,
} from '../../../tests/support/relay/relay-harness.ts';
import {
  startHost,
  startVideoHarness,
  type VideoHarness,
} from '../../../tests/support/relay/video-harness.ts';
import {
  createStubArk,
  createStubKling,
  hostFilm,
} from '../../../tests/support/stub-provider/video-hosts.ts';

const klingKey = ['an-access-key-of-kling', 'a-secret-of-kling-1234'] as const;
const arkKey = 'an-ark-key-1234';
const png = Buffer.from('iVBORw0KGgo=', 'base64');

let relay: VideoHarness;
const [kling, ark] = [createStubKling(klingKey), createStubArk(arkKey)];
const upstreams: UpstreamSpy[] = [];
beforeAll(async () => {
  relay = await startVideoHarness();
  const hosts = [
    [5, 50, kling, 'kling-v2-master', klingKey.join('|')],
    [6, 54, ark, 'doubao-seedance-1-0-pro', arkKey],
  ] as const;
  for (const [channelId, type, host, model, key] of hosts) {
    const upstream = await startHost(host);
    upstreams.push(upstream);
    const models = [model, 'any-video'];
    const channel = aChannel(channelId, {
      type,
      models,
      baseUrl: upstream.url,
      priority: -channelId,
    });
    await relay.put.channel({ ...channel, sealedKey: sealedFor(channelId, key) });
  }
  const prices = {
    'kling-v2-master': 0.28,
    'kling-v2-master@1920x1080': 0.49,
    'doubao-seedance-1-0-pro': 0.07,
    'any-video': 0.1,
  };
  await relay.put.option('ModelPrice', JSON.stringify(prices));
});
afterAll(async () => {
  for (const upstream of upstreams) upstream.close();
  await relay.close();
});
afterEach(() => {
  relay.journal.outcomes.splice(0);
  kling.tasks.splice(0);
  ark.tasks.splice(0);
});

const models = { kling: 'kling-v2-master', doubao: 'doubao-seedance-1-0-pro' } as const;
type Host = keyof typeof models;
const create = (host: Host, more: object = {}) =>
  relay.client.videos.create({ prompt: 'a gate at dawn', model: models[host], ...more });
const unitsOf = async (): Promise<number> => {
  const { usage, quote } = await relay.journal.used();
  return price(usage, quote);
};

/** Seconds · 500,000 units · USD of a second. */
const orders = [
  ['kling', {}, 5 * 140_000, { mode: 'std', duration: '5', aspect_ratio: '16:9' }],
  [
    'kling',
    { seconds: '10', size: '1920x1080' },
    10 * 245_000,
    { mode: 'pro', duration: '10', aspect_ratio: '16:9' },
  ],
  ['doubao', {}, 5 * 35_000, { resolution: '720p', ratio: '16:9', duration: 5 }],
  [
    'doubao',
    { seconds: '12', size: '480x854' },
    12 * 35_000,
    { resolution: '480p', ratio: '9:16', duration: 12 },
  ],
] as const;

test.each(orders)('%s makes a video %j, paid by its seconds', async (host, more, units, sent) => {
  const video = await create(host, more);
  expect(video).toMatchObject({ object: 'video', status: 'queued', model: models[host] });
  expect(await unitsOf()).toBe(units);
  const [task] = host === 'kling' ? kling.tasks : ark.tasks;
  expect(task?.body).toMatchObject(sent);
});

describe.each(['kling', 'doubao'] as const)('a video of %s', (host) => {
  test('goes from the queue to its end, and is fetched from the host of the channel', async () => {
    const { id } = await create(host);
    await relay.poll();
    expect((await relay.client.videos.retrieve(id)).status).toBe('in_progress');
    await relay.poll();
    const done = await relay.client.videos.retrieve(id);
    expect(done).toMatchObject({ id, status: 'completed', progress: 100 });
    expect(done.completed_at).toBeGreaterThan(1_700_000_000);
    const answer = await relay.client.videos.downloadContent(id);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(hostFilm);
    const other = relay.client.videos.downloadContent(id, { variant: 'thumbnail' });
    await expect(other).rejects.toMatchObject({ status: 400, param: 'variant' });
    const remix = relay.client.videos.remix(id, { prompt: 'again' });
    await expect(remix).rejects.toMatchObject({ status: 400, code: 'remix_not_offered' });
    expect(await relay.client.videos.delete(id)).toMatchObject({ deleted: true });
    await expect(relay.client.videos.retrieve(id)).rejects.toMatchObject({ status: 404 });
    expect(relay.journal.outcomes).toHaveLength(1);
  });

  test('that fails reports why, without the key and the address of the host', async () => {
    const { id } = await create(host, { prompt: 'this will fail' });
    await relay.poll();
    await relay.poll();
    const { status, error } = await relay.client.videos.retrieve(id);
    expect([status, error?.message]).toEqual([
      'failed',
      host === 'kling' ? 'risk control' : 'refused at [address] with [key]',
    ]);
  });

  test('begins with a picture that is sent along, or given by address', async () => {
    await create(host, { input_reference: await toFile(png, 'a.png', { type: 'image/png' }) });
    const image_url = 'https://pictures.example/a.png';
    await create(host, { input_reference: { image_url } });
    const sent = JSON.stringify((host === 'kling' ? kling : ark).tasks);
    expect(sent).toContain(
      host === 'kling' ? '"iVBORw0KGgo="' : 'data:image/png;base64,iVBORw0KGgo=',
    );
    expect(sent).toContain(image_url);
    if (host === 'kling')
      expect(kling.tasks.map(({ path }) => path)).toEqual(['image2video', 'image2video']);
  });
});

test.each([
  ['kling', { seconds: '8' }, 'seconds'],
  ['kling', { size: '1000x300' }, 'size'],
  ['kling', { size: '640x360' }, 'size'],
  ['doubao', { seconds: '16' }, 'seconds'],
  ['doubao', { size: '1000x300' }, 'size'],
  ['doubao', { prompt: 'a gate --dur 12' }, 'prompt'],
  ['doubao', { prompt: 'a gate --resolution 1080p' }, 'prompt'],
] as const)('%s makes no video %j, and is not called for it', async (host, more, param) => {
  await expect(create(host, more)).rejects.toMatchObject({ status: 400, param });
  expect([kling.tasks, ark.tasks, relay.journal.outcomes]).toEqual([[], [], []]);
});

test('a video that one host cannot make goes to the one that can', async () => {
  await relay.client.videos.create({
    prompt: 'a gate',
    model: 'any-video' as string,
    seconds: '12',
  });
  expect([kling.tasks.length, ark.tasks.length]).toEqual([0, 1]);
  expect(await unitsOf()).toBe(12 * 50_000);
});

test('a busy host is followed by one that makes the very same video', async () => {
  await relay.put.option('RetryTimes', '1');
  await relay.client.videos.create({ prompt: 'a busy gate', model: 'any-video' as string });
  await relay.put.option('RetryTimes', '0');
  expect([kling.tasks.length, ark.tasks[0]?.body.duration]).toEqual([0, 5]);
  expect((await relay.journal.used()).call.channelsTried).toEqual([5, 6]);
});

test('a refusal with a success status is a refusal, and costs nothing', async () => {
  await expect(create('kling', { prompt: 'an odd gate' })).rejects.toMatchObject({ status: 502 });
  expect((await relay.journal.failed()).message).toContain('odd');
  expect(relay.leases.open).toBe(0);
});

test.each([
  'http://127.0.0.1:1/film.mp4',
  'http://169.254.169.254/latest/meta-data/',
  'file:///etc/passwd',
  'nothing',
])('a film at %s is not fetched', async (url) => {
  const { id } = await create('kling');
  const [task] = kling.tasks;
  if (task !== undefined) task.filmUrl = url;
  await relay.poll();
  await relay.poll();
  await expect(relay.client.videos.downloadContent(id)).rejects.toMatchObject({
    status: 502,
    code: 'video_not_fetched',
  });
});
