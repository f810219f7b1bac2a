import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { translating } from '../../../tests/support/vectors/translating.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { createFrameReader } from './frames.ts';
import { modelId } from './models.ts';
import { bedrock } from './translate.ts';

const channel = { key: 'AK|secret|us-east-1' };
const host = translating(bedrock, 33);

const text = (value: string): Buffer => {
  const bytes = Buffer.from(value);
  const size = Buffer.alloc(2);
  size.writeUInt16BE(bytes.length);
  return Buffer.concat([Buffer.from([7]), size, bytes]);
};
const header = (name: string, value: string): Buffer =>
  Buffer.concat([Buffer.from([name.length]), Buffer.from(name), text(value)]);
const word = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const frame = (type: string, payload: JsonObject): Buffer => {
  const headers = Buffer.concat([header(':message-type', 'event'), header(':event-type', type)]);
  const body = Buffer.from(JSON.stringify(payload));
  const lengths = Buffer.concat([word(16 + headers.length + body.length), word(headers.length)]);
  const whole = Buffer.concat([lengths, word(crc32(lengths)), headers, body]);
  return Buffer.concat([whole, word(crc32(whole))]);
};

test('a damaged frame ends the stream and is not used', () => {
  const bytes = frame('chunk', { bytes: 'e30=' });
  const broken = Buffer.from(bytes);
  broken.writeUInt8(broken.readUInt8(broken.length - 6) ^ 1, broken.length - 6);
  expect(createFrameReader().push(bytes)).toHaveLength(1);
  expect(createFrameReader().push(broken)).toBeNull();
  expect(createFrameReader().push(Buffer.alloc(64, 0xff))).toBeNull();
});

test.each([
  ['claude-3-haiku-20240307', 'eu-west-1', 'eu.anthropic.claude-3-haiku-20240307-v1:0'],
  ['claude-3-haiku-20240307', 'ap-northeast-1', 'apac.anthropic.claude-3-haiku-20240307-v1:0'],
  ['claude-3-opus-20240229', 'eu-west-1', 'anthropic.claude-3-opus-20240229-v1:0'],
  ['claude-2.1', 'us-east-1', 'anthropic.claude-v2:1'],
  ['claude-sonnet-4-20250514', 'us-west-2', 'us.anthropic.claude-sonnet-4-20250514-v1:0'],
  ['claude-opus-4-6', 'us-west-2', 'us.anthropic.claude-opus-4-6-v1'],
  ['claude-sonnet-4-6', 'us-west-2', 'us.anthropic.claude-sonnet-4-6'],
  ['arn:aws:bedrock:x:y', 'us-west-2', 'arn:aws:bedrock:x:y'],
  ['amazon.nova-pro-v1:0', 'us-west-2', 'amazon.nova-pro-v1:0'],
])('%s in %s is named %s there', (model, region, id) => {
  expect(modelId(model, region)).toBe(id);
});

test('a key of another form is an error of the channel, before any call', async () => {
  const body = { model: 'claude-2.1', messages: [] };
  expect(await host.request({ body, channel: { key: 'only-one' } })).toMatchObject({
    code: 'channel_configuration_error',
  });
});

test('an API key of the host is sent as it is, with no signature', async () => {
  const body = { model: 'claude-3-haiku-20240307', messages: [{ role: 'user', content: 'Hi' }] };
  expect(await host.request({ body, channel: { key: 'ABSK|us-east-1' } })).toMatchObject({
    headers: { authorization: 'Bearer ABSK' },
  });
});

const call = { type: 'function', function: { name: 'f', parameters: { type: 'object' } } };
const chat: JsonObject = {
  model: 'amazon.nova-pro-v1:0',
  max_tokens: 9,
  temperature: 0,
  stop: 'END',
  top_k: 3,
  tools: [call],
  tool_choice: 'required',
  messages: [
    { role: 'system', content: 'Short.' },
    { role: 'user', content: 'Hi' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 't1', function: { name: 'f', arguments: '{"a":1}' } }],
    },
    { role: 'tool', tool_call_id: 't1', content: 'ok' },
  ],
};

test('models of other makers are called in the protocol that all share', async () => {
  const request = await host.request({ body: chat, channel });
  expect(request).toMatchObject({
    url: 'https://bedrock-runtime.us-east-1.amazonaws.com/model/amazon.nova-pro-v1%3A0/converse',
  });
  expect(await host.up({ body: chat, channel })).toEqual({
    system: [{ text: 'Short.' }],
    messages: [
      { role: 'user', content: [{ text: 'Hi' }] },
      {
        role: 'assistant',
        content: [{ toolUse: { toolUseId: 't1', name: 'f', input: { a: 1 } } }],
      },
      {
        role: 'user',
        content: [
          { toolResult: { toolUseId: 't1', content: [{ text: 'ok' }], status: 'success' } },
        ],
      },
    ],
    inferenceConfig: { maxTokens: 9, temperature: 0, stopSequences: ['END'] },
    toolConfig: {
      tools: [{ toolSpec: { name: 'f', inputSchema: { json: { type: 'object' } } } }],
      toolChoice: { any: {} },
    },
    additionalModelRequestFields: { top_k: 3 },
  });
});

test('their answers arrive whole, with cache counts outside of the prompt', async () => {
  const content = [{ text: 'Hi' }, { toolUse: { toolUseId: 't', name: 'f', input: {} } }];
  const usage = { inputTokens: 5, outputTokens: 2, cacheReadInputTokens: 7 };
  const answer = { output: { message: { content } }, stopReason: 'tool_use', usage };
  expect(await host.down(answer, { body: chat, channel })).toMatchObject({
    body: {
      choices: [{ finish_reason: 'tool_calls', message: { content: 'Hi' } }],
      usage: { prompt_tokens: 12 },
    },
    usage: { promptTokens: 5, cachedTokens: 7, cacheApart: true },
  });
});

test('their streams are read frame by frame', () => {
  const stream = bedrock.stream(host.context({ body: { ...chat, stream: true }, channel }));
  const frames = [
    frame('messageStart', { role: 'assistant' }),
    frame('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hi' } }),
    frame('contentBlockStop', { contentBlockIndex: 0 }),
    frame('messageStop', { stopReason: 'max_tokens' }),
    frame('metadata', { usage: { inputTokens: 5, outputTokens: 2 } }),
  ];
  const produced = stream.push(Buffer.concat(frames));
  expect(JSON.stringify(produced)).toContain('"content":"Hi"');
  expect(JSON.stringify(produced)).toContain('"finish_reason":"length"');
  expect(stream.end()).toEqual([]);
  expect(stream.usage()).toMatchObject({ promptTokens: 5, completionTokens: 2 });
});
