import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  aChannel,
  anAccount,
  aToken,
  chatBody,
  chunkEvent,
  doneEvent,
  rawKey,
  sse,
  usageChunk,
  usageOf,
} from '../../tests/support/relay/relay-harness.ts';
import { relayScene } from '../../tests/support/relay/scene.ts';
import { testSigner } from '../../tests/support/sessions.ts';
import { aSessionId } from '../../tests/support/user-examples.ts';

const scene = relayScene({ settings: { trustedProxies: ['127.0.0.0/8'] } });

const chat = (headers: Record<string, string> = {}, body = chatBody()) =>
  scene.relay.send('/v1/chat/completions', body, headers);
const errorOf = (text: string) => JSON.parse(text).error;

describe('who may call', () => {
  test.each([
    ['no key', { authorization: '' }, 401, 'invalid_api_key'],
    ['an unknown key', { authorization: `Bearer sk-${'x'.repeat(48)}` }, 401, 'invalid_api_key'],
    [
      'a channel behind the key of an ordinary user',
      { authorization: `Bearer sk-${rawKey}-1` },
      403,
      'channel_not_allowed',
    ],
  ])('%s is refused', async (_name, headers, status, code) => {
    const reply = await chat(headers);
    expect(reply.status).toBe(status);
    expect(errorOf(reply.text)).toMatchObject({ code, type: 'tollgate_error' });
    expect(errorOf(reply.text).message).toContain(`(request id: ${reply.headers['x-request-id']})`);
    expect(scene.upstream.requests).toEqual([]);
  });

  test.each([
    ['a disabled token', { status: 2 as const }, 401, 'invalid_api_key'],
    ['an expired token', { expiredTime: 1_000 }, 401, 'invalid_api_key'],
    ['another address', { allowIps: ['10.0.0.0/8'] }, 403, 'ip_not_allowed'],
    [
      'a list of addresses in which nothing parses',
      { allowIps: ['nonsense'] },
      403,
      'ip_not_allowed',
    ],
    ['a model beside the limits', { modelLimits: ['gpt-4o'] }, 403, 'model_not_allowed'],
    ['an empty list of models', { modelLimits: [''] }, 403, 'model_not_allowed'],
    ['a group that is not open', { group: 'svip' }, 403, 'group_not_allowed'],
    ['a group that nobody serves', { group: 'vip' }, 404, 'model_not_found'],
  ])('%s is refused at once when the token changes', async (_name, terms, status, code) => {
    expect((await chat()).status).toBe(200);
    await scene.relay.put.token(rawKey, aToken(terms));
    const reply = await chat();
    expect([reply.status, errorOf(reply.text).code]).toEqual([status, code]);
  });

  test('a banned owner is refused, a deleted token is unknown', async () => {
    await scene.relay.put.account(anAccount({ status: 2 }));
    expect((await chat()).status).toBe(403);
    await scene.relay.put.account(anAccount());
    await scene.relay.put.token(rawKey, null);
    expect((await chat()).status).toBe(401);
  });

  test('a token made a moment after it was refused is taken', async () => {
    const key = 'n'.repeat(48);
    expect((await chat({ authorization: key })).status).toBe(401);
    await scene.relay.put.token(key, aToken({ tokenId: 6 }));
    expect((await chat({ authorization: key })).status).toBe(200);
  });

  test('behind a trusted proxy the forwarded address counts, and forged hops do not', async () => {
    await scene.relay.put.token(rawKey, aToken({ allowIps: ['203.0.113.0/24'] }));
    expect((await chat({ 'x-forwarded-for': '203.0.113.9' })).status).toBe(200);
    expect((await chat({ 'x-forwarded-for': '203.0.113.9, 198.51.100.1' })).status).toBe(403);
  });

  test('an administrator pins a channel with the key, and its state is respected', async () => {
    await scene.relay.put.account(anAccount({ role: 10 }));
    await scene.relay.put.channel(aChannel(2, { baseUrl: scene.upstream.url, models: [] }));
    await scene.relay.put.channel(aChannel(3, { baseUrl: scene.upstream.url }, 2));
    await chat({ authorization: `Bearer sk-${rawKey}-2` });
    expect((await scene.relay.journal.used()).call.channelId).toBe(2);
    expect((await chat({ authorization: `Bearer sk-${rawKey}-3` })).status).toBe(403);
    expect((await chat({ authorization: `Bearer sk-${rawKey}-99` })).status).toBe(400);
    expect((await chat({ authorization: `Bearer sk-${rawKey}-x` })).status).toBe(400);
  });
});

