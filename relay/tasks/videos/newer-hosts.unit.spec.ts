import { GoogleGenAI } from '@google/genai';
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
import { createStubJimeng } from '../../../tests/support/stub-provider/jimeng.ts';
import { createStubVeo } from '../../../tests/support/stub-provider/veo.ts';
import { hostFilm } from '../../../tests/support/stub-provider/video-hosts.ts';
import { createStubVidu } from '../../../tests/support/stub-provider/vidu.ts';
import { ofAddress } from './serve-content.ts';

const keys = {
  veo: 'a-key-of-google-1234',
  vidu: 'a-key-of-vidu-1234',
  jimeng: 'an-access-key-of-volc|a-secret-of-volc-1234',
} as const;
const hosts = {
  veo: createStubVeo(keys.veo),
  vidu: createStubVidu(keys.vidu),
  jimeng: createStubJimeng(['an-access-key-of-volc', 'a-secret-of-volc-1234']),
} as const;
type Host = keyof typeof hosts;
const names: readonly Host[] = ['veo', 'vidu', 'jimeng'];
const models = {
  veo: ['veo-3.1-generate-preview', 'veo-2.0-generate-001'],
  vidu: ['viduq1', 'viduq2'],
  jimeng: ['jimeng_v30', 'jimeng_v30_1080p', 'jimeng_v30_pro'],
} as const;
const types = { veo: 24, vidu: 52, jimeng: 51 } as const;
const png = Buffer.from('iVBORw0KGgo=', 'base64');
const image_url = 'https://pictures.example/a.png';

let relay: VideoHarness;
const upstreams = new Map<Host, UpstreamSpy>();
beforeAll(async () => {
  relay = await startVideoHarness();
  for (const [at, host] of names.entries()) {
    const upstream = await startHost(hosts[host]);
    upstreams.set(host, upstream);
    const channelId = 5 + at;
    const channel = aChannel(channelId, {
      type: types[host],
      models: [...models[host], ...(host === 'veo' ? [] : ['any-video'])],
      modelMapping: host === 'jimeng' ? '{"any-video":"jimeng_v30"}' : '',
      baseUrl: upstream.url,
      priority: -channelId,
    });
    await relay.put.channel({ ...channel, sealedKey: sealedFor(channelId, keys[host]) });
  }
  const prices = {
    viduq1: 0.08,
    viduq2: 0.05,
    jimeng_v30: 0.04,
    jimeng_v30_pro: 0.1,
    'any-video': 0.1,
  };
  await relay.put.option('ModelPrice', JSON.stringify(prices));
});
afterAll(async () => {
  for (const upstream of upstreams.values()) upstream.close();
  await relay.close();
});
afterEach(() => {
  relay.journal.outcomes.splice(0);
  for (const host of names) hosts[host].tasks.splice(0);
});

const create = (host: Host, more: object = {}) =>
  relay.client.videos.create({
    prompt: 'a gate at dawn',
    model: models[host][0] as string,
    ...more,
  });
const bodyOf = (host: Host) => hosts[host].tasks[0]?.body;
const finished = async (host: Host, more: object = {}): Promise<string> => {
  const { id } = await create(host, more);
  await relay.poll();
  await relay.poll();
  return id;
};

/** Seconds · 500,000 units · USD of a second. */
const orders = [
  ['veo', {}, 8 * 200_000, { aspectRatio: '16:9', durationSeconds: 8, resolution: '720p' }],
  [
    'veo',
    { seconds: '8', size: '2160x3840' },
    8 * 300_000,
    { aspectRatio: '9:16', durationSeconds: 8, resolution: '4k' },
  ],
  [
    'veo',
    { model: 'veo-2.0-generate-001', seconds: '5', size: '720x1280' },
    5 * 175_000,
    { aspectRatio: '9:16', durationSeconds: 5 },
  ],
  ['vidu', {}, 5 * 40_000, { duration: 5, resolution: '1080p', aspect_ratio: '16:9' }],
  [
    'vidu',
    { model: 'viduq2', seconds: '7', size: '540x960' },
    7 * 25_000,
    { duration: 7, resolution: '540p', aspect_ratio: '9:16' },
  ],
  ['jimeng', {}, 5 * 20_000, { req_key: 'jimeng_t2v_v30', frames: 121, aspect_ratio: '16:9' }],
  [
    'jimeng',
    { seconds: '10', size: '720x1280' },
    10 * 20_000,
    { req_key: 'jimeng_t2v_v30', frames: 241, aspect_ratio: '9:16' },
  ],
] as const;

