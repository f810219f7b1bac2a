import { expect, test } from 'vitest';
import { attemptSpan, modelIn } from './gen-ai.ts';

const attempt = {
  operation: 'chat',
  protocol: 'openai',
  channelType: 33,
  channelId: 7,
  model: 'claude-3-haiku',
  origin: 'https://bedrock-runtime.us-east-1.amazonaws.com',
};

test('an attempt is named by its operation and model, its provider as the conventions name it', () => {
  expect(attemptSpan(attempt)).toEqual({
    name: 'chat claude-3-haiku',
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'aws.bedrock',
      'gen_ai.request.model': 'claude-3-haiku',
      'server.address': 'bedrock-runtime.us-east-1.amazonaws.com',
      'server.port': 443,
      'tollgate.channel.id': 7,
    },
  });
});

test.each([
  ['{"id":"1","model":"gpt-4o-mini-2024","choices":[]}', 'gpt-4o-mini-2024'],
  ['event: message_start\ndata: {"type":"x","message":{"model":"claude-x"}}', 'claude-x'],
  ['{"candidates":[], "modelVersion" : "gemini-2"}', 'gemini-2'],
  ['{"choices":[{"message":{"content":"say \\"model\\":\\"no\\""}}]}', null],
  ['data: [DONE]', null],
])('%s is of the model %s', (text, model) => {
  expect(modelIn(Buffer.from(text))).toBe(model);
});
