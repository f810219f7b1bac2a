import { expect, test } from 'vitest';
import { fakeIo } from '../../../tests/support/vectors/context.ts';
import { translating } from '../../../tests/support/vectors/translating.ts';
import { ollama } from './translate.ts';

const house = translating(ollama, 4);
const channel = { setting: { native: true } };

test('the own protocol takes pictures, calls, formats and sampling in its own words', async () => {
  const schema = { type: 'object' };
  const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO' } };
  const body = {
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'See' }, picture] },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ function: { name: 'f', arguments: '{"a":1}' } }],
      },
    ],
    temperature: 0,
    stop: 'END',
    response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
  };
  expect(await house.up({ body, channel })).toEqual({
    model: 'some-model',
    messages: [
      { role: 'user', content: 'See', images: ['iVBO'] },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ function: { name: 'f', arguments: { a: 1 } } }],
      },
    ],
    stream: false,
    format: schema,
    options: { temperature: 0, stop: ['END'] },
  });
});

test("an answer of the server's own protocol is written like any other", async () => {
  const message = { content: 'Hi', thinking: 'Hm' };
  const answer = {
    message,
    done: true,
    done_reason: 'length',
    prompt_eval_count: 4,
    eval_count: 2,
  };
  expect(await house.down(answer, { body: { messages: [] }, channel })).toMatchObject({
    body: {
      choices: [{ finish_reason: 'length', message: { content: 'Hi', reasoning_content: 'Hm' } }],
    },
    usage: { promptTokens: 4, completionTokens: 2 },
  });
});

test('a picture that the server cannot fetch by itself is fetched for it', async () => {
  const response = { content_type: 'image/png', base64: 'iVBO' };
  const io = fakeIo({ exchanges: [{ request: {}, response }] });
  const url = 'https://img.example.com/a.png';
  const messages = [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }];
  expect(JSON.stringify(await house.up({ body: { messages }, io }))).toContain(
    'data:image/png;base64,iVBO',
  );
});
