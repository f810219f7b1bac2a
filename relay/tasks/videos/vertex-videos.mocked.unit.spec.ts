import { GoogleGenAI } from '@google/genai';
import { toFile } from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ChannelSettings } from '../../../domain/channel/events.ts';
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
  accountSecrets,
  playedHosts,
  serviceAccount,
  stubAccessToken,
  stubProject,
} from '../../../tests/support/stub-provider/google-account.ts';
import { createStubVertexVeo, longFilm } from '../../../tests/support/stub-provider/vertex-veo.ts';
import { hostFilm } from '../../../tests/support/stub-provider/video-hosts.ts';
import { closedJson } from './inline-video.ts';

vi.mock('../../upstream/provider-io.ts', async (load) => {
  const { withGoogle } = await import('../../../tests/support/stub-provider/google-account.ts');
  return withGoogle(await load());
});

const region = 'us-central1';
const model = 'veo-3.1-generate-001' as string;
const models = [model, 'veo-2.0-generate-001'];
const [secret] = accountSecrets;
const host = createStubVertexVeo({ token: stubAccessToken, project: stubProject, region, secret });
const png = Buffer.from('iVBORw0KGgo=', 'base64');
const shown = [secret, stubAccessToken, accountSecrets[1], '127.0.0.1'];

let relay: VideoHarness;
let upstream: UpstreamSpy;
const vertex = (settings: Partial<ChannelSettings> = {}, key = serviceAccount) => {
  const own = { type: 41, models, baseUrl: upstream.url, other: region, ...settings };
  return relay.put.channel({ ...aChannel(5, own), sealedKey: sealedFor(5, key) });
};
beforeAll(async () => {
  relay = await startVideoHarness();
  upstream = await startHost(host);
  await vertex();
});
afterAll(async () => {
  upstream.close();
  await relay.close();
});
afterEach(() => {
  relay.journal.outcomes.splice(0);
  host.tasks.splice(0);
});

const create = (more: object = {}) =>
  relay.client.videos.create({ prompt: 'a gate at dawn', model, ...more });
const finished = async (more: object = {}): Promise<string> => {
  const { id } = await create(more);
  await relay.poll();
  await relay.poll();
  return id;
};
const filmOf = async (id: string): Promise<Buffer> =>
  Buffer.from(await (await relay.client.videos.downloadContent(id)).arrayBuffer());

/** Seconds · 500,000 units · USD of a second. */
const one = { sampleCount: 1, generateAudio: true };
const orders = [
  [{}, 8 * 200_000, { aspectRatio: '16:9', durationSeconds: 8, resolution: '720p', ...one }],
  [
    { seconds: '8', size: '2160x3840' },
    8 * 300_000,
    { aspectRatio: '9:16', durationSeconds: 8, resolution: '4k', ...one },
  ],
  [
    { model: 'veo-2.0-generate-001', seconds: '5', size: '720x1280' },
    5 * 175_000,
    { aspectRatio: '9:16', durationSeconds: 5, sampleCount: 1 },
  ],
] as const;

test.each(orders)('Vertex AI makes a video %j, paid by its seconds', async (more, units, sent) => {
  expect(await create(more)).toMatchObject({ object: 'video', status: 'queued' });
  const { usage, quote, task } = await relay.journal.used();
  expect(price(usage, quote)).toBe(units);
  expect(task?.outcome).toMatchObject({ kind: 'accepted', quota: units });
  expect(host.tasks.map(({ body }) => body.parameters)).toEqual([sent]);
  expect([relay.leases.open, relay.leases.settled.at(-1)?.amount]).toEqual([0, units]);
});