describe('paths and methods that are served', () => {
  test.each([
    ['no JSON', 'nonsense'],
    ['no model', '{"messages":[{"role":"user","content":"x"}]}'],
    ['an empty model', chatBody({ model: '' })],
    ['no messages', '{"model":"gpt-4o-mini"}'],
    ['empty messages', '{"model":"gpt-4o-mini","messages":[ ]}'],
    ['a limit that overflows', chatBody({ max_tokens: 2_000_000_000 })],
  ])('%s: 400', async (_name, body) => {
    const reply = await chat({}, body);
    expect(reply.status).toBe(400);
    expect(errorOf(reply.text).code).toBe('invalid_text_request');
    expect(scene.relay.journal.startedEntries).toEqual([]);
  });

  test('a body above the limit: 413', async () => {
    expect((await chat({}, `{"x":"${'a'.repeat(2_000_000)}"}`)).status).toBe(413);
    const bomb = gzipSync(Buffer.alloc(3_000_000, 'a'));
    const reply = await scene.relay.send('/v1/chat/completions', bomb, {
      'content-encoding': 'gzip',
    });
    expect(reply.status).toBe(413);
  });

  test('a compressed body reaches the provider plain', async () => {
    const body = gzipSync(chatBody());
    await scene.relay.send('/v1/chat/completions', body, { 'content-encoding': 'gzip' });
    expect(scene.upstream.requests[0]?.body.toString()).toBe(chatBody());
  });

  test('a model without a price is refused unless the caller accepts that', async () => {
    await scene.relay.put.channel(
      aChannel(1, { baseUrl: scene.upstream.url, models: ['home-made'] }),
    );
    const body = chatBody({ model: 'home-made' });
    expect(errorOf((await chat({}, body)).text).code).toBe('model_price_error');
    await scene.relay.put.account(anAccount({ acceptUnsetModelRatioModel: true }));
    expect((await chat({}, body)).status).toBe(200);
  });

  test('a model named twice is checked and sent as the last one', async () => {
    const body =
      '{"model":"gpt-4o","messages":[{"role":"user","content":"x"}],"model":"gpt-4o-mini"}';
    expect((await chat({}, body)).status).toBe(200);
    expect(scene.upstream.requests[0]?.body.toString()).not.toContain('"gpt-4o"');
  });

  test("unknown paths are 404, unserved paths of the protocols 501, and other paths are not the relay's", async () => {
    expect((await scene.relay.get('/v1/nowhere')).status).toBe(404);
    expect((await scene.relay.send('/v1/edits', '{}')).status).toBe(501);
    expect((await scene.relay.get('/v1/fine-tunes')).status).toBe(501);
    expect((await scene.relay.get('/v10')).status).toBe(418);
    expect((await scene.relay.get('/api/status')).status).toBe(418);
  });
});

describe('models', () => {
  test('are reported in the shape of the calling library', async () => {
    await scene.relay.put.channel(
      aChannel(1, { baseUrl: scene.upstream.url, models: ['a', 'b-embedding'] }),
    );
    const modelsIn = async (path: string, headers = {}) =>
      JSON.parse((await scene.relay.get(path, headers)).text);
    const claude = { 'anthropic-version': '2023-06-01' };
    expect(await modelsIn('/v1/models', claude)).toMatchObject({
      data: [{ type: 'model', id: 'a' }, { id: 'b-embedding' }],
      has_more: false,
      last_id: 'b-embedding',
    });
    expect(await modelsIn('/v1/models/a', claude)).toMatchObject({
      type: 'model',
      display_name: 'a',
    });
    expect(await modelsIn('/v1beta/models')).toMatchObject({
      models: [
        {
          name: 'models/a',
          supportedGenerationMethods: expect.arrayContaining(['generateContent']),
        },
        { name: 'models/b-embedding', supportedGenerationMethods: ['embedContent'] },
      ],
    });
    expect(await modelsIn('/v1beta/models/a')).toMatchObject({
      name: 'models/a',
      displayName: 'a',
    });
    expect(await modelsIn('/v1beta/openai/models')).toMatchObject({ object: 'list' });
    const unknown = await scene.relay.get('/v1beta/models/zzz');
    expect([unknown.status, JSON.parse(unknown.text).error.status]).toEqual([404, 'NOT_FOUND']);
  });

  test('are those served to the group, or exactly the limits of the token', async () => {
    const ids = async () =>
      JSON.parse((await scene.relay.get('/v1/models')).text).data.map(
        ({ id }: { id: string }) => id,
      );
    expect(await ids()).toEqual([
      'gpt-3.5-turbo-instruct',
      'gpt-4o-mini',
      'text-embedding-3-small',
    ]);
    await scene.relay.put.token(rawKey, aToken({ modelLimits: ['b', 'a'] }));
    expect(await ids()).toEqual(['a', 'b']);
    expect((await scene.relay.get('/v1/models/a')).status).toBe(200);
    expect(errorOf((await scene.relay.get('/v1/models/zzz')).text).code).toBe('model_not_found');
  });
});

