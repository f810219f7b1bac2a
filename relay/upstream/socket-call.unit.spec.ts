import { createServer } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  aChannel,
  chatBody,
  type Harness,
  listen,
  sealedFor,
  startHarness,
} from '../../tests/support/relay/relay-harness.ts';

const closers: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const frame = (content: string, status: number): string =>
  JSON.stringify(
    {
      header: { code: 0, message: 'Success', sid: 'sid1', status },
      payload: {
        choices: { status, seq: status, text: [{ content, role: 'assistant', index: 0 }] },
        ...(status === 2
          ? { usage: { text: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 } } }
          : {}),
      },
    },
    null,
    1,
  );

type Seen = { url: string; asked: { header?: { app_id?: string } } | null };

/** Spark at its signed address; `answer` determines what follows its request. */
const startSpark = async (
  answer: ((socket: WebSocket) => void) | 'refuses',
): Promise<Readonly<{ relay: Harness; seen: Seen }>> => {
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  const seen: Seen = { url: '', asked: null };
  server.on('upgrade', (req, socket, head) => {
    seen.url = req.url ?? '';
    if (answer === 'refuses') {
      socket.end(
        'HTTP/1.1 401 Unauthorized\r\ncontent-length: 28\r\n\r\n{"message":"HMAC signature"}',
      );
      return;
    }
    sockets.handleUpgrade(req, socket, head, (client) => {
      client.once('message', (data) => {
        seen.asked = JSON.parse(String(data));
        answer(client);
      });
    });
  });
  const port = await listen(server);
  const relay = await startHarness({ streamIdleTimeoutMs: 200 });
  const models = ['gpt-4o-mini'];
  const baseUrl = `http://127.0.0.1:${port}`;
  const key = 'app|secret|key';
  const entry = aChannel(1, { type: 18, models, baseUrl, other: 'v3.5' });
  await relay.put.channel({ ...entry, sealedKey: sealedFor(1, key) });
  closers.push(
    () => void server.close(),
    relay.close,
    () => {
      for (const client of sockets.clients) client.terminate();
    },
  );
  return { relay, seen };
};

const answers = (socket: WebSocket): void => {
  socket.send(frame('Hel', 0));
  socket.send(frame('lo', 2));
  socket.close();
};

test('a chat over frames is answered in one piece, from a signed address', async () => {
  const { relay, seen } = await startSpark(answers);
  const reply = await relay.send('/v1/chat/completions', chatBody());
  expect(JSON.parse(reply.text)).toMatchObject({
    choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 9, completion_tokens: 4 },
  });
  expect(new URL(seen.url, 'http://x').pathname).toBe('/v3.5/chat');
  expect(new URL(seen.url, 'http://x').searchParams.get('authorization')).not.toBeNull();
  expect(seen.asked?.header?.app_id).toBe('app');
  const used = await relay.journal.used();
  expect([used.usage.promptTokens, used.usage.completionTokens]).toEqual([9, 4]);
});

test('a stream over frames is passed on as events', async () => {
  const { relay } = await startSpark(answers);
  const reply = await relay.send('/v1/chat/completions', chatBody({ stream: true }));
  expect(reply.text).toContain('"content":"Hel"');
  expect(reply.text.trimEnd().endsWith('data: [DONE]')).toBe(true);
  expect((await relay.journal.used()).usage.completionTokens).toBe(4);
});

test('a signature that is refused is the answer of the provider', async () => {
  const { relay } = await startSpark('refuses');
  const reply = await relay.send('/v1/chat/completions', chatBody());
  expect(reply.status).toBe(401);
  expect((await relay.journal.failed()).statusCode).toBe(401);
});

test.each([
  ['breaks off', (socket: WebSocket) => socket.terminate()],
  ['falls silent', () => {}],
])('a stream that %s is charged by what was received', async (_how, then) => {
  const { relay } = await startSpark((socket) => {
    socket.send(frame('Hello out there', 0), () => setTimeout(() => then(socket), 20));
  });
  const reply = await relay.send('/v1/chat/completions', chatBody({ stream: true }));
  expect(reply.text).toContain('Hello out there');
  const used = await relay.journal.used();
  expect([used.end, used.usageSource]).toEqual(['upstream-broken', 'counted']);
  expect(relay.leases.open).toBe(0);
});
