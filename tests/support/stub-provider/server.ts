import { type EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { answerFor, chatBody, piecesOf, promptWords, type StubBody } from './answers.ts';
import { serveRealtime } from './realtime.ts';
import { responseAnswer } from './responses.ts';
import { createStubTasks, type StubTask } from './tasks.ts';

type StubRequest = Readonly<{
  method: string;
  path: string;
  authorization: string;
  body: string;
}>;

export type StubProvider = Readonly<{
  /** Base address for a channel, without a trailing slash. */
  url: string;
  /** What arrived, oldest first; kept only when `record` is on. */
  requests: StubRequest[];
  /** Calls answered or begun, by path. */
  counts: Map<string, number>;
  /** Drawings and songs that were taken, oldest first. */
  tasks: readonly StubTask[];
  taskEvents: EventEmitter;
  close: () => Promise<void>;
}>;

export const stubModels = [
  'gpt-4o-mini',
  'gpt-4o',
  'gpt-3.5-turbo',
  'gpt-3.5-turbo-instruct',
  'text-embedding-3-small',
];

const json = (res: ServerResponse, status: number, body: unknown): void => {
  const text = JSON.stringify(body);
  res.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  res.end(text);
};

const readBody = async (req: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
};

let nextId = 1;

const plainAnswer = (body: StubBody, isChat: boolean): unknown => {
  const { text, usage } = answerFor(body);
  const choice = isChat
    ? { index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }
    : { index: 0, text, finish_reason: 'stop' };
  return {
    id: `chatcmpl-stub-${nextId++}`,
    object: isChat ? 'chat.completion' : 'text_completion',
    created: 1_700_000_000,
    model: body.model,
    choices: [choice],
    ...(usage === null ? {} : { usage }),
  };
};

const streamAnswer = async (
  res: ServerResponse,
  body: StubBody,
  isChat: boolean,
): Promise<void> => {
  const { text, usage } = answerFor(body);
  const wishes = body.stub ?? {};
  const base = {
    id: `chatcmpl-stub-${nextId++}`,
    object: isChat ? 'chat.completion.chunk' : 'text_completion',
    created: 1_700_000_000,
    model: body.model,
  };
  const send = (data: unknown) => res.write(`data: ${JSON.stringify(data)}\n\n`);
  const choice = (content: string, reason: string | null) =>
    isChat
      ? { index: 0, delta: reason === null ? { content } : {}, finish_reason: reason }
      : { index: 0, text: content, finish_reason: reason };
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  let sent = 0;
  for (const piece of piecesOf(text, wishes.chunks ?? 8)) {
    if (res.destroyed) return;
    if (wishes.resetAfter === sent) {
      res.socket?.resetAndDestroy();
      return;
    }
    send({ ...base, choices: [choice(piece, null)] });
    sent += 1;
    if (wishes.chunkDelayMs !== undefined) await pause(wishes.chunkDelayMs);
  }
  send({ ...base, choices: [choice('', 'stop')] });
  if (usage !== null && body.stream_options?.include_usage === true) {
    send({ ...base, choices: [], usage });
  }
  res.end('data: [DONE]\n\n');
};

const embedding = (body: StubBody): unknown => {
  const inputs = Array.isArray(body.input) ? body.input : [body.input];
  const tokens = promptWords(body);
  return {
    object: 'list',
    model: body.model,
    data: inputs.map((_, index) => ({ object: 'embedding', index, embedding: [0.1, 0.2, 0.3] })),
    ...(body.stub?.usage === null
      ? {}
      : { usage: body.stub?.usage ?? { prompt_tokens: tokens, total_tokens: tokens } }),
  };
};

const answerCall = async (res: ServerResponse, path: string, body: StubBody): Promise<void> => {
  const wishes = body.stub ?? {};
  if (wishes.delayMs !== undefined) await pause(wishes.delayMs);
  if (wishes.status !== undefined) {
    const code = wishes.errorCode ?? 'stub_error';
    const message = wishes.message ?? 'The stub was asked to fail.';
    json(res, wishes.status, { error: { message, type: 'stub_error', param: null, code } });
    return;
  }
  if (path.endsWith('/embeddings')) return json(res, 200, embedding(body));
  if (path.endsWith('/responses')) return json(res, 200, responseAnswer(body));
  const isChat = path.endsWith('/chat/completions');
  if (body.stream === true) return streamAnswer(res, body, isChat);
  return json(res, 200, plainAnswer(body, isChat));
};

const answerText = async (res: ServerResponse, path: string, text: string): Promise<void> => {
  if (path.endsWith('/models')) {
    const data = stubModels.map((id) => ({ id, object: 'model', owned_by: 'stub' }));
    return json(res, 200, { object: 'list', data });
  }
  const body = chatBody.safeParse(JSON.parse(text === '' ? '{}' : text));
  if (!body.success) {
    return json(res, 400, {
      error: { message: body.error.message, type: 'invalid_request_error', code: null },
    });
  }
  return answerCall(res, path, body.data);
};

/** An OpenAI-shaped provider for development and tests: no key is wrong, every model exists. */
export const startStubProvider = async (
  options: Readonly<{ port?: number; host?: string; record?: boolean }> = {},
): Promise<StubProvider> => {
  const { host: address = '127.0.0.1' } = options;
  const requests: StubRequest[] = [];
  const counts = new Map<string, number>();
  const tasks = createStubTasks();
  const serve = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const path = (req.url ?? '/').split('?')[0] ?? '/';
    counts.set(path, (counts.get(path) ?? 0) + 1);
    const text = await readBody(req);
    if (options.record === true) {
      const { authorization = '' } = req.headers;
      requests.push({ method: req.method ?? '', path, authorization, body: text });
    }
    const { 'mj-api-secret': own, authorization: usual, host } = req.headers;
    const secret = String(own ?? usual ?? '');
    if (await tasks.serve(res, { path, body: text, secret, origin: `http://${host}` })) return;
    return answerText(res, path, text);
  };
  const server: Server = createServer((req, res) => {
    serve(req, res).catch(() => {
      if (!res.headersSent) json(res, 400, { error: { message: 'bad request', code: null } });
      else res.destroy();
    });
  });
  const endSessions = serveRealtime(server);
  server.keepAliveTimeout = 60_000;
  server.listen(options.port ?? 0, address);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${address}:${port}`,
    requests,
    counts,
    tasks: tasks.taken,
    taskEvents: tasks.events,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        endSessions();
        server.closeAllConnections();
      }),
  };
};
