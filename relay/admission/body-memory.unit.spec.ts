import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../tests/support/product.ts';
import { answersIn, openRaw } from '../../tests/support/raw-http.ts';
import {
  aChannel,
  chatAnswer,
  chatBody,
  type Harness,
  json,
  rawKey,
  startHarness,
  startUpstream,
  type UpstreamSpy,
  usageOf,
} from '../../tests/support/relay/relay-harness.ts';

const megabyte = 1024 * 1024;

let relay: Harness;
let upstream: UpstreamSpy;
let release: () => void = () => undefined;

beforeEach(async () => {
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  upstream = await startUpstream((req, res, body) => {
    const isHeld = body.includes('"hold"');
    void (isHeld ? held : Promise.resolve()).then(() =>
      json(chatAnswer(usageOf(1, 1)))(req, res, body),
    );
  });
  relay = await startHarness({ bodyMemory: 2 * megabyte, maxBodyBytes: megabyte });
  await relay.put.channel(aChannel(1, { baseUrl: upstream.url }));
});
afterEach(async () => {
  release();
  await relay.close();
  upstream.close();
});

/** A body of so many bytes whose answer waits for `release`. */
const heldBody = (bytes: number): string => chatBody({ user: 'hold', metadata: 'x'.repeat(bytes) });

const upload = async (path: string, headers: readonly string[], bytes: number) => {
  const connection = await openRaw(relay);
  const length = `Content-Length: ${bytes}`;
  connection.write([`POST ${path} HTTP/1.1`, 'Host: x', length, ...headers, '', ''].join('\r\n'));
  connection.write('x'.repeat(bytes / 2));
  return connection;
};

describe('nothing is kept of what a stranger sends', () => {
  test.each([
    ['/v1/chat/completions', 401],
    ['/v1/messages', 401],
    ['/v1beta/models/gemini-2.0-flash:generateContent', 401],
    ['/v1/audio/transcriptions', 401],
    ['/v1/messages/count_tokens', 401],
    ['/pg/chat/completions', 401],
    ['/mj/submit/imagine', 401],
    ['/mj/notify', 401],
    ['/suno/submit/music', 401],
    ['/v1/nowhere', 404],
  ])('%s is answered before the body has arrived', async (path, status) => {
    const connection = await upload(path, [], megabyte / 2);
    await eventually(async () =>
      expect(answersIn(connection.received())).toMatchObject([{ status }]),
    );
    expect(relay.bodies.used()).toBe(0);
    connection.close();
  });
});

test('a refusal ends the connection only where a body is still on its way', async () => {
  const without = await openRaw(relay);
  without.write('GET /v1/nowhere HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2));
  await eventually(async () =>
    expect(answersIn(without.received())).toMatchObject([{ status: 404 }, { status: 404 }]),
  );
  expect(without.received()).not.toMatch(/connection: close/i);
  without.close();
  const half = await upload('/v1/nowhere', [], megabyte);
  await eventually(async () => expect(half.received()).toMatch(/^connection: close$/im));
  half.close();
});

describe('bodies of callers', () => {
  test('count until they are answered', async () => {
    const reply = relay.send('/v1/chat/completions', heldBody(100_000));
    await eventually(async () => expect(relay.bodies.used()).toBeGreaterThan(100_000));
    release();
    expect((await reply).status).toBe(200);
    await eventually(async () => expect(relay.bodies.used()).toBe(0));
  });

  test('are given back when a client goes away in the middle', async () => {
    const headers = [`Authorization: Bearer sk-${rawKey}`];
    const connection = await upload('/v1/chat/completions', headers, megabyte / 2);
    await eventually(async () => expect(relay.bodies.used()).toBe(megabyte / 4));
    connection.socket.resetAndDestroy();
    await once(connection.socket, 'close');
    await eventually(async () => expect(relay.bodies.used()).toBe(0));
  });

  test('are refused while there is no room, in the protocol of the caller; small ones pass', async () => {
    const held = [heldBody(900_000), heldBody(900_000)].map((body) =>
      relay.send('/v1/chat/completions', body),
    );
    await eventually(async () => expect(relay.bodies.used()).toBeGreaterThan(1_800_000));
    const large = 'x'.repeat(200_000);
    const openai = await relay.send('/v1/chat/completions', chatBody({ metadata: large }));
    expect([openai.status, openai.headers['retry-after']]).toEqual([503, '1']);
    expect(JSON.parse(openai.text).error.code).toBe('request_memory_exhausted');
    const claude = await relay.send('/v1/messages', chatBody({ metadata: large }));
    expect(claude.status).toBe(503);
    expect(JSON.parse(claude.text)).toMatchObject({ type: 'error' });
    const gemini = await relay.send(
      '/v1beta/models/gpt-4o-mini:generateContent',
      chatBody({ metadata: large }),
    );
    expect(JSON.parse(gemini.text).error).toMatchObject({ code: 503 });

    expect((await relay.send('/v1/chat/completions', chatBody())).status).toBe(200);
    release();
    for (const reply of held) expect((await reply).status).toBe(200);
    await eventually(async () => expect(relay.bodies.used()).toBe(0));
    expect((await relay.send('/v1/chat/completions', chatBody({ metadata: large }))).status).toBe(
      200,
    );
  });

  test('count what they are decompressed to, and never more than may be', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * megabyte));
    const headers = { 'content-encoding': 'gzip' };
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => relay.send('/v1/chat/completions', bomb, headers)),
    );
    for (const { status } of replies) expect([413, 503]).toContain(status);
    await eventually(async () => expect(relay.bodies.used()).toBe(0));
    const plain = gzipSync(Buffer.from(chatBody()));
    expect((await relay.send('/v1/chat/completions', plain, headers)).status).toBe(200);
    const broken = await relay.send('/v1/chat/completions', Buffer.from('nonsense'), headers);
    expect(broken.status).toBe(400);
  });

  test('reach the provider as they were sent, many at once, plain and compressed', async () => {
    const received: string[] = [];
    const provider = await startUpstream((req, res, body) => {
      received.push(JSON.parse(String(body)).metadata);
      json(chatAnswer(usageOf(1, 1)))(req, res, body);
    });
    await relay.put.channel(aChannel(1, { baseUrl: provider.url }));
    // Below and above the size from which pieces are freed explicitly.
    const texts = [20_000, 60_000, 70_000, 200_000, 100_000].map((size) =>
      randomBytes(size / 2).toString('hex'),
    );
    const sent = texts.flatMap((metadata) => {
      const body = Buffer.from(chatBody({ metadata }));
      return [
        relay.send('/v1/chat/completions', body),
        relay.send('/v1/chat/completions', gzipSync(body), { 'content-encoding': 'gzip' }),
      ];
    });
    for (const { status } of await Promise.all(sent)) expect(status).toBe(200);
    expect(received.toSorted()).toEqual([...texts, ...texts].toSorted());
    provider.close();
  });
});
