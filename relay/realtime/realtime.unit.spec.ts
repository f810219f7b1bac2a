import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { aChannel, aToken, type Harness, rawKey } from '../../tests/support/relay/relay-harness.ts';
import {
  answering,
  closeAll,
  closing,
  created,
  delta,
  done,
  model,
  speak,
  startProvider,
  startWith,
  usage,
} from '../../tests/support/relay/session-harness.ts';

afterEach(closeAll);

test('each answer of a session is a separate request, charged once by what was reported', async () => {
  const provider = await startProvider(answering);
  const relay = await startWith(provider.url);
  const client = await speak(relay);
  expect(client.socket.protocol).toBe('realtime');
  for (const id of ['a', 'b']) {
    const over = client.next('response.done');
    client.say({ type: 'response.create', event_id: id });
    expect(await over).toEqual(done(id));
  }
  expect(provider.seen.url).toBe(`/v1/realtime?model=${model}`);
  expect(provider.seen.headers.authorization).toBe('Bearer upstream-key-1');
  const used = [await relay.journal.used(0), await relay.journal.used(1)];
  expect(used[0]?.usage).toEqual({
    promptTokens: 100,
    completionTokens: 50,
    cachedTokens: 20,
    cacheCreationTokens: 0,
    audioInputTokens: 60,
    audioOutputTokens: 40,
  });
  expect(used.map(({ call }) => [call.model, call.path, call.isStream])).toEqual([
    [model, '/v1/realtime', true],
    [model, '/v1/realtime', true],
  ]);
  expect(new Set(used.map(({ call }) => call.requestId)).size).toBe(2);
  client.socket.close();
  await client.closed;
  expect(relay.journal.startedEntries).toHaveLength(2);
  expect(relay.journal.outcomes).toHaveLength(2);
  await expect.poll(() => relay.leases.open).toBe(0);
  const amounts = relay.leases.settled.map(({ amount }) => amount);
  // Text 20 fresh and 20 cached at half, sound 60 x 20; made 10 x 4, sound 40 x 20 x 2; ratio 2.5.
  expect(amounts.filter((amount) => amount > 0)).toEqual([
    Math.round((20 + 10 + 60 * 20 + 10 * 4 + 40 * 20 * 2) * 2.5),
    Math.round((20 + 10 + 60 * 20 + 10 * 4 + 40 * 20 * 2) * 2.5),
  ]);
});

test('an answer that begins at once behind another one is funded and ends like the first', async () => {
  const provider = await startProvider((event, say) => {
    if (event.type !== 'response.create') return;
    for (const id of ['a', 'b', 'c']) for (const event of [created(id), done(id)]) say(event);
    say({ type: 'mark' });
  });
  const relay = await startWith(provider.url);
  const client = await speak(relay);
  const mark = client.next('mark');
  client.say({ type: 'response.create' });
  await mark;
  expect(relay.journal.outcomes).toHaveLength(3);
});

test('a repeated end is charged once', async () => {
  const provider = await startProvider((event, say, socket) => {
    answering(event, say, socket);
    say(done('a'));
    say({ type: 'mark' });
  });
  const relay = await startWith(provider.url);
  const client = await speak(relay);
  const mark = client.next('mark');
  client.say({ type: 'response.create', event_id: 'a' });
  await mark;
  expect(relay.journal.outcomes).toHaveLength(1);
});

test('the end of an answer reaches the client once the books have it', async () => {
  const provider = await startProvider(answering);
  const relay = await startWith(provider.url);
  const client = await speak(relay);
  let open = (): void => {};
  relay.journal.gate = new Promise((resolve) => {
    open = resolve;
  });
  const over = client.next('response.done');
  client.say({ type: 'response.create', event_id: 'a' });
  await relay.journal.used(0);
  expect(client.events.map(({ type }) => type)).not.toContain('response.done');
  open();
  await over;
});

test('output before the client left is charged by the report of the provider', async () => {
  const provider = await startProvider((event, say) => {
    if (event.type === 'response.create') say(created('a'));
    if (event.type === 'response.create') say(delta('a', 'Hi'));
    if (event.type === 'response.cancel') say(done('a', { status: 'cancelled', usage }));
  });
  const relay = await startWith(provider.url);
  const client = await speak(relay);
  const piece = client.next('response.text.delta');
  client.say({ type: 'response.create' });
  await piece;
  client.socket.terminate();
  const used = await relay.journal.used(0);
  expect([used.usage.promptTokens, used.usageSource]).toEqual([100, 'upstream']);
  await expect.poll(() => relay.leases.open).toBe(0);
});

test.each(['client', 'provider'] as const)(
  'an answer whose %s leaves without a report is counted by its output',
  async (who) => {
    const provider = await startProvider((event, say, socket) => {
      if (event.type !== 'response.create') return;
      say(created('a'));
      say(delta('a', 'a long answer that nobody ends'));
      if (who === 'provider') socket.terminate();
    });
    const relay = await startWith(provider.url, { drainMs: 50 });
    const client = await speak(relay);
    const piece = client.next('response.text.delta');
    client.say({ type: 'response.create' });
    await piece;
    if (who === 'client') client.socket.terminate();
    const used = await relay.journal.used(0);
    expect(used.usageSource).toBe('counted');
    expect(used.usage.completionTokens).toBeGreaterThan(4);
    expect(used.end).toBe(who === 'client' ? 'client-gone' : 'upstream-broken');
    await client.closed;
    expect(relay.journal.outcomes).toHaveLength(1);
    await expect.poll(() => relay.leases.open).toBe(0);
    if (who === 'provider') expect(client.events.at(-1)).toMatchObject({ type: 'error' });
  },
);

