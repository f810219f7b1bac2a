import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { price } from '../../../domain/pricing/price.ts';
import { aChannel, rawKey, startUpstream } from '../../../tests/support/relay/relay-harness.ts';
import {
  soraChannel,
  startVideoHarness,
  type VideoHarness,
} from '../../../tests/support/relay/video-harness.ts';

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

const refusals = [
  [{ prompt: ' ' }, 'prompt'],
  [{ seconds: '0' }, 'seconds'],
  [{ seconds: '4.5' }, 'seconds'],
  [{ seconds: '1e2' }, 'seconds'],
  [{ seconds: '601' }, 'seconds'],
  [{ size: 'large' }, 'size'],
  [{ duration: 60 }, 'duration'],
  [{ n: 2 }, 'n'],
] as const;

test.each(refusals)('%j is refused before a provider is called', async (more, param) => {
  await expect(create(more)).rejects.toMatchObject({ status: 400, param });
  expect([relay.upstream.requests, relay.journal.outcomes]).toEqual([[], []]);
});

test('a form that gives a member twice is refused: the provider might read the other one', async () => {
  const form = new FormData();
  for (const seconds of ['4', '12']) form.append('seconds', seconds);
  form.append('prompt', 'a gate');
  const encoded = new Response(form);
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
  const body = Buffer.from(await encoded.arrayBuffer());
  const { status, text } = await relay.send('/v1/videos', body, headers);
  expect([status, JSON.parse(text).error.param]).toEqual([400, 'seconds']);
});

test('what the provider refuses costs nothing, and is reported without its key', async () => {
  await expect(create({ seconds: '5' })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("Invalid value: '5'"),
  });
  relay.instead.of = (_req, res) => {
    const message = `Incorrect API key provided: upstream-key-${soraChannel}`;
    res
      .writeHead(401, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: { message } }));
    return true;
  };
  const refused = await create().catch((error: Error) => error.message);
  expect(refused).toContain('[key]');
  expect(refused).not.toContain('upstream-key');
  expect(relay.journal.outcomes.map(({ kind }) => kind)).toEqual(['failed', 'failed']);
  expect(relay.leases.open).toBe(0);
});

test('without quota, price or a channel no provider is called', async () => {
  const { funds } = relay.leases;
  relay.leases.funds = 199_999;
  const poor = create();
  await expect(poor).rejects.toMatchObject({ status: 429, code: 'insufficient_quota' });
  relay.leases.funds = funds;
  await relay.put.channel(aChannel(3, { type: 55, models: ['own-video'] }));
  await expect(create({ model: 'own-video' })).rejects.toMatchObject({ code: 'model_price_error' });
  await expect(create({ model: 'other' })).rejects.toMatchObject({ code: 'model_not_found' });
  await relay.put.channel(aChannel(4, { type: 14, models: ['claude'] }));
  await expect(create({ model: 'claude' })).rejects.toMatchObject({ code: 'model_not_found' });
  await relay.put.option('SensitiveWords', 'dragon');
  await expect(create({ prompt: 'a dragon' })).rejects.toMatchObject({
    code: 'sensitive_words_detected',
  });
  expect([relay.upstream.requests, relay.journal.outcomes]).toEqual([[], []]);
});

test('a provider that accepts and cuts the line is not followed by another one, and costs nothing', async () => {
  const second = await startUpstream((_req, res) => res.writeHead(500).end());
  await relay.put.channel(
    aChannel(2, { type: 1, models: ['sora-2'], priority: -1, baseUrl: second.url }),
  );
  await relay.put.option('RetryTimes', '3');
  relay.instead.of = (_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': 500 });
    res.write('{"id":"video_lost",');
    setImmediate(() => res.destroy());
    return true;
  };
  await expect(create()).rejects.toMatchObject({ status: 500, code: 'do_request_failed' });
  expect(second.requests).toEqual([]);
  const failed = await relay.journal.failed();
  expect([failed.call.channelsTried, relay.leases.open]).toEqual([[soraChannel], 0]);
  await relay.put.option('RetryTimes', '0');
  await relay.put.channel(aChannel(2, { type: 1, models: ['sora-2'] }, 2));
  second.close();
});

test('a busy provider is followed by another one, to which the video belongs from then on', async () => {
  await relay.put.channel(
    aChannel(2, {
      type: 1,
      models: ['sora-2'],
      priority: 9,
      baseUrl: relay.upstream.url,
      modelMapping: '{"sora-2":"sora-2-pro"}',
    }),
  );
  await relay.put.option('RetryTimes', '1');
  const { id } = await create({ seconds: '8' });
  const { call, units } = await charged();
  expect(call).toMatchObject({ channelsTried: [2, soraChannel], channelId: soraChannel });
  expect([units, relay.stub.videos[0]?.seconds]).toEqual([400_000, '8']);
  await relay.poll();
  expect((await relay.client.videos.retrieve(id)).status).toBe('in_progress');
  await relay.put.option('RetryTimes', '0');
  await relay.put.channel(aChannel(2, { type: 1, models: ['sora-2'] }, 2));
});

test('a caller who disconnects while his video is requested pays for it, and finds it', async () => {
  let release = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    relay.instead.of = (_req, res) => {
      relay.instead.of = () => false;
      release = () => {
        res.writeHead(200, { 'content-type': 'application/json' });
        res.end('{"id":"video_late","status":"queued"}');
      };
      resolve();
      return true;
    };
  });
  const body = '{"prompt":"a gate","seconds":"8"}';
  const socket = connect(relay.port, '127.0.0.1');
  const closed = relay.nextClose();
  socket.write(
    `POST /v1/videos HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer sk-${rawKey}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await asked;
  socket.destroy();
  await closed;
  release();
  const { units } = await charged();
  expect(units).toBe(400_000);
  const { data } = await relay.client.videos.list();
  expect(data).toMatchObject([{ seconds: '8', status: 'queued' }]);
});

test('a film is read no faster than its caller reads it, and ends with him', async () => {
  const id = await finished();
  let written = 0;
  let over = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    over = resolve;
  });
  relay.instead.of = (_req, res) => {
    res.writeHead(200, { 'content-type': 'video/mp4' });
    const piece = Buffer.alloc(65_536);
    const push = (): void => {
      while (!res.destroyed && written < 500 * piece.length) {
        written += piece.length;
        if (!res.write(piece)) break;
      }
    };
    res.on('drain', push);
    res.on('close', over);
    push();
    return true;
  };
  const socket = connect(relay.port, '127.0.0.1');
  socket.write(
    `GET /v1/videos/${id}/content HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer sk-${rawKey}\r\n\r\n`,
  );
  await once(socket, 'readable');
  socket.pause();
  socket.destroy();
  await ended;
  expect(written).toBeLessThan(500 * 65_536);
});

test('an answer that is no film is not passed on', async () => {
  const id = await finished();
  relay.instead.of = (_req, res) => {
    const words = '{"key":"upstream-key-1"}';
    res.writeHead(200, { 'content-type': 'application/json' }).end(words);
    return true;
  };
  await expect(relay.client.videos.downloadContent(id)).rejects.toMatchObject({
    status: 502,
    code: 'video_not_fetched',
  });
  relay.instead.of = (_req, res) => {
    res.writeHead(302, { location: 'http://169.254.169.254/' }).end();
    return true;
  };
  await expect(relay.client.videos.downloadContent(id)).rejects.toMatchObject({ status: 502 });
});
