import { describe, expect, test } from 'vitest';
import {
  aCall,
  aTranslatingChannel,
  fakeIo,
  familySettings,
} from '../../tests/support/vectors/context.ts';
import type { ChannelExample } from '../../tests/support/vectors/types.ts';
import type { ApiError } from '../protocol/api-error.ts';
import type { JsonObject } from '../protocol/canonical.ts';
import type { HttpRequest } from '../upstream/types.ts';
import { providerOf } from './registry.ts';
import type { TranslationContext } from './translate.ts';

/** Keys and other fields that a type cannot do without. */
const channels: Readonly<Record<number, Partial<ChannelExample>>> = {
  8: { base_url: 'https://llm.example.com/{model}' },
  15: { key: 'ak|sk' },
  16: { key: 'id.secret' },
  18: { key: 'app|secret|key' },
  21: { other: 'library' },
  23: { key: '1|id|key' },
  47: { base_url: 'http://[::1]:9997/' },
  49: { other: 'bot' },
};

const contextFor = (
  type: number,
  body: JsonObject,
  changes: Partial<ChannelExample> = {},
): TranslationContext => ({
  call: aCall(body),
  channel: aTranslatingChannel({ type, key: 'sk-test', ...channels[type], ...changes }),
  settings: familySettings,
  io: fakeIo({ cachedValue: 'token' }),
});

const types = [
  ...[1, 8, 15, 16, 17, 18, 19, 21, 22, 23, 25, 26, 31, 35, 37],
  ...[38, 40, 44, 45, 46, 47, 49],
];
const chatTypes = types.filter((type) => providerOf(type)?.translate?.operations.includes('chat'));

const adapterOf = (type: number) => {
  const adapter = providerOf(type)?.translate;
  if (adapter === undefined) throw new Error(`no adapter for type ${type}`);
  return adapter;
};

const isRequest = (made: HttpRequest | ApiError): made is HttpRequest => 'url' in made;

const sentBody = async (context: TranslationContext): Promise<string> => {
  const made = await adapterOf(context.channel.type).request(context);
  if (!isRequest(made)) throw new Error(made.message);
  return String(made.body);
};

const hello = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };

/** These have OpenAI's own shapes: the caller's body is sent unchanged. */
const unedited = [1, 8, 19, 22, 25, 31, 35, 40, 45, 46, 47];
/** Take no tools at all. */
const withoutTools = [16, 21, 37, 49];
const noKnownShape = [16, 18, 21, 37, 49];

describe('every provider of chats', () => {
  test.each(chatTypes)('type %i sends unknown members upstream', async (type) => {
    const body = { ...hello, provider_extra: { depth: [0, false, null] } };
    expect(await sentBody(contextFor(type, body))).toContain(
      '"provider_extra":{"depth":[0,false,null]}',
    );
  });

  test.each(chatTypes)('type %i sends every text of a message up', async (type) => {
    const content = [
      { type: 'text', text: 'first words' },
      { type: 'text', text: 'last words' },
    ];
    const body = { ...hello, messages: [{ role: 'user', content }] };
    const sent = await sentBody(contextFor(type, body));
    expect(sent).toContain('first words');
    expect(sent).toContain('last words');
  });

  test.each(chatTypes)('type %i sends instructions upstream, wherever they are', async (type) => {
    const messages = [
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'Hi' },
      { role: 'system', content: 'be kind' },
      { role: 'user', content: 'Ho' },
    ];
    const sent = await sentBody(contextFor(type, { ...hello, messages }));
    // A knowledge base answers the last question alone.
    if (type === 21) return expect(sent).toContain('Ho');
    expect(sent).toContain('be brief');
    expect(sent).toContain('be kind');
  });

  test.each(chatTypes)('type %i reports a stream that was cut off', async (type) => {
    const stream = adapterOf(type).stream(contextFor(type, { ...hello, stream: true }));
    stream.push(Buffer.from('data: {"choi'));
    expect(stream.end()).toMatchObject({ status: 502, code: 'stream_interrupted' });
  });

  test.each(chatTypes)('type %i refuses an endless line', async (type) => {
    const stream = adapterOf(type).stream(contextFor(type, { ...hello, stream: true }));
    const piece = Buffer.alloc(8 * 1024 * 1024, 0x61);
    const produced = [1, 2, 3, 4, 5].map(() => stream.push(piece)).at(-1);
    expect(produced).toMatchObject({ status: 502 });
  });

  test.each(chatTypes)('type %i refuses an answer that is no JSON', async (type) => {
    const reply = { status: 200, headers: {}, body: Buffer.from('<html>') };
    const produced = await adapterOf(type).reply(reply, contextFor(type, hello));
    expect(produced).toMatchObject({ status: 502 });
  });

  test.each(chatTypes)('type %i keeps the status and the words of a failure', (type) => {
    const body = Buffer.from('{"message":"too many"}');
    const failure = adapterOf(type).failure({ status: 429, headers: { 'retry-after': '7' }, body });
    expect(failure).toMatchObject({ status: 429, message: 'too many', retryAfterSeconds: 7 });
  });
});

