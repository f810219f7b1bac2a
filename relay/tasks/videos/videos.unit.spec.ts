import { toFile } from 'openai';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { price } from '../../../domain/pricing/price.ts';
import {
  startVideoHarness,
  type VideoHarness,
} from '../../../tests/support/relay/video-harness.ts';
import { filmOf } from '../../../tests/support/stub-provider/videos.ts';

let relay: VideoHarness;
beforeAll(async () => {
  relay = await startVideoHarness();
});
afterAll(() => relay.close());
afterEach(() => {
  relay.instead.of = () => false;
  relay.journal.outcomes.splice(0);
  relay.journal.startedEntries.splice(0);
  relay.upstream.requests.splice(0);
  relay.stub.videos.splice(0);
});

const png = Buffer.from('iVBORw0KGgo=', 'base64');
const create = (more: object = {}) =>
  relay.client.videos.create({ prompt: 'a gate at dawn', model: 'sora-2', ...more });
const finished = async (more: object = {}): Promise<string> => {
  const { id } = await create(more);
  await relay.poll();
  await relay.poll();
  return id;
};
/** The provider's last request, and what was charged for it. */
const charged = async () => {
  const { usage, quote, task, call } = await relay.journal.used();
  return { units: price(usage, quote), task, call };
};

/** Seconds · 500,000 units · USD of a second. */
const prices = [
  [{}, '4', '720x1280', 200_000],
  [{ seconds: '12', size: '1280x720' }, '12', '1280x720', 600_000],
  [{ model: 'sora-2-pro', seconds: '8' }, '8', '720x1280', 1_200_000],
  [{ model: 'sora-2-pro', seconds: '8', size: '1792x1024' }, '8', '1792x1024', 2_000_000],
] as const;

test.each(prices)('a video %j is requested and charged with its acceptance', async (...row) => {
  const [asked, seconds, size, units] = row;
  const video = await create(asked);
  expect(video).toMatchObject({ object: 'video', status: 'queued', seconds, size, error: null });
  expect(video.id).toMatch(/^video_/);
  expect(relay.stub.videos).toMatchObject([{ seconds, size, model: video.model }]);
  const { task, call, ...bill } = await charged();
  expect(bill.units).toBe(units);
  expect(task?.outcome).toMatchObject({ kind: 'accepted', quota: units, upstreamId: 'video_up1' });
  expect(call).toMatchObject({ model: video.model, task: { platform: 'video', action: 'VIDEO' } });
  expect(relay.leases.open).toBe(0);
  expect(relay.leases.settled.at(-1)?.amount).toBe(units);
});

test('a video goes from the queue to its end, is fetched in pieces, and nothing more is charged', async () => {
  const { id } = await create();
  expect(await relay.client.videos.retrieve(id)).toMatchObject({ id, status: 'queued' });
  await relay.poll();
  const running = { id, status: 'in_progress', progress: 30, completed_at: null };
  expect(await relay.client.videos.retrieve(id)).toMatchObject(running);
  await relay.poll();
  const done = await relay.client.videos.retrieve(id);
  expect(done).toMatchObject({ status: 'completed', progress: 100, model: 'sora-2' });
  expect((done.completed_at ?? 0) - (relay.stub.videos[0]?.createdAt ?? 0)).toBe(61);
  expect(done.expires_at).toBeGreaterThan(done.created_at);
  const film = filmOf({ id: 'video_up1' });
  const answer = await relay.client.videos.downloadContent(id);
  expect(answer.headers.get('content-type')).toBe('video/mp4');
  expect(Buffer.from(await answer.arrayBuffer()).equals(film)).toBe(true);
  const part = await relay.get(`/v1/videos/${id}/content`, { range: 'bytes=5-9' });
  expect([part.status, part.text]).toEqual([206, film.toString('utf8', 5, 10)]);
  const picture = await relay.client.videos.downloadContent(id, { variant: 'thumbnail' });
  expect(picture.headers.get('content-type')).toBe('image/webp');
  expect(relay.journal.outcomes).toHaveLength(1);
});

test('a picture goes up as a file or as data, and none is taken by a file id', async () => {
  await create({ input_reference: await toFile(png, 'gate.png', { type: 'image/png' }) });
  const image_url = `data:image/png;base64,${png.toString('base64')}`;
  await create({ input_reference: { image_url } });
  const body = { prompt: 'a gate', input_reference: { image_url } };
  expect((await relay.send('/v1/videos', JSON.stringify(body))).status).toBe(200);
  expect(relay.stub.videos.map(({ pictureBytes }) => pictureBytes)).toEqual([8, 8, 8]);
  await expect(create({ input_reference: { file_id: 'file-1' } })).rejects.toMatchObject({
    status: 400,
    param: 'input_reference',
  });
});

test('a remix is a separate video, made where the first one is and at its price', async () => {
  const first = await finished({ seconds: '12', size: '1280x720' });
  relay.journal.outcomes.splice(1);
  const video = await relay.client.videos.remix(first, { prompt: 'the same at night' });
  expect(video).toMatchObject({ seconds: '12', size: '1280x720', remixed_from_video_id: first });
  const used = await relay.journal.used(1);
  expect(price(used.usage, used.quote)).toBe(600_000);
  expect(used.task?.facts.action).toBe('REMIX');
  await expect(relay.stranger.videos.remix(first, { prompt: 'mine' })).rejects.toMatchObject({
    status: 404,
  });
  expect(relay.journal.outcomes).toHaveLength(2);
});

test('the list holds the own videos, page by page', async () => {
  const ids = [(await create()).id, (await create()).id, (await create()).id];
  const theirs = await relay.stranger.videos.create({ prompt: 'another gate' });
  const seen: string[] = [];
  for await (const { id } of relay.client.videos.list({ limit: 2 })) seen.push(id);
  expect(seen).toEqual(ids.toReversed());
  const [only] = (await relay.stranger.videos.list()).data;
  expect(only?.id).toBe(theirs.id);
});

test('a video of another user is not found, whatever is requested of it', async () => {
  const id = await finished();
  const { videos } = relay.stranger;
  for (const ask of [
    () => videos.retrieve(id),
    () => videos.downloadContent(id),
    () => videos.delete(id),
    () => videos.retrieve('video_never'),
    () => videos.retrieve('video_up1'),
  ]) {
    await expect(ask()).rejects.toMatchObject({ status: 404, code: 'video_not_found' });
  }
  expect(relay.stub.videos).toHaveLength(1);
});

test('a finished video is deleted there and here, and a running one is not', async () => {
  const open = await create({ prompt: 'this goes on' });
  await expect(relay.client.videos.delete(open.id)).rejects.toMatchObject({ status: 400 });
  const id = await finished();
  expect(await relay.client.videos.delete(id)).toEqual({
    id,
    object: 'video.deleted',
    deleted: true,
  });
  expect(relay.stub.videos.map(({ prompt }) => prompt)).toEqual(['this goes on']);
  await expect(relay.client.videos.retrieve(id)).rejects.toMatchObject({ status: 404 });
});

test('a failed video reports why, without keys, and has no content', async () => {
  const id = await finished({ prompt: 'this will fail' });
  const failed = await relay.client.videos.retrieve(id);
  expect(failed).toMatchObject({
    status: 'failed',
    error: { code: 'moderation_blocked', message: 'the lens of [key] broke' },
  });
  await expect(relay.client.videos.downloadContent(id)).rejects.toMatchObject({ status: 400 });
});

test('calls of the API that are not offered are refused as such', async () => {
  const { status } = await relay.send('/v1/videos/edits', '{}');
  expect(status).toBe(501);
});