test('an answer that the provider failed on costs nothing', async () => {
  const provider = await startProvider((_event, say) => {
    say(created('a'));
    say(done('a', { status: 'failed', usage: null }));
  });
  const relay = await startWith(provider.url);
  const client = await speak(relay);
  const over = client.next('response.done');
  client.say({ type: 'response.create' });
  await over;
  expect((await relay.journal.failed(0)).errorCode).toBe('response_failed');
});

test('a balance that is used up ends the session after the answer that used it', async () => {
  const provider = await startProvider(answering);
  const relay = await startWith(provider.url);
  const client = await speak(relay);
  relay.leases.funds = 0;
  const error = client.next('error');
  client.say({ type: 'response.create', event_id: 'a' });
  expect(await error).toMatchObject({ error: { code: 'insufficient_quota' } });
  expect(await client.closed).toBe(1008);
  expect(client.events.map(({ type }) => type)).toContain('response.done');
  expect(relay.journal.outcomes).toHaveLength(1);
});

test('a key that is switched off opens no further answer', async () => {
  const provider = await startProvider(answering);
  const relay = await startWith(provider.url);
  const client = await speak(relay);
  await relay.put.token(rawKey, aToken({ status: 2 }));
  client.say({ type: 'response.create', event_id: 'a' });
  expect(await client.closed).toBe(1008);
  expect(relay.journal.startedEntries).toEqual([]);
});

test('a session that a provider refuses opens on the next channel, before the client is joined', async () => {
  const refusing = await startProvider(answering);
  const good = await startProvider(answering);
  const relay = await startWith(good.url);
  const models = [model];
  await relay.put.option('RetryTimes', '1');
  await relay.put.channel(aChannel(2, { models, baseUrl: 'http://127.0.0.1:1', priority: 9 }));
  const client = await speak(relay);
  const over = client.next('response.done');
  client.say({ type: 'response.create', event_id: 'a' });
  await over;
  expect((await relay.journal.used(0)).call.channelsTried).toEqual([2, 1]);
  expect(refusing.seen.events).toEqual([]);
});

/** The status with which an upgrade is refused. */
const refusedWith = (relay: Harness, path: string, headers: Record<string, string>) =>
  new Promise<number>((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${relay.port}${path}`, ['realtime'], { headers });
    socket.on('unexpected-response', (req, res) => {
      resolve(res.statusCode ?? 0);
      req.destroy();
    });
    socket.on('open', () => reject(new Error('it was opened')));
    socket.on('error', () => {});
  });

test('who may not open a session is refused by the status of the answer', async () => {
  const relay = await startWith('http://127.0.0.1:1');
  const key = { authorization: `Bearer sk-${rawKey}` };
  const path = `/v1/realtime?model=${model}`;
  expect(await refusedWith(relay, path, {})).toBe(401);
  expect(await refusedWith(relay, path, { authorization: 'Bearer sk-nobody' })).toBe(401);
  expect(await refusedWith(relay, '/v1/realtime', key)).toBe(400);
  expect(await refusedWith(relay, '/v1/realtime?model=other', key)).toBe(404);
  expect(await refusedWith(relay, path, key)).toBe(502);
  expect((await relay.journal.failed(0)).errorCode).toBe('upstream_unreachable');
  relay.leases.funds = 0;
  expect(await refusedWith(relay, path, key)).toBe(429);
  relay.leases.refusal = 'token-exhausted';
  expect(await refusedWith(relay, path, key)).toBe(429);
  expect(relay.leases.open).toBe(0);
  expect((await relay.get('/v1/realtime')).status).toBe(426);
});

test('the key may be one of the sub-protocols, and the first edition is requested as given', async () => {
  const provider = await startProvider(answering);
  const relay = await startWith(provider.url);
  const protocols = ['realtime', `openai-insecure-api-key.sk-${rawKey}`, 'openai-beta.realtime-v1'];
  const client = await speak(relay, { protocols, headers: {} });
  expect(client.socket.protocol).toBe('realtime');
  expect(provider.seen.headers['openai-beta']).toBe('realtime=v1');
  expect(provider.seen.headers['sec-websocket-protocol']).toBeUndefined();
});

test('a request that would prefer HTTP/2 is served as it is', async () => {
  const relay = await startWith('http://127.0.0.1:1');
  const socket = connect(relay.port, '127.0.0.1');
  closing(() => void socket.destroy());
  const body = '{"model":"none","messages":[]}';
  const head = [
    'POST /v1/chat/completions HTTP/1.1',
    'Host: localhost',
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA',
    `Authorization: Bearer sk-${rawKey}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  const text = await new Promise<string>((resolve) => {
    socket.once('data', (data) => resolve(String(data)));
  });
  expect(text.split('\r\n', 1)[0]).toBe('HTTP/1.1 404 Not Found');
  expect(text).toContain('The model none does not exist');
});

test('a relay that stops informs its sessions, and loses no record', async () => {
  const provider = await startProvider(answering);
  const relay = await startWith(provider.url);
  const client = await speak(relay);
  await relay.relay.stop();
  expect(await client.closed).toBe(1011);
  expect(relay.leases.open).toBe(0);
});

test('no session opens, and none continues, while usage cannot be recorded', async () => {
  const provider = await startProvider(answering);
  const relay = await startWith(provider.url);
  const client = await speak(relay);
  relay.journal.canRecord = false;
  client.say({ type: 'response.create', event_id: 'a' });
  await client.closed;
  expect(relay.journal.startedEntries).toEqual([]);
  await expect(speak(relay)).rejects.toThrow('503');
});
