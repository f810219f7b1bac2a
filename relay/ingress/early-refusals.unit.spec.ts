import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  aChannel,
  type Harness,
  rawKey,
  startHarness,
} from '../../tests/support/relay/relay-harness.ts';

let relay: Harness;

beforeEach(async () => {
  relay = await startHarness();
  await relay.put.channel(aChannel(1, {}));
});
afterEach(() => relay.close());

const url = (path: string): string => `http://127.0.0.1:${relay.port}${path}`;
const megabyte = 1_048_576;

const upload = (bytes: number): FormData => {
  const form = new FormData();
  form.append('model', 'whisper-1');
  form.append('file', new Blob([Buffer.alloc(bytes, 7)]), 'sound.mp3');
  return form;
};

describe('an upload that is refused before it was read gets its answer', () => {
  test.each([
    ['1 KB', 1_024],
    ['300 KB', 300 * 1_024],
    ['3 MB', 3 * megabyte],
    ['8 MB', 8 * megabyte],
  ])('to fetch, with an unknown key: %s', async (_size, bytes) => {
    for (let turn = 0; turn < 5; turn += 1) {
      const reply = await fetch(url('/v1/audio/transcriptions'), {
        method: 'POST',
        headers: { authorization: 'Bearer sk-unknown' },
        body: upload(bytes),
      });
      expect(reply.status).toBe(401);
      expect(await reply.json()).toMatchObject({ error: { code: 'invalid_api_key' } });
    }
  });

  test('to fetch, where the body is longer than is taken', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const reply = await fetch(url('/v1/chat/completions'), {
        method: 'POST',
        headers: { authorization: `Bearer sk-${rawKey}`, 'content-type': 'application/json' },
        body: Buffer.alloc(6 * megabyte, 32),
      });
      expect(reply.status).toBe(413);
      expect(await reply.text()).toContain('error');
    }
  });

  test('to a client that reads only after it has written everything', async () => {
    const body = Buffer.alloc(4 * megabyte, 32);
    const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer sk-unknown\r\ncontent-length: ${body.length}\r\n\r\n`;
    const received = await new Promise<string>((resolve, reject) => {
      const socket = connect(relay.port, '127.0.0.1');
      let text = '';
      socket.pause();
      socket.on('error', reject);
      socket.write(Buffer.concat([Buffer.from(head), body]), () => socket.resume());
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
      });
      socket.on('end', () => resolve(text));
    });
    expect(received).toMatch(/^HTTP\/1\.1 401 /);
    expect(received).toContain('invalid_api_key');
  });

  test('to a chunked upload of unknown length, piece by piece', async () => {
    const status = await new Promise<number>((resolve, reject) => {
      const req = request(url('/v1/audio/transcriptions'), {
        method: 'POST',
        headers: { authorization: 'Bearer sk-unknown', 'transfer-encoding': 'chunked' },
      });
      req.on('error', reject);
      req.on('response', (res) => {
        res.resume();
        res.on('end', () => resolve(res.statusCode ?? 0));
      });
      const send = (left: number): void => {
        if (left === 0) req.end();
        else req.write(Buffer.alloc(65_536), () => setTimeout(send, 1, left - 1));
      };
      send(40);
    });
    expect(status).toBe(401);
  });
});

test('a refused upload that does not end is cut off', async () => {
  let sent = 0;
  const socket = connect(relay.port, '127.0.0.1');
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.on('error', () => {});
  socket.resume();
  socket.write(
    'POST /v1/audio/transcriptions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer sk-unknown\r\ncontent-length: 9000000000\r\n\r\n',
  );
  const piece = Buffer.alloc(megabyte);
  const send = (): void => {
    if (socket.destroyed) return;
    socket.write(piece, () => {
      sent += piece.length;
      send();
    });
  };
  send();
  await closed;
  expect(sent).toBeLessThan(200 * megabyte);
});