describe('parameters of a chat', () => {
  const parameters: JsonObject = {
    temperature: 0,
    top_p: 0.5,
    max_tokens: 0,
    n: 2,
    stop: ['A', 'B'],
    seed: 0,
    presence_penalty: 0,
    frequency_penalty: 0,
    logit_bias: { 1: 0 },
    logprobs: false,
    user: '',
    parallel_tool_calls: false,
    tool_choice: { type: 'function', function: { name: 'f' } },
    tools: [{ type: 'function', function: { name: 'f', strict: false } }],
    response_format: { type: 'json_object' },
    store: false,
    metadata: { a: '0' },
  };

  test.each(unedited)('type %i gets them as the caller wrote them', async (type) => {
    const body = { ...hello, ...parameters };
    expect(JSON.parse(await sentBody(contextFor(type, body)))).toEqual(body);
  });

  test.each(withoutTools)('type %i refuses to be forced to call a tool', async (type) => {
    const body = { ...hello, tools: parameters.tools, tool_choice: 'required' };
    const made = await adapterOf(type).request(contextFor(type, body));
    expect(made).toMatchObject({ status: 400, type: 'invalid_request_error' });
  });

  test.each([15, 16, 18, 21])('type %i refuses pictures, which it cannot see', async (type) => {
    const content = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }];
    const body = { ...hello, messages: [{ role: 'user', content }] };
    const made = await adapterOf(type).request(contextFor(type, body));
    expect(made).toMatchObject({ status: 400, type: 'invalid_request_error' });
  });
});

describe('channels that lack something', () => {
  test.each([
    [15, { key: 'one-part' }],
    [15, { key: 'a|b|c' }],
    [16, { key: 'nodot' }],
    [18, { key: 'a|b' }],
    [21, { other: '' }],
    [23, { key: 'a|b' }],
    [46, { key: 'a|b|c' }],
    [47, { base_url: '' }],
    [47, { base_url: 'ftp://x' }],
    [8, { base_url: '' }],
    [49, { other: '' }],
  ])('type %i with %o is refused before anything is sent', async (type, changes) => {
    const context = contextFor(type, hello, changes);
    const made = await adapterOf(type).request(context);
    expect(made).toMatchObject({ status: 500, code: 'channel_configuration_error' });
  });

  test.each([
    [
      'https://proxy.example.com/qianfan/',
      46,
      'https://proxy.example.com/qianfan/v2/chat/completions',
    ],
    ['http://[::1]:8080', 25, 'http://[::1]:8080/v1/chat/completions'],
    [
      'https://open.bigmodel.cn/api/coding/paas/v4',
      26,
      'https://open.bigmodel.cn/api/coding/paas/v4/chat/completions',
    ],
    [
      'https://gateway.ai.cloudflare.com/v1/acc/gw/openai',
      1,
      'https://gateway.ai.cloudflare.com/v1/acc/gw/openai/chat/completions',
    ],
  ])('base URL %s of type %i is kept', async (base_url, type, url) => {
    const made = await adapterOf(type).request(contextFor(type, hello, { base_url }));
    expect(made).toMatchObject({ url });
  });
});

describe("usage in streams of OpenAI's shape", () => {
  const openAiShaped = chatTypes.filter(
    (type) => !noKnownShape.includes(type) && type !== 15 && type !== 23,
  );
  const chunk = (members: object): string =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'm', ...members })}\n\n`;
  const usage = {
    prompt_tokens: 10,
    completion_tokens: 4,
    total_tokens: 14,
    prompt_tokens_details: { cached_tokens: 6 },
  };

  test.each(openAiShaped)(
    'type %i: the last of several reports counts, shown when requested',
    (type) => {
      const options = { stream: true, stream_options: { include_usage: true } };
      const stream = adapterOf(type).stream(contextFor(type, { ...hello, ...options }));
      const text = [
        chunk({
          choices: [{ index: 0, delta: { content: 'Hi' } }],
          usage: { ...usage, completion_tokens: 1 },
        }),
        chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage }),
        'data: [DONE]\n\n',
      ].join('');
      const chunks = stream.push(Buffer.from(text));
      const last = stream.end();
      expect(chunks).toHaveLength(2);
      expect(last).toMatchObject([{ choices: [], usage }]);
      expect(stream.usage()).toMatchObject({
        promptTokens: 10,
        completionTokens: 4,
        cachedTokens: 6,
      });
    },
  );

  test.each(openAiShaped)('type %i: a caller who did not request it gets no usage', (type) => {
    const stream = adapterOf(type).stream(contextFor(type, { ...hello, stream: true }));
    const finish = chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage });
    const chunks = [stream.push(Buffer.from(finish)), stream.end()];
    expect(JSON.stringify(chunks)).not.toContain('prompt_tokens');
    expect(stream.usage()).toMatchObject({ promptTokens: 10 });
  });
});