test.each(orders)('%s makes a video %j, paid by its seconds', async (host, more, units, sent) => {
  const video = await create(host, more);
  expect(video).toMatchObject({ object: 'video', status: 'queued' });
  const { usage, quote } = await relay.journal.used();
  expect(price(usage, quote)).toBe(units);
  const body = bodyOf(host);
  if (host === 'veo') expect(body?.parameters).toEqual(sent);
  else expect(body).toMatchObject(sent);
  expect(relay.leases.open).toBe(0);
});

describe.each(names)('a video of %s', (host) => {
  test('runs to its end, is fetched from the host of the channel, and charged once', async () => {
    const { id } = await create(host);
    await relay.poll();
    expect((await relay.client.videos.retrieve(id)).status).toBe('in_progress');
    await relay.poll();
    const done = await relay.client.videos.retrieve(id);
    expect(done).toMatchObject({ id, status: 'completed', progress: 100 });
    expect(done.completed_at).toBeGreaterThan(1_700_000_000);
    const answer = await relay.client.videos.downloadContent(id);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(hostFilm);
    expect(await relay.client.videos.delete(id)).toMatchObject({ deleted: true });
    await expect(relay.client.videos.retrieve(id)).rejects.toMatchObject({ status: 404 });
    expect(relay.journal.outcomes).toHaveLength(1);
  });

  test('that fails reports why, without the key and the address of the host', async () => {
    const id = await finished(host, { prompt: 'this will fail' });
    const { status, error } = await relay.client.videos.retrieve(id);
    const reasons = {
      veo: 'Video generation failed at [address]',
      vidu: 'The provider reported: AuditSubmitIllegal',
      jimeng: 'Post Img Risk Not Pass for [key]',
    };
    expect([status, error?.message]).toEqual(['failed', reasons[host]]);
  });

  test('that its provider refuses costs nothing', async () => {
    await expect(create(host, { prompt: 'a busy gate' })).rejects.toMatchObject({ status: 429 });
    expect((await relay.journal.failed()).message).not.toContain(keys[host]);
    expect([relay.leases.open, hosts[host].tasks]).toEqual([0, []]);
  });

  test.each([
    'http://127.0.0.1:1/film.mp4',
    'http://169.254.169.254/latest/meta-data/',
    'file:///etc/passwd',
  ])('whose video is at %s is not fetched', async (url) => {
    const { id } = await create(host);
    const [task] = hosts[host].tasks;
    if (task !== undefined) task.filmUrl = url;
    await relay.poll();
    await relay.poll();
    await expect(relay.client.videos.downloadContent(id)).rejects.toMatchObject({ status: 502 });
  });
});

test('Veo is called with the very body that Google’s own client sends', async () => {
  const { url = '' } = upstreams.get('veo') ?? {};
  const google = new GoogleGenAI({ apiKey: keys.veo, httpOptions: { baseUrl: url } });
  await google.models.generateVideos({
    model: 'veo-3.1-generate-preview',
    source: {
      prompt: 'a gate at dawn',
      image: { imageBytes: png.toString('base64'), mimeType: 'image/png' },
    },
    config: { aspectRatio: '16:9', durationSeconds: 8, resolution: '1080p' },
  });
  const input_reference = await toFile(png, 'a.png', { type: 'image/png' });
  await create('veo', { size: '1920x1080', input_reference });
  const [theirs, ours] = hosts.veo.tasks;
  expect(ours?.body).toEqual(theirs?.body);
});

test('a film that Google held back is refunded as one that failed, with its reason', async () => {
  const id = await finished('veo', { prompt: 'a gate to be held back' });
  const { status, error } = await relay.client.videos.retrieve(id);
  const message = 'Held back by [address] for [key]';
  expect([status, error]).toEqual(['failed', { code: 'moderation_blocked', message }]);
});

