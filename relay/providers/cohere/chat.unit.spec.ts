import { expect, test } from 'vitest';
import { translating } from '../../../tests/support/vectors/translating.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { cohere } from './translate.ts';

const house = translating(cohere, 34);
const user = { role: 'user', content: 'Hi' };
const tool = (name: string): JsonObject => ({ type: 'function', function: { name } });

test('sampling, stop words and documents go up, explicit zeros among them', async () => {
  const documents = [{ text: 'd' }];
  const body = { messages: [user], temperature: 0, top_p: 0, seed: 0, stop: 'END', documents };
  expect(await house.up({ body })).toMatchObject({
    temperature: 0,
    p: 0,
    seed: 0,
    stop_sequences: ['END'],
    documents,
  });
});

test('tools use the protocol that has them, and a named one is forced by being the only one', async () => {
  const body: JsonObject = {
    messages: [user],
    tools: [tool('a'), tool('b')],
    tool_choice: tool('b'),
  };
  expect(await house.request({ body })).toMatchObject({ url: 'https://api.cohere.com/v2/chat' });
  expect(await house.up({ body })).toMatchObject({ tools: [tool('b')], tool_choice: 'REQUIRED' });
});

test('an answer of the newer protocol has its thoughts, text, calls and billed units', async () => {
  const answer = {
    id: 'm1',
    message: {
      content: [
        { type: 'thinking', thinking: 'Hm' },
        { type: 'text', text: 'Hi' },
      ],
      tool_calls: [{ id: 't', type: 'function', function: { name: 'a', arguments: '{}' } }],
    },
    finish_reason: 'TOOL_CALL',
    usage: { billed_units: { input_tokens: 10, output_tokens: 8 }, tokens: { input_tokens: 900 } },
  };
  const body = { messages: [user], tools: [tool('a')] };
  expect(await house.down(answer, { body })).toMatchObject({
    body: {
      id: 'm1',
      choices: [
        {
          finish_reason: 'tool_calls',
          message: { content: 'Hi', reasoning_content: 'Hm', tool_calls: [{ id: 't' }] },
        },
      ],
    },
    usage: { promptTokens: 10, completionTokens: 8 },
  });
});

test('ranking everything is requested by leaving the number out', async () => {
  const body = { query: 'q', documents: ['a'], top_n: 0 };
  expect(await house.up({ body, endpoint: '/v1/rerank' })).toEqual({
    model: 'some-model',
    query: 'q',
    documents: ['a'],
  });
});

test('embeddings name their purpose, as the provider requires', async () => {
  const body = { input: ['a'], dimensions: 2 };
  const endpoint = '/v1/embeddings';
  expect(await house.up({ body, endpoint })).toMatchObject({
    texts: ['a'],
    input_type: 'search_document',
    output_dimension: 2,
  });
  const answer = { embeddings: { float: [[1]] }, meta: { billed_units: { input_tokens: 1 } } };
  expect(await house.down(answer, { body, endpoint })).toMatchObject({
    body: { data: [{ embedding: [1] }] },
    usage: { promptTokens: 1 },
  });
});
