import { expect, test } from 'vitest';
import { fakeIo } from '../../../tests/support/vectors/context.ts';
import { translating } from '../../../tests/support/vectors/translating.ts';
import { replicate } from './translate.ts';

const house = translating(replicate, 56);
const get = 'https://api.replicate.com/v1/predictions/p';
const running = { status: 'processing', urls: { get } };
const body = { model: 'owner/name', messages: [{ role: 'user', content: 'Hi' }] };

test('a prediction is polled until it has ended', async () => {
  const metrics = { input_token_count: 3, output_token_count: 2 };
  const done = { status: 'succeeded', output: ['He', 'llo'], metrics };
  const io = fakeIo({ exchanges: [running, done].map((response) => ({ request: {}, response })) });
  expect(await house.down(running, { body, io })).toMatchObject({
    body: { choices: [{ message: { content: 'Hello' } }] },
    usage: { promptTokens: 3, completionTokens: 2 },
  });
  expect(io.pauses).toEqual([3000, 3000]);
  expect(io.sent[0]).toMatchObject({ url: get, headers: { authorization: 'Bearer sk-test' } });
});

test('a prediction that failed is an error with the words of the provider', async () => {
  expect(await house.down({ status: 'failed', error: 'No GPU' }, { body })).toMatchObject({
    status: 502,
    message: 'No GPU',
  });
});

test('the key goes to no host but the own ones of the provider', async () => {
  const elsewhere = { ...running, urls: { get: 'https://evil.example.com/p' } };
  const io = fakeIo({
    exchanges: [{ request: {}, response: { status: 'succeeded', output: 'x' } }],
  });
  await house.down(elsewhere, { body, io });
  expect(io.sent[0]?.headers).not.toHaveProperty('authorization');
});

test('pictures cannot be sent to a model that takes text, and the error states it', async () => {
  const content = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO' } }];
  const messages = [{ role: 'user', content }];
  expect(await house.request({ body: { ...body, messages } })).toMatchObject({ status: 400 });
});