test('a picture goes up as each provider takes it, by the call for pictures', async () => {
  const input_reference = await toFile(png, 'a.png', { type: 'image/png' });
  await create('vidu', { input_reference });
  await create('vidu', { input_reference: { image_url } });
  await create('jimeng', { input_reference });
  await create('jimeng', { model: 'jimeng_v30_pro', input_reference: { image_url } });
  expect(hosts.vidu.tasks).toMatchObject([
    { path: 'img2video', body: { images: ['data:image/png;base64,iVBORw0KGgo='] } },
    { path: 'img2video', body: { images: [image_url] } },
  ]);
  expect(hosts.jimeng.tasks).toMatchObject([
    { path: 'jimeng_i2v_first_v30', body: { binary_data_base64: ['iVBORw0KGgo='] } },
    { path: 'jimeng_ti2v_v30_pro', body: { image_urls: [image_url] } },
  ]);
});

test.each([
  ['veo', { seconds: '7' }, 'seconds'],
  ['veo', { seconds: '4', size: '1920x1080' }, 'seconds'],
  ['veo', { size: '1024x1024' }, 'size'],
  ['veo', { input_reference: { image_url } }, 'input_reference'],
  ['vidu', { seconds: '17' }, 'seconds'],
  ['vidu', { size: '1000x300' }, 'size'],
  ['jimeng', { seconds: '6' }, 'seconds'],
  ['jimeng', { size: '640x360' }, 'size'],
] as const)('%s makes no video %j, and is not called for it', async (host, more, param) => {
  await expect(create(host, more)).rejects.toMatchObject({ status: 400, param });
  expect([hosts[host].tasks, relay.journal.outcomes]).toEqual([[], []]);
});

test('a model without a price of the operator or by default is refused', async () => {
  const unpriced = create('jimeng', { model: 'jimeng_v30_1080p' });
  await expect(unpriced).rejects.toMatchObject({ code: 'model_price_error' });
});

test('a busy host is followed by one that makes the very same video', async () => {
  await relay.put.option('RetryTimes', '1');
  await create('vidu', { prompt: 'a busy street', model: 'any-video', seconds: '10' });
  await relay.put.option('RetryTimes', '0');
  expect(hosts.vidu.tasks).toEqual([]);
  expect(hosts.jimeng.tasks).toMatchObject([{ path: 'jimeng_t2v_v30', body: { frames: 241 } }]);
  const { call, usage } = await relay.journal.used();
  expect([call.channelsTried, usage.videoSeconds]).toEqual([[6, 7], 10]);
});

test.each([
  ['elsewhere', 'http://127.0.0.1:1/film.mp4'],
  ['to another protocol', 'file:///etc/passwd'],
  ['in a circle', null],
])('a film of Google that redirects %s is not fetched', async (_, to) => {
  const { url = '' } = upstreams.get('veo') ?? {};
  const { id } = await create('veo');
  const [task] = hosts.veo.tasks;
  const own = `${url}/v1beta/files/${task?.id}:download?alt=media`;
  // A redirect of a redirect of a redirect of a redirect.
  const round = [1, 2, 3].reduce((at) => `${url}/redirect?to=${encodeURIComponent(at)}`, own);
  const once = `${url}/redirect?to=${encodeURIComponent(to ?? '')}`;
  if (task !== undefined) task.filmUrl = to === null ? round : once;
  await relay.poll();
  await relay.poll();
  await expect(relay.client.videos.downloadContent(id)).rejects.toMatchObject({ status: 502 });
});

test.each([
  ['https://google.example/v1beta/files/a:download', true],
  ['https://google.example:8443/files/a', false],
  ['http://google.example/files/a', false],
  ['https://google.example.evil.example/files/a', false],
  ['https://google.example@evil.example/files/a', false],
  ['nothing', false],
])('the key of a channel goes with a file at %s: %s', (url, isOwn) => {
  const headers = { 'x-goog-api-key': 'a-key' };
  const source = ofAddress(url, { origin: 'https://google.example', headers });
  expect(source).toEqual({ url, headers: isOwn ? headers : {}, publicOnly: !isOwn });
});