describe('the playground', () => {
  const cookie = (epoch = 3, id = aSessionId()): Record<string, string> => ({
    authorization: '',
    cookie: `theme=dark; session=${testSigner.sign({ id, userId: 7, epoch, issuedAt: Date.now() })}`,
    'new-api-user': '7',
  });
  const play = (
    headers: Record<string, string>,
    body = chatBody({ group: 'vip', max_tokens: 0 }),
  ) => scene.relay.send('/pg/chat/completions', body, headers);

  test('serves who is signed in, in the group picked, and charges the account alone', async () => {
    await scene.relay.put.channel(aChannel(1, { baseUrl: scene.upstream.url, groups: ['vip'] }));
    const headers = cookie();
    scene.answer = sse([chunkEvent('Hi'), usageChunk(usageOf(4, 1)), doneEvent]);
    const reply = await play(headers, chatBody({ stream: true, group: 'vip', max_tokens: 0 }));
    expect(reply.text).toBe(chunkEvent('Hi') + doneEvent);
    expect(scene.upstream.requests[0]?.path).toBe('/v1/chat/completions');
    const sent = JSON.parse(scene.upstream.requests[0]?.body.toString() ?? '');
    expect(Object.keys(sent)).toEqual(['model', 'messages', 'stream', 'stream_options']);
    const used = await scene.relay.journal.used();
    expect(used.call).toMatchObject({ tokenId: 0, group: 'vip' });
  });

  test.each([
    ['no session', { ...cookie(), cookie: '' }, 401],
    ['an access token', { ...cookie(), cookie: '', authorization: 'Bearer x' }, 400],
    ['a forged session', { ...cookie(), cookie: 'session=v1.a.b.c' }, 401],
    ['a session of before a new password', cookie(2), 401],
    ['a session that was ended', cookie(3, aSessionId(2)), 401],
    ['a page of another site', { ...cookie(), 'sec-fetch-site': 'cross-site' }, 403],
    ['a page of another origin', { ...cookie(), origin: 'http://evil.example' }, 403],
    ['no user header', { ...cookie(), 'new-api-user': '' }, 401],
    ['another user header', { ...cookie(), 'new-api-user': '8' }, 401],
  ])('%s is refused', async (_name, headers, status) => {
    const reply = await scene.relay.send('/pg/chat/completions', chatBody(), headers);
    expect([reply.status, scene.upstream.requests.length]).toEqual([status, 0]);
  });

  test('a group that is not open is refused', async () => {
    const reply = await play(cookie(), chatBody({ group: 'svip' }));
    expect([reply.status, errorOf(reply.text).code]).toEqual([403, 'group_not_allowed']);
  });
});

test('a slow client holds the provider back instead of filling the memory', async () => {
  let written = 0;
  let blocked = false;
  scene.answer = (_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    const event = chunkEvent('x'.repeat(16_000));
    const pump = (): void => {
      while (written < 2_000 && !res.destroyed) {
        written += 1;
        if (!res.write(event)) {
          blocked = true;
          res.once('drain', pump);
          return;
        }
      }
    };
    pump();
  };
  const { connect } = await import('node:net');
  const closed = scene.relay.nextClose();
  const socket = connect(scene.relay.port, '127.0.0.1');
  const body = chatBody({ stream: true });
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${rawKey}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  socket.pause();
  // The client reads nothing: the provider must be paused long before its 32 MB.
  let before = -1;
  while (!blocked || written !== before) {
    before = written;
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  expect(written).toBeLessThan(1_500);
  socket.destroy();
  await closed;
});
