import { beforeEach, describe, expect, test } from 'vitest';
import { type Answer, chatBody, type Reply, sse } from '../support/relay/relay-harness.ts';
import { relayScene } from '../support/relay/scene.ts';
import { ask, type Caller, type Dialect, dialects } from './hostile-dialects.ts';

const scene = relayScene();

beforeEach(async () => {
  await scene.relay.put.option('SensitiveWords', 'forbidden\n禁果');
  await scene.relay.put.option('CheckSensitiveOnCompletionEnabled', 'true');
  await scene.relay.put.option('StopOnSensitiveEnabled', 'false');
});

type Json = ReturnType<typeof JSON.parse>;

const texts: Readonly<Record<Caller, (event: Json) => unknown>> = {
  openai: ({ choices }) =>
    choices?.[0]?.delta?.content ?? choices?.[0]?.message?.content ?? choices?.[0]?.text,
  claude: ({ delta, content }) => delta?.text ?? content?.[0]?.text,
  gemini: ({ candidates }) =>
    candidates?.[0]?.content?.parts.map(({ text = '' }: Json) => text).join(''),
  cohere: ({ delta, message }) => delta?.message?.content?.text ?? message?.content?.[0]?.text,
  ollama: ({ message }) => message?.content,
};

/** The text that a client reads. */
const textOf = (caller: Caller, { text }: Reply): string =>
  text
    .split(/\r?\n/)
    .map((line) => line.replace(/^data: ?/, ''))
    .filter((line) => line.startsWith('{'))
    .map((line) => texts[caller](JSON.parse(line)))
    .filter((piece) => typeof piece === 'string')
    .join('');

const escaped = (text: string): string =>
  [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

const body =
  (contentType: string, text: string): Answer =>
  (_req, res) => {
    res.writeHead(200, { 'content-type': contentType }).end(text);
  };

/** As a provider writes it: letter by letter, or at once, plainly or in escapes. */
const answers = (dialect: Dialect, sentence: string) => {
  const place = 'PLACE';
  const events = (pieces: readonly string[]): Answer =>
    sse([
      dialect.begin,
      ...pieces.map((piece) => dialect.piece(place).replace(place, piece)),
      dialect.end([5, 3]),
    ]);
  const whole = (text: string): Answer =>
    body('application/json', dialect.whole(place, [5, 3]).replace(place, text));
  return {
    'letter by letter': events([...sentence]),
    'in escapes, letter by letter': events([...sentence].map(escaped)),
    'in one event': events([sentence]),
    whole: whole(sentence),
    'whole, in escapes': whole(escaped(sentence)),
  };
};

const manners = Object.keys(answers(dialects[0]?.[2] as Dialect, '')) as (keyof ReturnType<
  typeof answers
>)[];
const sentence = 'eat 禁果 and Forbidden fruit, for forbid';

describe.each(dialects)('%s', (_name, caller, dialect) => {
  const send = async (manner: (typeof manners)[number]): Promise<Reply> => {
    await scene.put({ type: dialect.channelType });
    scene.answer = answers(dialect, sentence)[manner];
    return ask(scene.relay, caller, { isStream: !manner.startsWith('whole'), limit: 99 });
  };

  test.each(manners)('words are masked in the text of an answer: %s', async (manner) => {
    const reply = await send(manner);
    expect(textOf(caller, reply)).toBe('eat ** and ********* fruit, for forbid');
    expect(reply.text).not.toContain('notice');
    expect((await scene.relay.journal.used()).usage).toMatchObject({ completionTokens: 3 });
  });

  test.each(manners)('a word ends an answer in front of it: %s', async (manner) => {
    await scene.relay.put.option('StopOnSensitiveEnabled', 'true');
    const reply = await send(manner);
    if (manner.startsWith('whole')) expect(reply.status).toBe(400);
    else {
      expect(textOf(caller, reply)).toBe('eat ');
      expect(reply.text).toContain('sensitive_words_detected');
    }
  });
});

const chunk = (delta: object, index = 0): string =>
  `data: ${JSON.stringify({ id: 'c1', choices: [{ index, delta }] })}\n\n`;
const done = 'data: [DONE]\n\n';

const streamed = async (parts: readonly string[]): Promise<string> => {
  scene.answer = sse([...parts, done]);
  return (await scene.chat({ stream: true })).text;
};

test('a stream without a word passes byte for byte', async () => {
  const parts = [
    'data: {"choices": [{"index":0, "delta":{"content":"for\\u0020"}}], "x": 1.0}\r\n\r\n',
    ': a comment\n\n',
    'data:{"choices":[{"delta":{"content":"bid"},"index":0}]}\n\n',
    'data: {"choices":[],"usage":null}\n\n',
  ];
  expect(await streamed(parts)).toBe(parts.join('') + done);
});

test('each choice, and thoughts and text, are texts of their own', async () => {
  const parts = [
    ...[chunk({ content: 'for' }), chunk({ content: 'bid' }, 1), chunk({ reasoning: 'den' })],
    ...[chunk({ content: 'bidden' }), chunk({ content: 'den' }, 1)],
  ];
  expect(await streamed(parts)).toBe(
    [
      ...[chunk({ content: '***' }), chunk({ content: 'bid' }, 1), chunk({ reasoning: 'den' })],
      ...[chunk({ content: '******' }), chunk({ content: 'den' }, 1), done],
    ].join(''),
  );
});

test('what may begin a word waits no longer than the text may continue', async () => {
  const gate: { open?: () => void } = {};
  const others = Array.from({ length: 64 }, () => chunk({ content: 'x' }, 1));
  scene.answer = (_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write(chunk({ content: 'forb' }) + others.join(''));
    gate.open = () => res.end(done);
  };
  const received = await new Promise<string>((resolve, reject) => {
    const pieces: string[] = [];
    fetch(`http://127.0.0.1:${scene.relay.port}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${'k'.repeat(48)}` },
      body: chatBody({ stream: true }),
    })
      .then(async ({ body: bytes }) => {
        for await (const piece of bytes ?? []) {
          pieces.push(Buffer.from(piece).toString('utf8'));
          if (pieces.join('').includes('forb')) gate.open?.();
        }
        resolve(pieces.join(''));
      })
      .catch(reject);
  });
  expect(received).toContain('"forb"');
  expect(received.endsWith(done)).toBe(true);
});