describe('a video of Vertex AI', () => {
  test('runs to its end, is fetched out of its operation, and charged once', async () => {
    const { id } = await create();
    await relay.poll();
    expect((await relay.client.videos.retrieve(id)).status).toBe('in_progress');
    await expect(filmOf(id)).rejects.toMatchObject({ code: 'video_not_ready' });
    await relay.poll();
    const done = await relay.client.videos.retrieve(id);
    expect(done).toMatchObject({ id, status: 'completed', progress: 100 });
    expect(await filmOf(id)).toEqual(hostFilm);
    await expect(relay.stranger.videos.downloadContent(id)).rejects.toMatchObject({ status: 404 });
    expect(await relay.client.videos.delete(id)).toMatchObject({ deleted: true });
    expect(relay.journal.outcomes).toHaveLength(1);
  });

  test('is fetched whole, though no other answer may be as long, and no report holds it', async () => {
    const id = await finished({ prompt: 'a long walk' });
    expect(await relay.client.videos.retrieve(id)).toMatchObject({ status: 'completed' });
    expect(JSON.stringify(relay.tasks()).length).toBeLessThan(4_096);
    expect((await filmOf(id)).equals(longFilm)).toBe(true);
  });

  test.each([
    [
      'this will fail',
      'video_generation_failed',
      'Veo could not generate videos at [address] for [key]',
    ],
    ['a gate to be held back', 'moderation_blocked', 'Held back by [address] for [key]'],
  ])(
    'that ends without a video (%s) has failed, and reports why',
    async (prompt, code, message) => {
      const id = await finished({ prompt });
      const { status, error } = await relay.client.videos.retrieve(id);
      expect([status, error]).toEqual(['failed', { code, message }]);
      const [task] = relay.tasks();
      expect(task?.report.status).toBe('FAILURE');
      await expect(filmOf(id)).rejects.toMatchObject({ code: 'video_not_ready' });
    },
  );

  test('that Google refuses costs nothing', async () => {
    await expect(create({ prompt: 'a busy gate' })).rejects.toMatchObject({ status: 429 });
    const { message } = await relay.journal.failed();
    for (const text of shown) expect(message).not.toContain(text);
    expect([relay.leases.open, relay.leases.settled.at(-1)?.amount]).toEqual([0, 0]);
  });

  test('is polled where it runs, though the channel names another region by now', async () => {
    const { id } = await create();
    await vertex({ other: 'europe-west4' });
    await relay.poll();
    await relay.poll();
    expect(await filmOf(id)).toEqual(hostFilm);
    await expect(create()).rejects.toMatchObject({ status: 403 });
    await vertex();
  });

  test('that Google no longer has is gone', async () => {
    const id = await finished();
    host.tasks.splice(0);
    await expect(filmOf(id)).rejects.toMatchObject({ status: 404, code: 'video_expired' });
  });

  test('has no other variant', async () => {
    const id = await finished();
    const thumbnail = relay.client.videos.downloadContent(id, { variant: 'thumbnail' });
    await expect(thumbnail).rejects.toMatchObject({ status: 400, param: 'variant' });
  });
});

test('the regions of a channel have hosts of their own', async () => {
  playedHosts.set(`${region}-aiplatform.googleapis.com`, upstream.url);
  const other = JSON.stringify({ default: 'europe-west4', [model]: region });
  playedHosts.set('europe-west4-aiplatform.googleapis.com', 'http://127.0.0.1:1');
  await vertex({ baseUrl: '', other });
  const elsewhere = create({ model: 'veo-2.0-generate-001' });
  await expect(elsewhere).rejects.toMatchObject({ status: 500 });
  expect(await create()).toMatchObject({ status: 'queued' });
  await vertex();
  playedHosts.clear();
});

test.each([
  ['no JSON', 'sk-oops'],
  ['another key', JSON.stringify({ ...JSON.parse(serviceAccount), private_key: 'broken' })],
])('a channel whose key is %s makes nothing, and nothing is charged', async (_, key) => {
  await vertex({}, key);
  const asked = upstream.requests.length;
  await expect(create()).rejects.toMatchObject({ code: 'channel_configuration_error' });
  expect([upstream.requests.length, relay.leases.open]).toEqual([asked, 0]);
  await vertex();
});

test('Vertex AI is called with the very body that Google’s own client sends', async () => {
  const authClient = {
    getRequestHeaders: async () => new Headers({ authorization: `Bearer ${stubAccessToken}` }),
  };
  const google = new GoogleGenAI({
    vertexai: true,
    project: stubProject,
    location: region,
    googleAuthOptions: { authClient: authClient as never },
    httpOptions: { baseUrl: upstream.url, apiVersion: 'v1' },
  });
  const theirs = await google.models.generateVideos({
    model,
    source: {
      prompt: 'a gate at dawn',
      image: { imageBytes: png.toString('base64'), mimeType: 'image/png' },
    },
    config: {
      aspectRatio: '16:9',
      durationSeconds: 8,
      resolution: '1080p',
      numberOfVideos: 1,
      generateAudio: true,
    },
  });
  const input_reference = await toFile(png, 'a.png', { type: 'image/png' });
  await create({ size: '1920x1080', input_reference });
  expect(host.tasks[1]?.body).toEqual(host.tasks[0]?.body);
  // And it is polled in the same way.
  await google.operations.getVideosOperation({ operation: theirs });
  await relay.poll();
  const [own, ours] = upstream.requests.slice(-2);
  expect(own?.path).toBe(ours?.path);
  expect(Object.keys(JSON.parse(String(ours?.body)))).toEqual(['operationName']);
});

test.each([
  ['{"name":"a","done":true,"response":{"videos":[{"film":"AAA', { film: 'AAA' }],
  ['{"response":{"videos":[{"a":"}]\\"","film":"', { a: '}]"', film: '' }],
])('the beginning of an answer is read as one: %s', (text, video) => {
  expect(JSON.parse(closedJson(text)).response.videos).toEqual([video]);
});
