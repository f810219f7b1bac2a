import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ChannelFailing, ChannelTestReply } from '../../domain/relay/messages.ts';
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
  sealedFor,
  sse,
  startHarness,
  startUpstream,
  type UpstreamSpy,
  usageOf,
} from '../../tests/support/relay/relay-harness.ts';

let relay: Harness;
let upstream: UpstreamSpy;
let answer: Answer;

const put = (settings: Parameters<typeof aChannel>[1] = {}, key = 'upstream-key-1') =>
  relay.put.channel({
    ...aChannel(1, { baseUrl: upstream.url, ...settings }),
    sealedKey: sealedFor(1, key),
  });

beforeEach(async () => {
  relay = await startHarness();
  upstream = await startUpstream((req, res, body) => answer(req, res, body));
  await put();
});
afterEach(async () => {
  upstream.close();
  await relay.close();
});

/** With an escape in the address, as some servers write theirs. */
const telling = 'Key upstream-key-1 failed at https://inner.example/v1?a=1&key=upstream-key-1 now';
const redacted = 'Key [key] failed at [address] now';
const asJson = (value: object): string => JSON.stringify(value).replaceAll('&', '\\u0026');
const event = (value: object, name = ''): string =>
  `${name === '' ? '' : `event: ${name}\n`}data: ${asJson(value)}\n\n`;

const secrets = /upstream-key|inner\.example/;

describe('an error in the middle of a stream gives neither key nor address away', () => {
  const messages = () => relay.send('/v1/messages', chatBody({ max_tokens: 9, stream: true }), {});
  const started = event(
    { type: 'message_start', message: { usage: { input_tokens: 3, output_tokens: 1 } } },
    'message_start',
  );
  const produced = event(
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
    'content_block_delta',
  );
  const claudeError = event(
    { type: 'error', error: { type: 'overloaded_error', message: telling } },
    'error',
  );
  const candidate = event({ candidates: [{ content: { parts: [{ text: 'Hi' }] } }] });
  const contents = (query: string) =>
    relay.send(
      `/v1beta/models/gpt-4o-mini:streamGenerateContent${query}`,
      '{"contents":[{"parts":[{"text":"x"}]}]}',
      { 'x-goog-api-key': rawKey },
    );

  test.each([
    ['an object', { error: { message: telling, code: 500, type: 'x' } }],
    ['a text', { error: telling }],
    [
      'beside a choice',
      { id: 'c1', choices: [], error: { message: 'x', metadata: { raw: telling } } },
    ],
    ['deep in it', { choices: [{ index: 0, delta: {}, error: { message: telling } }] }],
  ])('to callers of chat on their own protocol: %s', async (_how, error) => {
    const events = [chunkEvent('Hi'), event(error), doneEvent];
    answer = sse([events.join('')]);
    const together = await relay.send('/v1/chat/completions', chatBody({ stream: true }));
    answer = sse(events);
    const apart = await relay.send('/v1/chat/completions', chatBody({ stream: true }));
    for (const { text } of [together, apart]) {
      expect(text).not.toMatch(secrets);
      expect(text).toContain(redacted);
      expect(text.startsWith(chunkEvent('Hi'))).toBe(true);
      expect(text.endsWith(doneEvent)).toBe(true);
    }
  });

  test('to callers of Messages, Responses and generateContent', async () => {
    await put({ type: 14 });
    answer = sse([started, produced, claudeError]);
    const claude = await messages();
    await put({ type: 24 });
    answer = sse([candidate, event({ error: { code: 503, message: telling, status: 'X' } })]);
    const gemini = await contents('?alt=sse');
    const listed = await contents('');
    await put();
    const failed = { status: 'failed', error: { code: 'server_error', message: telling } };
    const ends = [
      event({ type: 'response.failed', response: failed }, 'response.failed'),
      event({ type: 'error', code: 'x', message: telling, param: null }, 'error'),
    ];
    const responses = [];
    for (const end of ends) {
      const delta = { type: 'response.output_text.delta', delta: 'Hi' };
      answer = sse([event(delta, 'response.output_text.delta'), end]);
      const body = JSON.stringify({ model: 'gpt-4o-mini', input: 'x', stream: true });
      responses.push(await relay.send('/v1/responses', body));
    }
    for (const { text } of [claude, gemini, listed, ...responses]) {
      expect(text).toContain('Hi');
      expect(text).toContain(redacted);
      expect(text).not.toMatch(secrets);
    }
    expect(claude.text.startsWith(started + produced)).toBe(true);
    expect(JSON.parse(listed.text)).toHaveLength(2);
  });

  test('to callers whose answers are translated', async () => {
    answer = sse([chunkEvent('Hi'), event({ error: { message: telling } })]);
    const onOpenAi = await messages();
    await put({ type: 14 });
    answer = sse([started, produced, claudeError]);
    const onClaude = await relay.send('/v1/chat/completions', chatBody({ stream: true }));
    for (const { text } of [onOpenAi, onClaude]) {
      expect(text).toContain('Hi');
      expect(text).toContain(redacted);
      expect(text).not.toMatch(secrets);
    }
  });
});

