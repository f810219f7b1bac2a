import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChannelTestReply } from '../domain/relay/messages.ts';
import type { Logger } from '../infra/ports/logger.ts';
import { startConnectProxy } from '../tests/support/relay/fake-proxies.ts';
import {
  type Answer,
  aChannel,
  chatAnswer,
  chatBody,
  chunkEvent,
  doneEvent,
  type Harness,
  json,
  rawKey,
  sse,
  startHarness,
  startUpstream,
  type UpstreamSpy,
  usageChunk,
  usageOf,
} from '../tests/support/relay/relay-harness.ts';
import {
  closeAll,
  created,
  delta,
  done,
  model,
  speak,
  startProvider,
} from '../tests/support/relay/session-harness.ts';
import * as counting from './settlement/count-tokens.ts';

vi.mock('./settlement/count-tokens.ts', { spy: true });

/* What a request makes the relay do, count and log, and what it must not. */

const lines: string[] = [];
const write = (fields: object, message: string): void => {
  lines.push(`${message} ${inspect(fields, { depth: 8 })}`);
};
const logger: Logger = {
  debug: write,
  info: write,
  warn: write,
  error: write,
  child: () => logger,
};

let relay: Harness;
let upstream: UpstreamSpy;
let answer: Answer;

beforeEach(async () => {
  vi.clearAllMocks();
  relay = await startHarness({}, { logger });
  answer = json(chatAnswer(usageOf(10, 5)));
  upstream = await startUpstream((...all) => answer(...all));
  await relay.put.channel(aChannel(1, { baseUrl: upstream.url }));
  lines.length = 0;
});
afterEach(async () => {
  await closeAll();
  upstream.close();
  await relay.close();
});

const chat = (more: object = {}) => relay.send('/v1/chat/completions', chatBody(more));
const timesCounted = (): number =>
  vi.mocked(counting.countTokens).mock.calls.length +
  vi.mocked(counting.countPromptTokens).mock.calls.length;

test('the words of a stream are counted where its provider reports nothing, and only there', async () => {
  const words = Array.from({ length: 50 }, () => chunkEvent('word '));
  answer = sse([...words, usageChunk(usageOf(10, 50)), doneEvent]);
  await chat({ stream: true });
  await relay.journal.used(0);
  expect(timesCounted()).toBe(0);
  answer = sse([...words, doneEvent]);
  await chat({ stream: true });
  await relay.journal.used(1);
  expect(timesCounted()).toBeGreaterThan(0);
});

test('the frames of a session are neither counted one by one nor logged', async () => {
  const frames = 300;
  const provider = await startProvider((event, say) => {
    if (event.type !== 'response.create') return;
    say(created('a'));
    for (let n = 0; n < frames; n += 1) say(delta('a', 'word '));
    say(done('a'));
  });
  await relay.put.channel(aChannel(2, { models: [model], baseUrl: provider.url }));
  const client = await speak(relay);
  const over = client.next('response.done');
  lines.length = 0;
  const audio = Buffer.alloc(480).toString('base64');
  for (let n = 0; n < frames; n += 1) client.say({ type: 'input_audio_buffer.append', audio });
  client.say({ type: 'response.create' });
  await over;
  expect((await relay.journal.used(0)).usageSource).toBe('upstream');
  expect(provider.seen.events.length).toBeGreaterThan(frames);
  expect(timesCounted()).toBe(0);
  expect(lines).toEqual([]);
});

test('a picture by address is left to a provider that fetches it itself', async () => {
  const url = `${upstream.url}/picture.png`;
  const content = [
    { type: 'text', text: 'See' },
    { type: 'image_url', image_url: { url } },
  ];
  answer = json(chatAnswer(null));
  await chat({ messages: [{ role: 'user', content }] });
  // Without a report the prompt is counted, the picture by a fixed number.
  expect((await relay.journal.used()).usage.promptTokens).toBeGreaterThan(700);
  expect(upstream.requests.map(({ path }) => path)).toEqual(['/v1/chat/completions']);
});

test('connections to a provider are used again, as many as there were at once', async () => {
  const ports = new Set<number | undefined>();
  const waiting: (() => void)[] = [];
  answer = (req, res, body) => {
    ports.add(req.socket.remotePort);
    waiting.push(() => json(chatAnswer(usageOf(1, 1)))(req, res, body));
    if (waiting.length === 12) for (const go of waiting.splice(0)) go();
  };
  for (let wave = 0; wave < 3; wave += 1) {
    const replies = await Promise.all(Array.from({ length: 12 }, () => chat()));
    expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(200));
  }
  expect(ports.size).toBe(12);
});

test('calls through a proxy share its tunnel', async () => {
  const proxy = await startConnectProxy();
  const setting = `{"proxy":"http://127.0.0.1:${proxy.port}"}`;
  await relay.put.channel(aChannel(1, { baseUrl: upstream.url, setting }));
  for (let n = 0; n < 3; n += 1) expect((await chat()).status).toBe(200);
  expect(proxy.tunnels).toHaveLength(1);
  proxy.close();
});

test('a piece of a stream is passed on when it arrives, not with the next one', async () => {
  let goOn = (): void => {};
  answer = (_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write(chunkEvent('first'));
    goOn = () => res.end(chunkEvent('second') + usageChunk(usageOf(1, 2)) + doneEvent);
  };
  const response = await fetch(`http://127.0.0.1:${relay.port}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${rawKey}`, 'content-type': 'application/json' },
    body: chatBody({ stream: true }),
  });
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (text.includes('first')) goOn();
  }
  expect(text).toContain('second');
});

test('the key of a channel reaches no log line, whatever becomes of its calls', async () => {
  const ask = { channelId: 1, model: 'gpt-4o-mini' };
  for (const produced of [
    json(chatAnswer(null)),
    json({ error: { message: 'Incorrect API key: upstream-key-1' } }, 401),
    json({ error: { message: 'gone' } }, 500),
    ((_req, res) => res.destroy()) satisfies Answer,
  ]) {
    answer = produced;
    await relay.bus.request<object, ChannelTestReply>('relay.test-channel', ask);
    await chat();
  }
  expect(upstream.requests[0]?.headers.authorization).toContain('upstream-key-1');
  expect(lines.join('\n')).not.toContain('upstream-key-1');
});
