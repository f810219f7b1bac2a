import { expect, test } from 'vitest';
import { translating } from '../../../tests/support/vectors/translating.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { deepSeek } from './translate.ts';

const house = translating(deepSeek, 43);
const user = { role: 'user', content: 'Hi' };
const thought = (more: JsonObject): JsonObject => ({
  role: 'assistant',
  reasoning_content: 'Hm',
  ...more,
});
const tool_calls = [{ id: 't', type: 'function', function: { name: 'f', arguments: '{}' } }];

test('reasoning stays in the turn it was made in and leaves the earlier ones', async () => {
  const messages = [
    user,
    thought({ content: 'A' }),
    user,
    thought({ content: null, tool_calls }),
    { role: 'tool', tool_call_id: 't', content: [{ type: 'text', text: 'ok' }] },
  ];
  const body = await house.up({ body: { messages } });
  expect(body.messages).toEqual([
    user,
    { role: 'assistant', content: 'A' },
    user,
    { role: 'assistant', content: '', reasoning_content: 'Hm', tool_calls },
    { role: 'tool', tool_call_id: 't', content: 'ok' },
  ]);
});

test('a schema becomes an instruction in addition to plain JSON', async () => {
  const schema = { type: 'object' };
  const response_format = { type: 'json_schema', json_schema: { name: 'x', schema } };
  const body = await house.up({ body: { messages: [user], response_format } });
  expect(body.response_format).toEqual({ type: 'json_object' });
  expect(JSON.stringify(body.messages)).toContain('matches this JSON schema');
});

test('a prefix that the assistant is to continue uses the address that supports it', async () => {
  const messages = [user, { role: 'assistant', content: 'So', prefix: true }];
  expect(await house.request({ body: { messages } })).toMatchObject({
    url: 'https://api.deepseek.com/beta/v1/chat/completions',
  });
});

test('a provider that ran out of room is an error, not an end', async () => {
  const choice = { message: { content: 'x' }, finish_reason: 'insufficient_system_resource' };
  expect(await house.down({ choices: [choice] }, { body: { messages: [user] } })).toMatchObject({
    status: 502,
  });
});