test('a stream without errors is not changed, whatever it is about', async () => {
  const talk = [
    chunkEvent('The "error": {"message": "see https://inner.example"}'),
    chunkEvent('upstream-key', { error: null }),
    event({ choices: [], error: {}, note: 'https://inner.example/\u00e9' }),
    'data: {"choices":[],"note":"\\u0026","error":""}\n\n',
  ];
  answer = sse([...talk, doneEvent]);
  const reply = await relay.send('/v1/chat/completions', chatBody({ stream: true }));
  expect(reply.text).toBe(talk.join('') + doneEvent);
});

test('an error next to the text of an answer in one piece is redacted, and the text stays', async () => {
  const events = { ...chatAnswer(usageOf(3, 4)), error: { message: telling } };
  answer = (_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(JSON.stringify(events, null, 2));
  };
  const reply = JSON.parse((await relay.send('/v1/chat/completions', chatBody())).text);
  expect(reply).toEqual({ ...events, error: { message: redacted } });
});

test.each([
  [
    'the parts of a key',
    'AKID0123456789abcdef|secret/0123456789abcdef|eu-west-1',
    'AKID0123456789abcdef',
  ],
  ['a key with signs', 'sk-first.second/third+fourth==', 'sk-first.second/third+fourth=='],
  ['an account', '{"client_email":"robot@project.example"}', 'robot@project.example'],
])('%s: hidden as the whole is', async (_what, key, shown) => {
  await put({}, key);
  answer = json({ error: { message: `No: ${shown} in eu-west-1` } }, 401);
  const reply = await relay.send('/v1/chat/completions', chatBody());
  expect(reply.text).toContain('No: [key] in eu-west-1');
});

test.each([401, 200])(
  'a test of a channel reveals no key and no address, status %i',
  async (status) => {
    const ask = () =>
      relay.bus.request<object, ChannelTestReply>('relay.test-channel', {
        channelId: 1,
        model: '',
      });
    for (const type of [1, 14, 24]) {
      await put({ type });
      answer = json({ error: { message: telling, type: 'x' } }, status);
      const { success, message } = await ask();
      expect(success).toBe(false);
      expect(message).toContain(redacted);
      expect(message).not.toMatch(secrets);
    }
  },
);

test('the reason for which a channel is switched off reveals neither', async () => {
  const failing: ChannelFailing[] = [];
  await relay.bus.subscribe<ChannelFailing>('channel.failing', (body) => failing.push(body));
  await relay.put.option('AutomaticDisableChannelEnabled', 'true');
  answer = json({ error: { message: telling, code: 'invalid_api_key' } }, 401);
  await relay.send('/v1/chat/completions', chatBody());
  expect(failing).toMatchObject([{ channelId: 1, reason: redacted }]);
});
