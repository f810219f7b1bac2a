import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Fraction, f, plus, times } from './fractions.ts';
import { aWave } from './sounds.ts';

type Answer = (req: IncomingMessage, res: ServerResponse) => void;
type SaidEvent = Readonly<Record<string, unknown>> & Readonly<{ type?: string }>;

/** One kind of call through a relay, and its price. */
export type BillingCall = Readonly<{
  kind: string;
  model: string;
  path: string;
  body: object | FormData;
  answer: Answer;
  /** Quota units before the group's ratio and the rounding. */
  due: Fraction;
}>;

const json =
  (value: object): Answer =>
  (_req, res) =>
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));

const events =
  (...list: readonly SaidEvent[]): Answer =>
  (_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of list) {
      const name = event.type === undefined ? '' : `event: ${event.type}\n`;
      res.write(`${name}data: ${JSON.stringify(event)}\n\n`);
    }
    res.end(list.some(({ type }) => type !== undefined) ? '' : 'data: [DONE]\n\n');
  };

const file =
  (type: string): Answer =>
  (_req, res) =>
    res.writeHead(200, { 'content-type': type }).end(Buffer.alloc(5_000, 1));

const messages = [{ role: 'user', content: 'Hello' }];
const choices = [
  { index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' },
];
const deltas = [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }];

type Spoken = Readonly<{ model: string; usage: object; due: Fraction; more?: object }>;

/** The same chat whole and as a stream. */
const chats = (kind: string, { model, usage, due, more }: Spoken): readonly BillingCall[] => {
  const path = '/v1/chat/completions';
  const body = { model, messages, ...more };
  return [
    { kind, model, path, due, body, answer: json({ choices, usage }) },
    {
      kind: `${kind}, streamed`,
      model,
      path,
      due,
      body: { ...body, stream: true },
      answer: events({ choices: deltas }, { choices: [], usage }),
    },
  ];
};

const claudeModel = 'claude-3-5-sonnet-20241022';
const claudeUsage = {
  input_tokens: 100,
  cache_read_input_tokens: 1000,
  cache_creation_input_tokens: 400,
  output_tokens: 200,
  server_tool_use: { web_search_requests: 2 },
};
const claudeBody = {
  model: claudeModel,
  max_tokens: 500,
  messages,
  tools: [{ type: 'web_search_20250305', name: 'web_search' }],
};
const claudeDue = plus(
  times(plus(f('100'), times(1000, f('0.1')), times(400, f('1.25')), f('1000')), f('1.5')),
  times(f('0.01'), 2, 500_000),
);
const message = { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Hi' }] };

const claudeCalls: readonly BillingCall[] = [
  {
    kind: 'Messages with cache and searches',
    model: claudeModel,
    path: '/v1/messages',
    body: claudeBody,
    answer: json({ ...message, usage: claudeUsage }),
    due: claudeDue,
  },
  {
    kind: 'Messages with cache and searches, streamed',
    model: claudeModel,
    path: '/v1/messages',
    body: { ...claudeBody, stream: true },
    answer: events(
      { type: 'message_start', message: { usage: { ...claudeUsage, output_tokens: 1 } } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 200 } },
      { type: 'message_stop' },
    ),
    due: claudeDue,
  },
];

const found = [
  { type: 'web_search_call', id: 'ws_1' },
  { type: 'web_search_call', id: 'ws_2' },
  { type: 'file_search_call', id: 'fs_1' },
];
const usedByResponse = { input_tokens: 100, output_tokens: 10, total_tokens: 110 };
const response = { object: 'response', status: 'completed', output: found, usage: usedByResponse };
const responseBody = {
  model: 'gpt-4o',
  input: 'Where is it?',
  tools: [{ type: 'web_search_preview', search_context_size: 'high' }, { type: 'file_search' }],
};
const responseDue = plus(times(140, f('1.25')), times(f('0.1025'), 500_000));

const responseCalls: readonly BillingCall[] = [
  {
    kind: 'Responses with searches',
    model: 'gpt-4o',
    path: '/v1/responses',
    body: responseBody,
    answer: json(response),
    due: responseDue,
  },
  {
    kind: 'Responses with searches, streamed',
    model: 'gpt-4o',
    path: '/v1/responses',
    body: { ...responseBody, stream: true },
    answer: events(...found.map((item) => ({ type: 'response.output_item.done', item })), {
      type: 'response.completed',
      response,
    }),
    due: responseDue,
  },
];

const pictured = {
  input_tokens: 300,
  input_tokens_details: { text_tokens: 100, image_tokens: 200 },
  output_tokens: 1056,
};
const draw = (model: string, more: object): object => ({ model, prompt: 'a gate', ...more });
const drawn = { created: 1, data: [{ b64_json: 'cGljdHVyZQ==' }] };
const drawing = '/v1/images/generations';

