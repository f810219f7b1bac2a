import { expect, test } from 'vitest';
import { translating } from '../../../tests/support/vectors/translating.ts';
import { mistral } from './translate.ts';

const house = translating(mistral, 42);
const user = { role: 'user', content: 'Hi' };
const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } };

test('stop words, penalties and formats go up, and instructions of developers too', async () => {
  const body = await house.up({
    body: {
      messages: [{ role: 'developer', content: 'Short.' }, user],
      stop: ['END'],
      presence_penalty: 0,
      response_format: { type: 'json_object' },
      parallel_tool_calls: false,
      max_completion_tokens: 5,
      user: 'u',
    },
  });
  expect(body).toEqual({
    model: 'some-model',
    messages: [{ role: 'system', content: 'Short.' }, user],
    stop: ['END'],
    presence_penalty: 0,
    response_format: { type: 'json_object' },
    parallel_tool_calls: false,
    max_tokens: 5,
  });
});

test('an assistant turn is added between the result of a tool and the next user turn', async () => {
  const messages = [
    user,
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: 'ok' },
    user,
  ];
  const body = await house.up({ body: { messages } });
  expect(body.messages).toMatchObject([
    { role: 'user' },
    { role: 'assistant' },
    { role: 'tool' },
    { role: 'assistant', content: 'OK' },
    { role: 'user' },
  ]);
});
