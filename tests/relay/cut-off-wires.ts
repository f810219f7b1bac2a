import { expect } from 'vitest';
import type { Reply } from '../support/relay/relay-harness.ts';

/** How the provider of a test reports its output. */
type Dialect = Readonly<{ opening: string; event: (text: string, index: number) => string }>;

/** A caller's protocol on a channel. */
export type WireCase = Readonly<{
  name: string;
  channelType: number;
  dialect: Dialect;
  path: string;
  keyHeader: string;
  body: object;
  /** Reads the answer; what a test expects of its end. */
  ending: (reply: Reply) => unknown;
  expected: unknown;
}>;

export const model = 'house-model';
const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const named = (event: Readonly<Record<string, unknown> & { type: string }>): string =>
  `event: ${event.type}\n${data(event)}`;

const chat: Dialect = {
  opening: data({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model,
    choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }],
  }),
  event: (content, index) =>
    data({
      id: `chatcmpl-${index}`,
      object: 'chat.completion.chunk',
      created: 1,
      model,
      choices: [{ index: 0, delta: { content }, finish_reason: null }],
    }),
};
const completions: Dialect = {
  opening: '',
  event: (text) =>
    data({
      id: 'cmpl-1',
      object: 'text_completion',
      created: 1,
      model,
      choices: [{ index: 0, text }],
    }),
};
const messages: Dialect = {
  opening:
    named({
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model,
        content: [],
        stop_reason: null,
        usage: { input_tokens: 9, output_tokens: 1 },
      },
    }) +
    named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  event: (text) =>
    named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
};
const contents: Dialect = {
  opening: '',
  event: (text) =>
    data({
      candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0 }],
      modelVersion: model,
      responseId: 'resp-1',
    }),
};
const responses: Dialect = {
  opening:
    named({
      type: 'response.created',
      response: { id: 'resp_1', object: 'response', status: 'in_progress', model, output: [] },
    }) +
    named({
      type: 'response.output_item.added',
      output_index: 0,
      item: { id: 'msg_1', type: 'message', role: 'assistant', content: [] },
    }) +
    named({
      type: 'response.content_part.added',
      item_id: 'msg_1',
      output_index: 0,
      content_index: 0,
      part: { type: 'output_text', text: '', annotations: [] },
    }),
  event: (delta, index) =>
    named({
      type: 'response.output_text.delta',
      sequence_number: index,
      item_id: 'msg_1',
      output_index: 0,
      content_index: 0,
      delta,
    }),
};

const events = ({ text }: Reply): ReturnType<typeof JSON.parse>[] =>
  text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)));
const notice = { code: 'insufficient_quota' };

const hello = [{ role: 'user', content: 'Hello' }];
const openAi = {
  path: '/v1/chat/completions',
  keyHeader: 'authorization',
  body: { model, messages: hello, stream: true },
  ending: (reply: Reply) => [events(reply).at(-1), reply.text.trimEnd().slice(-12)],
  expected: [{ choices: [{ finish_reason: 'length' }], notice }, 'data: [DONE]'],
};
const claude = {
  path: '/v1/messages',
  keyHeader: 'x-api-key',
  body: { model, messages: hello, stream: true },
  ending: (reply: Reply) => events(reply).slice(-3),
  expected: [
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, notice },
    { type: 'message_stop' },
  ],
};
const gemini = {
  path: `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
  keyHeader: 'x-goog-api-key',
  body: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
  ending: (reply: Reply) => events(reply).at(-1),
  expected: { candidates: [{ finishReason: 'MAX_TOKENS' }], notice },
};
const geminiList = {
  ...gemini,
  path: `/v1beta/models/${model}:streamGenerateContent`,
  ending: ({ text }: Reply) => JSON.parse(text).at(-1),
};

const response = {
  path: '/v1/responses',
  keyHeader: 'authorization',
  body: { model, input: 'Hello', stream: true },
  ending: (reply: Reply) => events(reply).at(-1),
  expected: {
    type: 'response.incomplete',
    response: {
      id: expect.stringMatching(/^resp_/),
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    },
    notice,
  },
};
const cohere = {
  path: '/v2/chat',
  keyHeader: 'authorization',
  body: { model, messages: hello, stream: true },
  ending: (reply: Reply) => events(reply).slice(-2),
  expected: [
    { type: 'content-end', index: 0 },
    { type: 'message-end', delta: { finish_reason: 'MAX_TOKENS' }, notice },
  ],
};
const ollama = {
  path: '/api/chat',
  keyHeader: 'authorization',
  body: { model, messages: hello },
  ending: ({ text }: Reply) => JSON.parse(text.trim().split('\n').at(-1) ?? ''),
  expected: { done: true, done_reason: 'length', notice },
};

export const wireCases: readonly WireCase[] = [
  { name: 'a chat, passed through', channelType: 1, dialect: chat, ...openAi },
  {
    ...openAi,
    name: 'a completion, passed through',
    channelType: 1,
    dialect: completions,
    path: '/v1/completions',
    body: { model, prompt: 'Hello', stream: true },
  },
  { name: 'a message, passed through', channelType: 14, dialect: messages, ...claude },
  { name: 'contents, passed through', channelType: 24, dialect: contents, ...gemini },
  { name: 'a list of contents, passed through', channelType: 24, dialect: contents, ...geminiList },
  { name: 'a response, passed through', channelType: 1, dialect: responses, ...response },
  { name: 'a chat out of messages', channelType: 14, dialect: messages, ...openAi },
  { name: 'a chat out of contents', channelType: 24, dialect: contents, ...openAi },
  { name: 'a message out of a chat', channelType: 1, dialect: chat, ...claude },
  { name: 'contents out of a chat', channelType: 1, dialect: chat, ...gemini },
  { name: 'an event stream of Cohere out of a chat', channelType: 1, dialect: chat, ...cohere },
  { name: 'lines of Ollama out of a chat', channelType: 1, dialect: chat, ...ollama },
  { name: 'a response out of messages', channelType: 14, dialect: messages, ...response },
  { name: 'a response out of contents', channelType: 24, dialect: contents, ...response },
  { name: 'a response out of a chat', channelType: 43, dialect: chat, ...response },
];
