import { beforeEach, describe, expect, test } from 'vitest';
import { type Answer, aChannel, type Reply, sse } from '../support/relay/relay-harness.ts';
import { relayScene } from '../support/relay/scene.ts';
import { ask, bodyOf, type Caller, type Dialect, dialects } from './hostile-dialects.ts';

const scene = relayScene({ hasChannel: false });

type Opened = Readonly<{ caller: Caller; dialect: Dialect; opening: string; error?: string }>;

const namedEvent = (event: Readonly<{ type: string }> & Record<string, unknown>): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const data = (event: object): string => `data: ${JSON.stringify(event)}\n\n`;

const of = (name: string): Dialect => dialects.find(([own]) => own === name)?.[2] as Dialect;
const openAi = of('OpenAI to OpenAI');
const claude = of('Claude to Claude');
const gemini = of('Gemini to Gemini');

const role = data({ id: 'c1', choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] });
const ping = namedEvent({ type: 'ping' });
const usage = { promptTokenCount: 5 };
const overloaded = namedEvent({
  type: 'error',
  error: { type: 'overloaded_error', message: 'Overloaded' },
});

const cases: Readonly<Record<string, Opened>> = {
  'a comment': { caller: 'openai', dialect: openAi, opening: ': waiting\n\n' },
  'a role': { caller: 'openai', dialect: openAi, opening: role },
  'a role, to a caller of Messages': { caller: 'claude', dialect: openAi, opening: role },
  'a role, to a caller of Ollama': { caller: 'ollama', dialect: openAi, opening: role },
  'a ping': { caller: 'claude', dialect: claude, opening: ping },
  'a comment, from Claude': { caller: 'claude', dialect: claude, opening: ': hello\n\n' },
  'the start of a message': { caller: 'claude', dialect: claude, opening: claude.begin + ping },
  'the start of a message, to a caller of chats': {
    caller: 'openai',
    dialect: claude,
    opening: claude.begin,
  },
  'a count of the prompt': {
    caller: 'gemini',
    dialect: gemini,
    opening: data({ candidates: [{ content: { parts: [{ text: '' }] } }], usageMetadata: usage }),
  },
};

const errorOf = ({ dialect }: Opened): string =>
  dialect.channelType === 14 ? overloaded : `data: ${dialect.error}\n\n`;

let requests: string[];
/** Two channels: the first answers so, the second answers well. */
const withSecond = async ({ dialect, caller }: Opened, first: Answer): Promise<Reply> => {
  await scene.relay.put.option('RetryTimes', '2');
  requests = [];
  scene.answer = (req, res, body) => {
    requests.push(req.url ?? '');
    const second = sse([bodyOf(dialect, true, { tokens: [5, 3] })]);
    (requests.length === 1 ? first : second)(req, res, body);
  };
  for (const channelId of [1, 2]) {
    const settings = { type: dialect.channelType, baseUrl: scene.upstream.url };
    await scene.relay.put.channel(aChannel(channelId, { ...settings, priority: 3 - channelId }));
  }
  return ask(scene.relay, caller, { isStream: true, limit: 99 });
};

/** Writes, and breaks the connection off. */
const broken =
  (text: string): Answer =>
  (_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write(text, () => res.destroy());
  };

const expectSecond = async (reply: Reply): Promise<void> => {
  expect(reply.status).toBe(200);
  expect(requests).toHaveLength(2);
  expect(reply.text).toContain('Hi there');
  expect(reply.text).not.toMatch(/error|Overloaded|no such luck/);
  const used = await scene.relay.journal.used();
  expect(used.usage).toMatchObject({ promptTokens: 5, completionTokens: 3 });
  expect(used.call.channelsTried).toEqual([1, 2]);
  expect(scene.relay.leases.settled).toHaveLength(1);
};

