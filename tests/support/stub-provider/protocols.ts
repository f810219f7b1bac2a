import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerMedia, isMediaPath } from './media.ts';

/** The protocol of a request to the stub. */
export type StubProtocol = 'openai' | 'claude' | 'gemini';

export type ProtocolStub = Readonly<{ url: string; close: () => Promise<void> }>;

type Scene = Readonly<{ isStream: boolean; wantsTool: boolean; fails: boolean }>;

export const helloFrom = (protocol: StubProtocol): string => `Hello from ${protocol}`;
export const toolName = 'look_up';
export const toolInput = { city: 'Paris' };

const sendJson = (res: ServerResponse, value: object, status = 200): void => {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
};

const sendEvents = (res: ServerResponse, events: readonly string[]): void => {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) res.write(event);
  res.end();
};

const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

const openAiChoice = ({ wantsTool, isStream }: Scene): object => {
  const call = {
    ...(isStream ? { index: 0 } : {}),
    id: 'call_1',
    type: 'function',
    function: { name: toolName, arguments: JSON.stringify(toolInput) },
  };
  return wantsTool
    ? { role: 'assistant', content: null, tool_calls: [call] }
    : { role: 'assistant', content: helloFrom('openai') };
};

const openAi = (res: ServerResponse, scene: Scene): void => {
  if (scene.fails) {
    const error = { message: 'no such thing', type: 'invalid_request_error', code: 'bad' };
    sendJson(res, { error }, 400);
    return;
  }
  const head = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'm' };
  const usage = { prompt_tokens: 12, completion_tokens: 4, total_tokens: 16 };
  const finish = scene.wantsTool ? 'tool_calls' : 'stop';
  const choice = openAiChoice(scene);
  if (!scene.isStream) {
    const choices = [{ index: 0, message: choice, finish_reason: finish }];
    sendJson(res, { ...head, object: 'chat.completion', choices, usage });
    return;
  }
  const chunk = (choices: readonly object[], more: object = {}): string =>
    data({ ...head, object: 'chat.completion.chunk', choices, ...more });
  sendEvents(res, [
    chunk([{ index: 0, delta: choice, finish_reason: null }]),
    chunk([{ index: 0, delta: {}, finish_reason: finish }]),
    chunk([], { usage }),
    'data: [DONE]\n\n',
  ]);
};

const claude = (res: ServerResponse, { fails, isStream, wantsTool }: Scene): void => {
  if (fails) {
    const error = { type: 'invalid_request_error', message: 'no such thing' };
    sendJson(res, { type: 'error', error }, 400);
    return;
  }
  const usage = { input_tokens: 12, output_tokens: 4 };
  const stop = { stop_reason: wantsTool ? 'tool_use' : 'end_turn', stop_sequence: null };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] };
  const tool = { type: 'tool_use', id: 'toolu_1', name: toolName, input: {} };
  const text = { type: 'text', text: '' };
  if (!isStream) {
    const block = wantsTool
      ? { ...tool, input: toolInput }
      : { ...text, text: helloFrom('claude') };
    sendJson(res, { ...message, content: [block], ...stop, usage });
    return;
  }
  const event = (value: { type: string } & Record<string, unknown>): string =>
    `event: ${value.type}\n${data(value)}`;
  const delta = wantsTool
    ? { type: 'input_json_delta', partial_json: JSON.stringify(toolInput) }
    : { type: 'text_delta', text: helloFrom('claude') };
  sendEvents(res, [
    event({
      type: 'message_start',
      message: { ...message, stop_reason: null, stop_sequence: null, usage },
    }),
    event({ type: 'content_block_start', index: 0, content_block: wantsTool ? tool : text }),
    event({ type: 'content_block_delta', index: 0, delta }),
    event({ type: 'content_block_stop', index: 0 }),
    event({ type: 'message_delta', delta: stop, usage: { output_tokens: 4 } }),
    event({ type: 'message_stop' }),
  ]);
};

const gemini = (res: ServerResponse, { fails, isStream, wantsTool }: Scene): void => {
  if (fails) {
    const error = { code: 400, message: 'no such thing', status: 'INVALID_ARGUMENT' };
    sendJson(res, { error }, 400);
    return;
  }
  const part = wantsTool
    ? { functionCall: { name: toolName, args: toolInput } }
    : { text: helloFrom('gemini') };
  const answer = {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 4, totalTokenCount: 16 },
    modelVersion: 'm',
  };
  if (isStream) sendEvents(res, [data(answer)]);
  else sendJson(res, answer);
};

const protocolOf = (url: string) => {
  if (url.startsWith('/v1/messages')) return claude;
  return url.includes('enerateContent') ? gemini : openAi;
};

const answerText = (req: IncomingMessage, body: Buffer, res: ServerResponse): void => {
  const text = body.toString('utf8');
  const { url = '' } = req;
  if (isMediaPath(url)) {
    void answerMedia({ url, type: req.headers['content-type'] ?? '', body }, res);
    return;
  }
  const isStream = url.includes(':stream') || /"stream":\s*true/.test(text);
  const scene = { isStream, wantsTool: text.includes(toolName), fails: text.includes('FAIL') };
  protocolOf(url)(res, scene);
};

/** A provider of three protocols that answers 12 tokens with 4, whatever the request. */
export const startProtocolStub = async (): Promise<ProtocolStub> => {
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => answerText(req, Buffer.concat(chunks), res));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};
