import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import * as zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createProviderIo } from '../../relay/upstream/provider-io.ts';
import {
  aChannel,
  chatAnswer,
  chatBody,
  chunkEvent,
  doneEvent,
  startHarness,
  startUpstream,
  usageChunk,
  usageOf,
} from '../support/relay/relay-harness.ts';
import { oneChannel } from '../support/relay/scene.ts';

const scene = oneChannel();
const answer = JSON.stringify(chatAnswer(usageOf(10, 5)));

const encoded =
  (coding: string, body: Buffer | string, status = 200) =>
  (_req: unknown, res: ServerResponse): void => {
    res.writeHead(status, { 'content-type': 'application/json', 'content-encoding': coding });
    res.end(body);
  };

/** The last one is what some senders take for deflate. */
const codings = [
  ['gzip', zlib.gzipSync, zlib.createGzip],
  ['X-GZIP', zlib.gzipSync, zlib.createGzip],
  ['br', zlib.brotliCompressSync, zlib.createBrotliCompress],
  ['deflate', zlib.deflateSync, zlib.createDeflate],
  ['deflate', zlib.deflateRawSync, zlib.createDeflateRaw],
] as const;

describe.each(codings)('an answer in %s', (coding, compress, open) => {
  test('is decoded and billed by what it reports', async () => {
    scene.answer = encoded(coding, compress(answer));
    const reply = await scene.chat();
    expect([reply.status, reply.text]).toEqual([200, answer]);
    expect(reply.headers['content-encoding']).toBeUndefined();
    expect(reply.headers['content-length']).toBe(String(answer.length));
    expect(await scene.relay.journal.used()).toMatchObject({
      usage: { promptTokens: 10, completionTokens: 5 },
    });
  });

  test('reaches the caller event by event', async () => {
    let goOn = (): void => {};
    scene.answer = (_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': coding });
      const stream = open();
      stream.pipe(res);
      stream.write(chunkEvent('Hello'));
      stream.flush(() => {});
      goOn = () => stream.end(usageChunk(usageOf(3, 2)) + doneEvent);
    };
    const first = fetch(`http://127.0.0.1:${scene.relay.port}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${'k'.repeat(48)}`, 'content-type': 'application/json' },
      body: chatBody({ stream: true }),
    });
    const reader = (await first).body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe(chunkEvent('Hello'));
    goOn();
    expect((await reader?.read())?.value).toBe(doneEvent);
    expect(await scene.relay.journal.used()).toMatchObject({ usage: { completionTokens: 2 } });
  });
});

test('no encoding is requested, by calls nor by their auxiliary requests', async () => {
  await scene.chat();
  await createProviderIo(() => new Date())('').fetch({
    ...{ method: 'GET', headers: {}, body: null },
    url: scene.upstream.url,
  });
  expect(scene.upstream.requests.map(({ headers }) => headers['accept-encoding'])).toEqual([
    'identity',
    'identity',
  ]);
});

test('an encoded error response is read', async () => {
  const refusal = JSON.stringify({ error: { message: 'no such thing', type: 't', code: 'c' } });
  scene.answer = encoded('gzip', zlib.gzipSync(refusal), 404);
  const reply = await scene.chat();
  expect(reply.status).toBe(404);
  expect(JSON.parse(reply.text).error).toMatchObject({ type: 't', code: 'c' });
});

test('an unknown encoding is named, a broken one and one cut short are errors', async () => {
  scene.answer = encoded('snappy', 'abc');
  const unknown = await scene.chat();
  expect(unknown.status).toBe(502);
  expect(unknown.text).toContain('snappy');
  scene.answer = encoded('sk-live-0123456789abcdef', 'abc');
  expect((await scene.chat()).text).not.toContain('sk-live');
  for (const body of ['no gzip at all', zlib.gzipSync(answer).subarray(0, 40)]) {
    scene.answer = encoded('gzip', body);
    const broken = await scene.chat();
    expect(broken.status).toBe(502);
    expect(broken.text).toContain('bad_response_encoding');
  }
  expect(scene.relay.leases.open).toBe(0);
});

test('zstd is decoded where Node can, and named where it cannot', async () => {
  const { zstdCompressSync } = zlib as Readonly<{ zstdCompressSync?: (text: string) => Buffer }>;
  const frame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
  scene.answer = encoded('zstd', zstdCompressSync?.(answer) ?? frame);
  const { status, text } = await scene.chat();
  if (zstdCompressSync !== undefined) expect(text).toBe(answer);
  else expect([status, text.includes('read: zstd')]).toEqual([502, true]);
});

const mib = 1_048_576;

test('what unfolds to far more than it is, or to more than an answer may be, is broken off', async () => {
  const relay = await startHarness({ tickMs: 10, maxAnswerBytes: 3 * mib });
  const long = zlib.gzipSync(`{"choices":[],"x":"${randomBytes(2 * mib).toString('hex')}"}`);
  const bomb = zlib.gzipSync(`{"choices":[],"x":"${'a'.repeat(8 * mib)}"}`);
  let body = long;
  const upstream = await startUpstream((req, res) => encoded('gzip', body)(req, res));
  await relay.put.channel(aChannel(1, { baseUrl: upstream.url }));
  const ask = () => relay.send('/v1/chat/completions', chatBody());
  const cut = await ask();
  expect([cut.broken, cut.body.length < 4 * mib]).toEqual([true, true]);
  body = bomb;
  const refused = await ask();
  expect(refused.broken || refused.status === 502).toBe(true);
  expect(refused.body.length).toBeLessThan(2 * mib);
  const io = createProviderIo(() => new Date())('');
  const asked = { method: 'GET', headers: {}, body: null, url: upstream.url } as const;
  await expect(io.fetch(asked)).rejects.toThrow('too long');
  body = long;
  await expect(io.fetch({ ...asked, maxBytes: 3 * mib })).rejects.toThrow('too long');
  upstream.close();
  await relay.close();
});