test('words are masked in arguments of tools, which are JSON in a text', async () => {
  const call = (text: string): object => ({
    tool_calls: [{ index: 0, function: { arguments: text } }],
  });
  const parts = ['{"a":"forb', 'idden", "b":"\\u79', '81\\u679c"}'].map((text) =>
    chunk(call(text)),
  );
  const text = await streamed(parts);
  const parsed = text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(5)).choices[0].delta.tool_calls[0].function.arguments)
    .join('');
  expect(JSON.parse(parsed)).toEqual({ a: '*********', b: '************' });
});

test('words are masked in events and answers of any size', async () => {
  const long = `${'word '.repeat(300_000)}forbidden`;
  const text = await streamed([chunk({ content: long })]);
  expect(text).not.toContain('forbidden');
  expect(text.length).toBeGreaterThan(long.length);
  const answer = { choices: [{ index: 0, message: { content: `${long} end` } }] };
  scene.answer = body('application/json', JSON.stringify(answer));
  const whole = await scene.chat();
  expect(whole.status).toBe(200);
  expect(JSON.parse(whole.text).choices[0].message.content).toBe(
    `${'word '.repeat(300_000)}********* end`,
  );
});

test('sound and pictures are no texts', async () => {
  await scene.relay.put.option('SensitiveWords', 'abcd');
  const parts = [chunk({ audio: { data: 'xxabcdxx', transcript: 'an abcd' } })];
  expect(await streamed(parts)).toBe(
    chunk({ audio: { data: 'xxabcdxx', transcript: 'an ****' } }) + done,
  );
});

describe('the Responses API', () => {
  const namedEvent = (event: Readonly<{ type: string }> & Record<string, unknown>): string =>
    `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
  const output = (text: string): object[] => [
    { type: 'message', id: 'm', content: [{ type: 'output_text', text }] },
  ];
  const response = { id: 'resp_1', object: 'response', output: [] };
  const usage = { input_tokens: 5, output_tokens: 3 };
  const delta = (text: string): string =>
    namedEvent({ type: 'response.output_text.delta', item_id: 'm', output_index: 0, delta: text });
  const events = (text: string, pieces: readonly string[]): readonly string[] => [
    namedEvent({ type: 'response.created', response }),
    ...pieces.map(delta),
    namedEvent({ type: 'response.output_text.done', item_id: 'm', output_index: 0, text }),
    namedEvent({
      type: 'response.completed',
      response: { ...response, output: output(text), usage },
    }),
  ];

  test('words are masked in deltas and in the texts that repeat them', async () => {
    scene.answer = sse(events('a forbidden fruit', ['a forb', 'idden', ' fruit']));
    const request = JSON.stringify({ model: 'gpt-4o-mini', input: 'x', stream: true });
    const reply = await scene.relay.send('/v1/responses', request);
    expect(reply.text).toBe(events('a ********* fruit', ['a ****', '*****', ' fruit']).join(''));
  });

  test('a word ends the stream in front of it', async () => {
    await scene.relay.put.option('StopOnSensitiveEnabled', 'true');
    scene.answer = sse(events('a forbidden fruit', ['a forb', 'idden', ' fruit']));
    const request = JSON.stringify({ model: 'gpt-4o-mini', input: 'x', stream: true });
    const reply = await scene.relay.send('/v1/responses', request);
    expect(reply.text).toContain(delta('a '));
    expect(reply.text).not.toContain('forb');
    expect(reply.text).toContain('"reason":"content_filter"');
  });
});
