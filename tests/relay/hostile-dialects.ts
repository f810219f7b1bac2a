import { createServer, type Socket } from 'node:net';
import {
  chatBody,
  type Harness,
  listen,
  type Reply,
  rawKey,
} from '../support/relay/relay-harness.ts';

type Count = unknown;
/** The usage that a provider reports; null: none. */
export type ReportedTokens = readonly [prompt: Count, completion: Count] | null;

/** A provider's protocol as a hostile upstream would use it. */
export type Dialect = Readonly<{
  channelType: number;
  whole: (text: string, tokens: ReportedTokens) => string;
  /** One event of text. */
  piece: (text: string) => string;
  /** What precedes the text, and what ends the stream. */
  begin: string;
  end: (tokens: ReportedTokens) => string;
  error: string;
}>;

const named = (data: { type: string } & Record<string, unknown>): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const plain = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

const openAiUsage = (tokens: ReportedTokens): object =>
  tokens === null ? {} : { usage: { prompt_tokens: tokens[0], completion_tokens: tokens[1] } };
const openAi: Dialect = {
  channelType: 1,
  whole: (content, tokens) =>
    JSON.stringify({
      id: 'c1',
      object: 'chat.completion',
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      ...openAiUsage(tokens),
    }),
  piece: (content) => plain({ id: 'c1', choices: [{ index: 0, delta: { content } }] }),
  begin: '',
  end: (tokens) =>
    plain({ id: 'c1', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
    (tokens === null ? '' : plain({ id: 'c1', choices: [], ...openAiUsage(tokens) })) +
    'data: [DONE]\n\n',
  error: JSON.stringify({ error: { message: 'no such luck', type: 'server_error' } }),
};

const claudeUsage = (tokens: ReportedTokens): object =>
  tokens === null ? {} : { usage: { input_tokens: tokens[0], output_tokens: tokens[1] } };
const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm' };
const claude: Dialect = {
  channelType: 14,
  whole: (text, tokens) =>
    JSON.stringify({
      ...message,
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      ...claudeUsage(tokens),
    }),
  piece: (text) =>
    named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
  begin:
    named({ type: 'message_start', message: { ...message, content: [] } }) +
    named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  end: (tokens) =>
    named({ type: 'content_block_stop', index: 0 }) +
    named({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, ...claudeUsage(tokens) }) +
    named({ type: 'message_stop' }),
  error: JSON.stringify({ type: 'error', error: { type: 'api_error', message: 'no such luck' } }),
};

const candidate = (text: string, more: object): object => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...more }],
});
const geminiUsage = (tokens: ReportedTokens): object =>
  tokens === null
    ? {}
    : { usageMetadata: { promptTokenCount: tokens[0], candidatesTokenCount: tokens[1] } };
const gemini: Dialect = {
  channelType: 24,
  whole: (text, tokens) =>
    JSON.stringify({ ...candidate(text, { finishReason: 'STOP' }), ...geminiUsage(tokens) }),
  piece: (text) => plain(candidate(text, {})),
  begin: '',
  end: (tokens) => plain({ ...candidate('', { finishReason: 'STOP' }), ...geminiUsage(tokens) }),
  error: JSON.stringify({ error: { code: 500, message: 'no such luck', status: 'INTERNAL' } }),
};

export type Caller = 'openai' | 'claude' | 'gemini' | 'cohere' | 'ollama';

/** Protocols of caller and provider: bytes are passed through where they are equal. */
export const dialects: readonly (readonly [name: string, Caller, Dialect])[] = [
  ['OpenAI to OpenAI', 'openai', openAi],
  ['Claude to Claude', 'claude', claude],
  ['Gemini to Gemini', 'gemini', gemini],
  ['OpenAI to Claude', 'openai', claude],
  ['OpenAI to Gemini', 'openai', gemini],
  ['Claude to OpenAI', 'claude', openAi],
  ['Gemini to Claude', 'gemini', claude],
  ['Cohere to Claude', 'cohere', claude],
  ['Ollama to OpenAI', 'ollama', openAi],
];

export const ask = (
  relay: Harness,
  caller: Caller,
  { isStream, limit }: Readonly<{ isStream: boolean; limit: number }>,
): Promise<Reply> => {
  const stream = isStream ? { stream: true } : {};
  if (caller === 'openai') {
    return relay.send('/v1/chat/completions', chatBody({ max_tokens: limit, ...stream }));
  }
  if (caller === 'claude') {
    return relay.send('/v1/messages', chatBody({ max_tokens: limit, ...stream }));
  }
  if (caller === 'cohere') {
    return relay.send('/v2/chat', chatBody({ max_tokens: limit, ...stream }));
  }
  if (caller === 'ollama') {
    const options = { num_predict: limit };
    return relay.send('/api/chat', chatBody({ stream: isStream, options }));
  }
  const action = isStream ? 'streamGenerateContent?alt=sse' : 'generateContent';
  return relay.send(
    `/v1beta/models/gpt-4o-mini:${action}`,
    JSON.stringify({
      contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
      generationConfig: { maxOutputTokens: limit },
    }),
    { authorization: '', 'x-goog-api-key': `sk-${rawKey}` },
  );
};

export type Script = (socket: Socket) => void;

export type HostileUpstream = Readonly<{
  url: string;
  /** What happens when a request was received in whole. */
  play: (script: Script) => void;
  /** Connections that are still open. */
  open: () => number;
  close: () => void;
}>;

const isWhole = (request: string): boolean => {
  const head = request.indexOf('\r\n\r\n');
  const length = /content-length: (\d+)/i.exec(request)?.[1];
  return head !== -1 && request.length >= head + 4 + Number(length ?? 0);
};

/** A provider below HTTP: it may send any bytes. */
export const startHostile = async (): Promise<HostileUpstream> => {
  let script: Script = (socket) => socket.destroy();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let request = '';
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (bytes) => {
      request += bytes.toString('latin1');
      if (!isWhole(request)) return;
      request = '';
      script(socket);
    });
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    play: (next) => {
      script = next;
    },
    open: () => sockets.size,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};

const typeOf = (isStream: boolean): string => (isStream ? 'text/event-stream' : 'application/json');

export const head = (isStream: boolean, more = ''): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: ${typeOf(isStream)}\r\n${more}`;

/** A whole HTTP answer with a length. */
export const answered = (isStream: boolean, body: string | Buffer, more = ''): Buffer => {
  const bytes = Buffer.from(body);
  const start = head(isStream, `${more}content-length: ${bytes.length}\r\n\r\n`);
  return Buffer.concat([Buffer.from(start), bytes]);
};

type BodyContent = Readonly<{ tokens: ReportedTokens; text?: string }>;

export const bodyOf = (
  dialect: Dialect,
  isStream: boolean,
  { tokens, text = 'Hi there' }: BodyContent,
): string =>
  isStream
    ? dialect.begin + dialect.piece(text) + dialect.end(tokens)
    : dialect.whole(text, tokens);

/** Writes again and again as fast as it is taken, until the connection is gone. */
export const pour = (socket: Socket, piece: Buffer): void => {
  const more = (): void => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', more);
  more();
};
