import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type Answer,
  aChannel,
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
  vault,
} from '../../../tests/support/relay/relay-harness.ts';
import { compileChannel } from '../../feeds/upstream-channel.ts';
import type { TextCall } from '../../protocol/calls.ts';
import { scanned } from '../../protocol/normalise.ts';
import { resolveListTransport } from '../transport.ts';

let relay: Harness;
let upstream: UpstreamSpy;
let answer: Answer;

beforeEach(async () => {
  upstream = await startUpstream((...all) => answer(...all));
  relay = await startHarness();
});
afterEach(async () => {
  await relay.close();
  upstream.close();
});

const put = (type: number): Promise<void> =>
  relay.put.channel(aChannel(1, { type, baseUrl: upstream.url }));
const path = '/v1beta/models/gpt-4o-mini:streamGenerateContent';
/** With parts and members that no other protocol has. */
const question = JSON.stringify({
  contents: [
    { role: 'user', parts: [{ text: 'Hello' }] },
    { role: 'model', parts: [{ executableCode: { language: 'PYTHON', code: 'print(1)' } }] },
  ],
  labels: { team: 'books' },
});
const ask = (query = '', body = question) =>
  relay.send(path + query, body, { authorization: '', 'x-goog-api-key': `sk-${rawKey}` });
const line = (value: object): string => `data: ${JSON.stringify(value)}\r\n\r\n`;

const first = {
  candidates: [
    {
      content: { role: 'model', parts: [{ text: 'Hm', thought: true }] },
      index: 0,
      safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'NEGLIGIBLE' }],
    },
  ],
  usageMetadata: { promptTokenCount: 6 },
  modelVersion: 'g-001',
  responseId: 'r1',
  aFieldOfTomorrow: { kept: true },
};
const second = {
  candidates: [
    {
      content: {
        role: 'model',
        parts: [
          { executableCode: { language: 'PYTHON', code: 'print(1)' } },
          { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
          { text: 'Hi', thoughtSignature: 'sig' },
        ],
      },
      finishReason: 'STOP',
      index: 0,
      citationMetadata: { citationSources: [{ uri: 'https://a.test/', startIndex: 0 }] },
    },
  ],
  usageMetadata: { promptTokenCount: 6, candidatesTokenCount: 2, thoughtsTokenCount: 3 },
  modelVersion: 'g-001',
  responseId: 'r1',
};

const bodyOf = (text: string): Pick<TextCall, 'body' | 'scan'> => {
  const given = scanned(Buffer.from(text));
  if (given === null) throw new Error('no JSON');
  return { body: given.body, scan: given.scan };
};
const parsed = (text: string): unknown => JSON.parse(text);

test.each([[''], ['?alt=json']])(
  'a stream that is requested as "%s" is one list of the provider’s own chunks',
  async (query) => {
    await put(24);
    const whole = line(first) + line(second);
    answer = sse(whole.match(/[\s\S]{1,37}/g) ?? []);
    const reply = await ask(query);
    expect(reply.headers['content-type']).toMatch(/^application\/json/);
    expect(parsed(reply.text)).toEqual([first, second]);
    const [asked] = upstream.requests;
    expect(asked?.path).toBe('/v1beta/models/gpt-4o-mini:streamGenerateContent?alt=sse');
    expect(asked?.body.toString()).toBe(question);
    const used = await relay.journal.used();
    expect(used.usage).toMatchObject({ promptTokens: 6, completionTokens: 5 });
    expect([used.usageSource, used.end]).toEqual(['upstream', 'complete']);
  },
);

test('the members of a list reach the caller as they arrive', async () => {
  await put(24);
  let goOn = (): void => {};
  answer = (_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write(line(first));
    goOn = () => res.end(line(second));
  };
  const reply = await fetch(`http://127.0.0.1:${relay.port}${path}`, {
    method: 'POST',
    body: question,
    headers: { 'x-goog-api-key': `sk-${rawKey}`, 'content-type': 'application/json' },
  });
  const reader = reply.body?.getReader();
  const piece = await reader?.read();
  expect(Buffer.from(piece?.value ?? []).toString()).toBe(`[${JSON.stringify(first)}`);
  goOn();
  const rest = await reader?.read();
  expect(Buffer.from(rest?.value ?? []).toString()).toBe(`,\r\n${JSON.stringify(second)}]`);
});

test('an error within a list is its last member', async () => {
  await put(24);
  const error = { code: 503, message: 'Busy', status: 'UNAVAILABLE' };
  answer = sse([line(first), line({ error })]);
  const reply = await ask();
  expect(parsed(reply.text)).toEqual([first, { error }]);
  expect((await relay.journal.used()).end).toBe('upstream-broken');
});

test('a list that breaks off reports it, and stays a list', async () => {
  await put(24);
  answer = (_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write(line(first), () => setTimeout(() => res.destroy(), 20));
  };
  const reply = await ask();
  expect(parsed(reply.text)).toMatchObject([first, { error: { code: 500 } }]);
});

test('an answer that holds nothing, or is no stream, is an error and no list', async () => {
  await put(24);
  for (const [at, produced] of [
    sse([]),
    json({ error: { code: 400, message: 'No' } }, 200),
  ].entries()) {
    answer = produced;
    const reply = await ask();
    expect(reply.status).toBe(502);
    expect(parsed(reply.text)).toMatchObject({ error: { code: 502 } });
    expect((await relay.journal.failed(at)).statusCode).toBe(502);
  }
  expect(relay.leases.open).toBe(0);
});

test('a list out of another protocol is a list too', async () => {
  await put(1);
  answer = sse([chunkEvent('Hi'), usageChunk(usageOf(11, 7)), doneEvent]);
  const reply = await ask('', '{"contents":[{"role":"user","parts":[{"text":"Hello"}]}]}');
  expect(parsed(reply.text)).toMatchObject([
    { candidates: [{ content: { parts: [{ text: 'Hi' }] } }] },
    { usageMetadata: { promptTokenCount: 11 } },
  ]);
});

test('a list whose caller cannot pay for more is closed with the reason', async () => {
  await put(24);
  relay.leases.funds = 2_000;
  const words = { candidates: [{ content: { parts: [{ text: 'word '.repeat(20_000) }] } }] };
  answer = sse([line(words), line(words), line(words), line(second)]);
  const reply = await ask();
  const list = parsed(reply.text);
  expect(Array.isArray(list) ? list.at(-1) : list).toMatchObject({
    candidates: [{ finishReason: 'MAX_TOKENS' }],
  });
  expect((await relay.journal.used()).end).toBe('cut-off');
});

test('the same models at their other host stream so too, and no model of another protocol does', () => {
  const plain = aChannel(1, { type: 41, models: [] });
  const channel = compileChannel(plain, vault);
  const call = (model: string): TextCall => ({
    operation: 'chat',
    protocol: 'gemini',
    path: '/v1beta/models/m:streamGenerateContent',
    clientPath: path,
    model,
    ...bodyOf('{}'),
    isStream: true,
    contentType: 'application/json',
    accept: '',
  });
  expect(resolveListTransport(channel, call('gemini-2.5-flash'))?.kind).toBe('enveloped');
  expect(resolveListTransport(channel, call('claude-3-7-sonnet-20250219'))).toBeNull();
  expect(
    resolveListTransport(channel, { ...call('gemini-2.5-flash'), isStream: false }),
  ).toBeNull();
});
