import { describe, expect, test } from 'vitest';
import { aChat, aContext, answered, streamed } from '../../../tests/support/translation-play.ts';
import { miniMax } from './translate.ts';

const channel = { type: 35, key: 'sk' };
const streaming = () => aContext({ body: aChat({ stream: true }), channel });

describe('MiniMax', () => {
  test('the message that the last event repeats is not written twice', () => {
    const produced = streamed(miniMax, streaming(), [
      { id: 'i', choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi' } }] },
      {
        id: 'i',
        object: 'chat.completion',
        choices: [{ index: 0, finish_reason: 'stop', message: { content: 'Hi' } }],
        usage: { total_tokens: 7 },
        base_resp: { status_code: 0, status_msg: '' },
      },
    ]);
    expect(produced.folded.choices[0]).toMatchObject({ texts: { content: 'Hi' }, finish: 'stop' });
    expect(JSON.stringify(produced.chunks)).not.toContain('"message"');
    expect(produced.chunks.at(-1)).toMatchObject({ object: 'chat.completion.chunk' });
  });

  test('an error in place of a stream is one', () => {
    const line = '{"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}';
    const produced = streamed(miniMax, streaming(), [line]);
    expect(produced.chunks).toEqual([]);
    expect(produced.error).toMatchObject({ status: 402, code: 1_008, type: 'minimax_error' });
  });

  test.each([
    [1_001, 504],
    [1_002, 429],
    [2_049, 401],
    [1_026, 400],
    [2_013, 400],
    [4_242, 500],
  ])('the code %i has the status %i', async (status_code, status) => {
    const produced = { choices: null, base_resp: { status_code, status_msg: 'no' } };
    expect(await answered(miniMax, aContext({ body: aChat(), channel }), produced)).toMatchObject({
      status,
    });
  });
});