describe.each(Object.entries(cases))('behind %s', (_name, opened) => {
  test('an error is answered by another channel', async () => {
    await expectSecond(await withSecond(opened, sse([opened.opening, errorOf(opened)])));
  });

  test('a connection that breaks is answered by another channel', async () => {
    await expectSecond(await withSecond(opened, broken(opened.opening)));
  });

  test('an error of the only channel has a status, and is not charged', async () => {
    const { caller, dialect, opening } = opened;
    scene.answer = sse([opening, errorOf(opened)]);
    const settings = { type: dialect.channelType, baseUrl: scene.upstream.url };
    await scene.relay.put.channel(aChannel(1, settings));
    const reply = await ask(scene.relay, caller, { isStream: true, limit: 99 });
    expect(reply.status).toBeGreaterThanOrEqual(500);
    expect(reply.text).toMatch(/Overloaded|no such luck/);
    expect((await scene.relay.journal.failed()).statusCode).toBe(reply.status);
    expect(scene.relay.leases.settled[0]?.amount).toBe(0);
  });

  test('an answer passes with its beginning', async () => {
    const { dialect, opening } = opened;
    const rest = bodyOf(dialect, true, { tokens: [5, 3] }).slice(dialect.begin.length);
    const begin = opening.includes('message_start') ? '' : dialect.begin;
    const reply = await withSecond(opened, sse([opening, begin, rest]));
    expect(reply.text).toContain('Hi there');
    expect(requests).toHaveLength(1);
    const isPassed = opened.caller === 'openai' && dialect === openAi;
    if (isPassed) expect(reply.text.startsWith(opening)).toBe(true);
  });
});

test.each([
  ['response.failed', { response: { error: { code: 'server_error', message: 'no luck' } } }],
  ['error', { code: 'server_error', message: 'no luck' }],
])('a response that begins and ends with %s is answered by another channel', async (type, more) => {
  const opening = namedEvent({ type: 'response.created', response: { id: 'resp_1', output: [] } });
  const progress = namedEvent({
    type: 'response.in_progress',
    response: { id: 'resp_1', output: [] },
  });
  const completed = namedEvent({
    type: 'response.completed',
    response: { id: 'resp_2', output: [], usage: { input_tokens: 5, output_tokens: 3 } },
  });
  const delta = namedEvent({ type: 'response.output_text.delta', delta: 'Hi there' });
  let count = 0;
  scene.answer = (...all) => {
    count += 1;
    const good = [opening, delta, completed];
    sse(count === 1 ? [opening, progress, namedEvent({ type, ...more })] : good)(...all);
  };
  for (const channelId of [1, 2]) {
    await scene.relay.put.channel(aChannel(channelId, { baseUrl: scene.upstream.url }));
  }
  await scene.relay.put.option('RetryTimes', '2');
  const request = JSON.stringify({ model: 'gpt-4o-mini', input: 'x', stream: true });
  const reply = await scene.relay.send('/v1/responses', request);
  expect(reply.text).toBe([opening, delta, completed].join(''));
  expect(count).toBe(2);
});

describe('behind content', () => {
  beforeEach(() => scene.relay.put.option('RetryTimes', '2'));

  test.each([
    ['text', { content: 'Hi' }],
    ['a thought', { reasoning_content: 'Hm' }],
    ['a call of a tool', { tool_calls: [{ index: 0, id: 'a', function: { name: 'f' } }] }],
    ['sound', { audio: { data: 'eA==' } }],
    ['a picture', { images: [{ image_url: { url: 'data:,' } }] }],
  ])('%s: an error reaches the caller, and no other channel is called', async (_name, delta) => {
    const content = data({ id: 'c1', choices: [{ index: 0, delta }] });
    const opened = { caller: 'openai', dialect: openAi, opening: '' } as const;
    const reply = await withSecond(opened, sse([role, content, errorOf(opened)]));
    expect(reply.status).toBe(200);
    expect(reply.text).toContain('no such luck');
    expect(reply.text.startsWith(role + content)).toBe(true);
    expect(requests).toHaveLength(1);
  });

  test('an end without content is an answer', async () => {
    const opened = { caller: 'openai', dialect: openAi, opening: '' } as const;
    const reply = await withSecond(opened, sse([role, 'data: [DONE]\n\n']));
    expect(reply.text).toBe(`${role}data: [DONE]\n\n`);
    expect(reply.headers['content-type']).toBe('text/event-stream');
    expect(requests).toHaveLength(1);
  });
});

test('an opening of any length does not fill the memory: it is passed on', async () => {
  const opened = { caller: 'claude', dialect: claude, opening: '' } as const;
  const pings = ping.repeat(4_000);
  const reply = await withSecond(opened, sse([claude.begin, pings, overloaded]));
  expect(reply.status).toBe(200);
  expect(reply.text).toContain('Overloaded');
  expect(requests).toHaveLength(1);
});
