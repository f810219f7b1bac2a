import { beforeEach, describe, expect, test } from 'vitest';
import {
  chatAnswer,
  chatBody,
  chunkEvent,
  doneEvent,
  json,
  rawKey,
  sse,
  usageChunk,
  usageOf,
} from '../support/relay/relay-harness.ts';
import { oneChannel } from '../support/relay/scene.ts';

const scene = oneChannel();
const saying = (content: string) => chatBody({ messages: [{ role: 'user', content }] });

describe('sensitive words in a prompt', () => {
  beforeEach(() => scene.relay.put.option('SensitiveWords', 'forbidden\n禁词\nzoë\na/b'));

  test.each([
    ['plain', saying('this is forbidden fruit')],
    ['in other letters', saying('FORBidden')],
    ['of another script', saying('这是禁词吗')],
    ['with an accent, in capitals', saying('ask ZOË')],
    ['with a slash', saying('path a/b').replace('a/b', 'a\\/b')],
    ['written as escapes', saying('x').replace('"x"', '"\\u0066orbidden"')],
    [
      'in a part of a list',
      chatBody({
        messages: [
          { role: 'system', content: 'ok' },
          { role: 'user', content: [{ type: 'text', text: 'Forbidden' }] },
        ],
      }),
    ],
  ])('%s: refused, and nothing is charged', async (_how, body) => {
    const reply = await scene.relay.send('/v1/chat/completions', body);
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.text).error.code).toBe('sensitive_words_detected');
    expect(reply.text).not.toMatch(/forbidden|禁词/);
    expect(scene.upstream.requests).toHaveLength(0);
    expect(scene.relay.journal.startedEntries).toHaveLength(0);
  });

  test('are found in every protocol, and in completions, responses and moderations', async () => {
    const asks: readonly (readonly [string, object])[] = [
      ['/v1/messages', { max_tokens: 9, messages: [{ role: 'user', content: 'forbidden' }] }],
      [
        '/v1/messages',
        { max_tokens: 9, system: 'forbidden', messages: [{ role: 'user', content: 'x' }] },
      ],
      ['/v1/completions', { prompt: 'forbidden' }],
      [
        '/v1/responses',
        { input: [{ role: 'user', content: [{ type: 'input_text', text: 'forbidden' }] }] },
      ],
      ['/v1/moderations', { input: 'forbidden' }],
      [
        '/v1beta/models/gpt-4o-mini:generateContent',
        { contents: [{ parts: [{ text: 'forbidden' }] }] },
      ],
    ];
    for (const [path, body] of asks) {
      const reply = await scene.relay.send(
        path,
        JSON.stringify({ model: 'gpt-4o-mini', ...body }),
        {
          'x-goog-api-key': rawKey,
        },
      );
      expect([path, reply.status]).toEqual([path, 400]);
    }
    expect(scene.upstream.requests).toHaveLength(0);
  });

  test('are not searched in names and pictures, in vectors, nor when the option is off', async () => {
    const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,forbidden' } };
    const named = chatBody({
      messages: [{ role: 'user', name: 'forbidden', content: [picture] }],
      tools: [{ type: 'function', function: { name: 'forbidden', parameters: {} } }],
    });
    expect((await scene.relay.send('/v1/chat/completions', named)).status).toBe(200);
    const vector = JSON.stringify({ model: 'text-embedding-3-small', input: 'forbidden' });
    scene.answer = json({ object: 'list', data: [], usage: { prompt_tokens: 1, total_tokens: 1 } });
    expect((await scene.relay.send('/v1/embeddings', vector)).status).toBe(200);
    scene.answer = json(chatAnswer(usageOf(10, 5)));
    await scene.relay.put.option('CheckSensitiveOnPromptEnabled', 'false');
    expect((await scene.relay.send('/v1/chat/completions', saying('forbidden'))).status).toBe(200);
    await scene.relay.put.option('CheckSensitiveOnPromptEnabled', 'true');
    await scene.relay.put.option('CheckSensitiveEnabled', 'false');
    expect((await scene.relay.send('/v1/chat/completions', saying('forbidden'))).status).toBe(200);
  });
});

describe('sensitive words in an answer', () => {
  beforeEach(async () => {
    await scene.relay.put.option('SensitiveWords', 'forbidden');
    await scene.relay.put.option('CheckSensitiveOnCompletionEnabled', 'true');
  });
  const stream = [chunkEvent('Eat forb'), chunkEvent('idden fruit'), chunkEvent(' now'), doneEvent];

  test('end a stream there, even when cut over two events', async () => {
    scene.answer = sse(stream);
    const reply = await scene.chat({ stream: true });
    expect(reply.text).toContain('"Eat "');
    expect(reply.text).not.toMatch(/forb|idden/);
    expect(reply.text).toContain('"finish_reason":"content_filter"');
    expect(reply.text).toContain('sensitive_words_detected');
    expect(reply.text.endsWith(doneEvent)).toBe(true);
    expect(await scene.relay.journal.used()).toMatchObject({ end: 'cut-off' });
  });

  test('end a stream of another protocol in its own words', async () => {
    scene.answer = sse(stream);
    const reply = await scene.relay.send('/v1/messages', chatBody({ max_tokens: 9, stream: true }));
    expect(reply.text).not.toContain('idden');
    expect(reply.text).toContain('"stop_reason":"refusal"');
    expect(reply.text).toContain('message_stop');
  });

  test('take the place of an answer in one piece, which is paid', async () => {
    scene.answer = json({
      ...chatAnswer(usageOf(10, 5)),
      choices: [{ message: { content: 'Forbidden!' } }],
    });
    const reply = await scene.chat();
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.text).error.code).toBe('sensitive_words_detected');
    expect((await scene.relay.journal.used()).usage.completionTokens).toBe(5);
  });

  test('are made unreadable when answers are not to be stopped', async () => {
    await scene.relay.put.option('StopOnSensitiveEnabled', 'false');
    scene.answer = sse([chunkEvent('a Forbidden fruit'), usageChunk(usageOf(1, 1)), doneEvent]);
    expect((await scene.chat({ stream: true })).text).toBe(
      chunkEvent('a ********* fruit') + doneEvent,
    );
    scene.answer = json({
      ...chatAnswer(usageOf(10, 5)),
      choices: [{ message: { content: 'forbidden!' } }],
    });
    expect((await scene.chat()).text).toContain('*********!');
  });
});
