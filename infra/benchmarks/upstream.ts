/*
 * A provider that costs as little as possible: fixed answers, chosen by the request, from a
 * separate process.
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';

const usage = { prompt_tokens: 200, completion_tokens: 150, total_tokens: 350 };
const plain = Buffer.from(
  JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'gpt-4o-mini',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'lorem ipsum '.repeat(60) },
        finish_reason: 'stop',
      },
    ],
    usage,
  }),
);
const event = (data: unknown): Buffer => Buffer.from(`data: ${JSON.stringify(data)}\n\n`);
const chunk = (choices: unknown[], extra: object = {}) =>
  event({
    id: 'chatcmpl-bench',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'gpt-4o-mini',
    choices,
    ...extra,
  });
const streamChunks = [
  ...Array.from({ length: 33 }, (_, i) =>
    chunk([{ index: 0, delta: { content: `token number ${i} ` }, finish_reason: null }]),
  ),
  chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]),
  chunk([], { usage }),
  Buffer.from('data: [DONE]\n\n'),
];
const named = (data: { type: string } & Record<string, unknown>): Buffer =>
  Buffer.from(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
/** The same as Anthropic sends it: 31 pieces of text and the events around them, 36 in all. */
const claudeChunks = [
  named({
    type: 'message_start',
    message: {
      id: 'msg_bench',
      type: 'message',
      role: 'assistant',
      model: 'claude-3-5-haiku-20241022',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 200, output_tokens: 1 },
    },
  }),
  named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  ...Array.from({ length: 31 }, (_, i) =>
    named({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: `token number ${i} ` },
    }),
  ),
  named({ type: 'content_block_stop', index: 0 }),
  named({
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 150 },
  }),
  named({ type: 'message_stop' }),
];

const sendPlain = (res: ServerResponse): void => {
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': plain.length });
  res.end(plain);
};

const sendStream = (res: ServerResponse, chunks: readonly Buffer[]): void => {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  let i = 0;
  const next = (): void => {
    const part = chunks[i++];
    if (part === undefined) {
      res.end();
      return;
    }
    res.write(part);
    setImmediate(next);
  };
  next();
};

const serve = (req: IncomingMessage, res: ServerResponse): void => {
  let isStream = false;
  let isClaude = false;
  req.on('data', (part: Buffer) => {
    isStream ||= part.includes('"stream":true');
    isClaude ||= part.includes('"model":"claude-');
  });
  req.on('end', () => {
    if (isStream) sendStream(res, isClaude ? claudeChunks : streamChunks);
    else sendPlain(res);
  });
};

const { BENCH_TLS_KEY = '', BENCH_TLS_CERT = '' } = process.env;
const server =
  BENCH_TLS_KEY === ''
    ? createServer(serve)
    : createTlsServer(
        { key: readFileSync(BENCH_TLS_KEY), cert: readFileSync(BENCH_TLS_CERT) },
        serve,
      );
server.keepAliveTimeout = 60_000;
server.listen({ host: '127.0.0.1', port: 0, backlog: 4_096 }, () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 });
});
process.on('disconnect', () => process.exit(0));
