import { describe, expect, test } from 'vitest';
import { aChat, aContext, streamed } from '../../../tests/support/translation-play.ts';
import { openAiLike } from './openai-like.ts';

const adapter = openAiLike({
  operations: ['chat'],
  baseUrl: 'https://e.example',
  streamUsage: 'ask',
});
const choiceOf = (deltas: readonly object[], setting = { thinking_to_content: true }) => {
  const context = aContext({ body: aChat({ stream: true }), channel: { type: 1, setting } });
  const lines = deltas.map((choice) => ({
    id: 'i',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, finish_reason: null, ...choice }],
  }));
  return streamed(adapter, context, lines).folded.choices[0];
};
const stop = { delta: {}, finish_reason: 'stop' };

describe('thoughts as content', () => {
  test('thoughts before a tool call are closed', () => {
    const calls = [{ index: 0, id: 'c', function: { name: 'f', arguments: '{}' } }];
    const produced = choiceOf([
      { delta: { reasoning: 'A' } },
      { delta: { tool_calls: calls } },
      stop,
    ]);
    expect(produced?.texts.content).toBe('<think>\nA\n</think>\n');
    expect(produced?.calls[0]).toMatchObject({ name: 'f' });
  });

  test('a thought and an answer in one chunk are written one after the other', () => {
    const produced = choiceOf([{ delta: { reasoning_content: 'A', content: 'B' } }, stop]);
    expect(produced?.texts).toEqual({ content: '<think>\nA\n</think>\nB' });
  });

  test('an answer of nothing but thoughts is closed', () => {
    expect(choiceOf([{ delta: { reasoning_content: 'A' } }, stop])?.texts.content).toBe(
      '<think>\nA\n</think>\n',
    );
  });

  test('an answer without thoughts stays as it is', () => {
    expect(choiceOf([{ delta: { content: 'B' } }, stop])?.texts).toEqual({ content: 'B' });
  });

  test('other channels keep thoughts apart', () => {
    const produced = choiceOf([{ delta: { reasoning_content: 'A' } }, stop], {
      thinking_to_content: false,
    });
    expect(produced?.texts).toEqual({ reasoning_content: 'A' });
  });
});