const pictureCalls: readonly BillingCall[] = [
  {
    kind: 'pictures by the piece',
    model: 'dall-e-3',
    path: drawing,
    body: draw('dall-e-3', { n: 3, size: '1792x1024', quality: 'hd' }),
    answer: json(drawn),
    due: times(f('0.04'), 2, f('1.5'), 3, 500_000),
  },
  {
    kind: 'pictures by ratio',
    model: 'drawing-by-ratio',
    path: drawing,
    body: draw('drawing-by-ratio', { n: 2 }),
    answer: json(drawn),
    due: times(f('0.0025'), 8, 2, 500_000),
  },
  {
    kind: 'pictures by the token',
    model: 'gpt-image-1',
    path: drawing,
    body: draw('gpt-image-1', {}),
    answer: json({ ...drawn, usage: pictured }),
    due: times(100 + 200 * 2 + 1056 * 8, f('2.5')),
  },
  {
    kind: 'pictures by the token, streamed',
    model: 'gpt-image-1',
    path: drawing,
    body: draw('gpt-image-1', { stream: true }),
    answer: events({ type: 'image_generation.completed', ...drawn.data[0], usage: pictured }),
    due: times(100 + 200 * 2 + 1056 * 8, f('2.5')),
  },
];

const sound = (model: string): FormData => {
  const form = new FormData();
  form.append('model', model);
  form.append('file', new Blob([new Uint8Array(aWave(61.2))]), 'silence.wav');
  return form;
};

const soundCalls: readonly BillingCall[] = [
  {
    kind: 'speech',
    model: 'tts-1',
    path: '/v1/audio/speech',
    body: { model: 'tts-1', input: 'x'.repeat(999), voice: 'alloy' },
    answer: file('audio/mpeg'),
    due: times(999, f('7.5')),
  },
  {
    kind: 'a transcript',
    model: 'whisper-1',
    path: '/v1/audio/transcriptions',
    body: sound('whisper-1'),
    answer: json({ text: 'nothing' }),
    due: times(1033, 15),
  },
  {
    kind: 'a translation',
    model: 'whisper-1',
    path: '/v1/audio/translations',
    body: sound('whisper-1'),
    answer: json({ text: 'nothing', usage: { type: 'duration', seconds: 62 } }),
    due: times(1033, 15),
  },
];

const inputCalls: readonly BillingCall[] = [
  {
    kind: 'embeddings',
    model: 'text-embedding-3-small',
    path: '/v1/embeddings',
    body: { model: 'text-embedding-3-small', input: ['a', 'b'] },
    answer: json({ data: [], usage: { prompt_tokens: 8191, total_tokens: 8191 } }),
    due: times(8191, f('0.01')),
  },
  {
    kind: 'a ranking',
    model: 'jina-reranker-v2',
    path: '/v1/rerank',
    body: { model: 'jina-reranker-v2', query: 'q', documents: ['a'] },
    answer: json({ results: [], usage: { total_tokens: 950 } }),
    due: times(950, f('0.01')),
  },
];

const plainUsage = { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 };

/** Of every kind that a relay bills, whole and streamed where the API streams. */
export const billingCalls: readonly BillingCall[] = [
  ...chats('text', { model: 'gpt-4o-mini', usage: plainUsage, due: times(3000, f('0.075')) }),
  ...chats('text with cached reads', {
    model: 'gpt-4o',
    usage: { ...plainUsage, prompt_tokens_details: { cached_tokens: 200 } },
    due: times(plus(f('2800'), times(200, f('0.5'))), f('1.25')),
  }),
  ...chats('a price per call', {
    model: 'per-call',
    usage: plainUsage,
    due: times(f('0.0123'), 500_000),
  }),
  ...chats('a search model', {
    model: 'gpt-4o-search-preview',
    usage: plainUsage,
    more: { web_search_options: { search_context_size: 'low' } },
    due: plus(times(3000, f('1.25')), times(f('0.03'), 500_000)),
  }),
  ...chats('sound heard and made', {
    model: 'gpt-4o-audio-preview',
    usage: {
      prompt_tokens: 150,
      prompt_tokens_details: { audio_tokens: 50 },
      completion_tokens: 50,
      completion_tokens_details: { audio_tokens: 20 },
    },
    due: times(100 + 30 * 4 + 50 * 40 + 20 * 40 * 2, f('1.25')),
  }),
  ...claudeCalls,
  ...responseCalls,
  ...pictureCalls,
  ...soundCalls,
  ...inputCalls,
];
