import { describe, expect, test } from 'vitest';
import { aContext, answered, sentJson, streamed } from '../../../tests/support/translation-play.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { withCompletions } from './completions-over-chat.ts';
import { openAiLike } from './openai-like.ts';

const adapter = withCompletions(
  openAiLike({ operations: ['chat'], baseUrl: 'https://e.example', streamUsage: 'ask' }),
);

const asked = (members: JsonObject) =>
  aContext({
    body: { model: 'm', prompt: 'Once', ...members },
    endpoint: '/v1/completions',
    channel: { type: 1 },
  });

describe('text completions of a provider that only chats', () => {
  test("the prompt is the user's message, parameters stay", async () => {
    expect(await sentJson(adapter, asked({ max_tokens: 0, echo: false, x: 1 }))).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'Once' }],
      max_tokens: 0,
      x: 1,
    });
  });

  test('the answer is a text', async () => {
    const message = { role: 'assistant', content: ' upon' };
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
    const choices = [{ index: 0, message, finish_reason: 'length' }];
    expect(await answered(adapter, asked({}), { id: 'i', choices, usage })).toMatchObject({
      body: {
        id: 'i',
        object: 'text_completion',
        choices: [{ index: 0, text: ' upon', logprobs: null, finish_reason: 'length' }],
        usage,
      },
      usage: { promptTokens: 1, completionTokens: 2 },
    });
  });

  test('a stream is one of texts, with usage for who requests it', () => {
    const head = { id: 'i', object: 'chat.completion.chunk', model: 'm' };
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
    const produced = streamed(
      adapter,
      asked({ stream: true, stream_options: { include_usage: true } }),
      [
        { ...head, choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] },
        { ...head, choices: [{ index: 0, delta: { content: ' upon' } }] },
        { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
        { ...head, choices: [], usage },
      ],
    );
    expect(produced.folded).toMatchObject({
      choices: { 0: { texts: { text: ' upon' }, finish: 'stop' } },
      usage,
    });
    expect(produced.chunks).toHaveLength(3);
  });

  test.each([
    [{ prompt: ['a', 'b'] }],
    [{ prompt: [[1, 2]] }],
    [{ prompt: null }],
    [{ suffix: 'end' }],
  ])('%o is refused', async (members) => {
    expect(await adapter.request(asked(members))).toMatchObject({ status: 400 });
  });
});
