import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { compressed } from './compression.ts';

const rows = Array.from({ length: 200 }, (_, id) => ({ id, name: `channel-${id}` }));
const lines = rows.map(({ id, name }) => `${id},${name}\r\n`);

const anApp = async () => {
  const app = Fastify();
  await compressed(async (scope) => {
    scope.get('/api/long', async () => rows);
    scope.get('/api/short', async () => ({ ok: true }));
    scope.get('/api/export', async (_, reply) =>
      reply.type('text/csv').send(Readable.from(lines, { objectMode: false })),
    );
    scope.get('/api/live', async (_, reply) =>
      reply.type('text/event-stream').send(Readable.from(lines, { objectMode: false })),
    );
  })(app);
  app.get('/outside', async () => rows);
  return app;
};

const get = async (url: string, acceptEncoding: string) =>
  (await anApp()).inject({ url, headers: { 'accept-encoding': acceptEncoding } });

test('a long answer is compressed in the form that the client takes', async () => {
  const gzip = await get('/api/long', 'gzip');
  expect(gzip.headers['content-encoding']).toBe('gzip');
  expect(gzip.headers.vary).toMatch(/accept-encoding/i);
  expect(JSON.parse(gunzipSync(gzip.rawPayload).toString())).toEqual(rows);
  const brotli = await get('/api/long', 'gzip, deflate, br');
  expect(brotli.headers['content-encoding']).toBe('br');
  expect(JSON.parse(brotliDecompressSync(brotli.rawPayload).toString())).toEqual(rows);
});

test('a short answer, and one for a client that takes no compression, goes out as it is', async () => {
  const short = await get('/api/short', 'gzip');
  expect(short.headers['content-encoding']).toBeUndefined();
  expect(short.json()).toEqual({ ok: true });
  const plain = await get('/api/long', 'identity');
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.json()).toEqual(rows);
});

test('a download is compressed as it streams, and an event stream never is', async () => {
  const csv = await get('/api/export', 'gzip');
  expect(csv.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(csv.rawPayload).toString()).toBe(lines.join(''));
  const live = await get('/api/live', 'gzip, br');
  expect(live.headers['content-encoding']).toBeUndefined();
  expect(live.body).toBe(lines.join(''));
});

test('what is registered outside of the scope is left alone', async () => {
  const outside = await get('/outside', 'gzip');
  expect(outside.headers['content-encoding']).toBeUndefined();
});
