/* A provider that costs as little as possible: fixed answers, chosen by the request. Own process. */
import { createServer } from 'node:http';

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

const server = createServer((req, res) => {
  let isStream = false;
  req.on('data', (part: Buffer) => {
    if (part.includes('"stream":true')) isStream = true;
  });
  req.on('end', () => {
    if (!isStream) {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': plain.length });
      res.end(plain);
      return;
    }
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    let i = 0;
    const next = (): void => {
      const part = streamChunks[i++];
      if (part === undefined) {
        res.end();
        return;
      }
      res.write(part);
      setImmediate(next);
    };
    next();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 });
});
process.on('disconnect', () => process.exit(0));
