import { createServer } from 'node:http';
import { WebSocket, WebSocketServer } from 'ws';
import type { ChannelSettings } from '../../../domain/channel/events.ts';
import { aChannel, type Harness, listen, rawKey, startHarness } from './relay-harness.ts';

export const model = 'gpt-4o-realtime-preview';
const closers: (() => void | Promise<void>)[] = [];
export const closing = (close: () => void | Promise<void>): void => {
  closers.push(close);
};
export const closeAll = async (): Promise<void> => {
  for (const close of closers.splice(0).reverse()) await close();
};

export type Event = Readonly<Record<string, unknown>>;

export const usage = {
  total_tokens: 150,
  input_tokens: 100,
  output_tokens: 50,
  input_token_details: {
    text_tokens: 40,
    audio_tokens: 60,
    cached_tokens: 20,
    cached_tokens_details: { text_tokens: 20, audio_tokens: 0 },
  },
  output_token_details: { text_tokens: 10, audio_tokens: 40 },
};

export const created = (id: string): Event => ({ type: 'response.created', response: { id } });
export const delta = (id: string, text: string): Event => ({
  type: 'response.text.delta',
  response_id: id,
  delta: text,
});
export const done = (id: string, more: object = { usage }): Event => ({
  type: 'response.done',
  event_id: 'evt_kept',
  response: { id, status: 'completed', ...more },
});

export type Script = (event: Event, say: (event: Event) => void, socket: WebSocket) => void;

/** A provider that answers events as the test configures. */
export const startProvider = async (
  script: Script,
  hello: Event | null = { type: 'session.created' },
) => {
  const server = createServer((_req, res) => {
    res.writeHead(401, { 'content-type': 'application/json' });
    res.end('{"error":{"message":"bad key","type":"invalid_request_error","code":"x"}}');
  });
  const sockets = new WebSocketServer({ server });
  const seen: { url: string; headers: Record<string, unknown>; events: Event[] } = {
    url: '',
    headers: {},
    events: [],
  };
  sockets.on('connection', (socket, req) => {
    seen.url = req.url ?? '';
    seen.headers = req.headers;
    const say = (event: Event): void => socket.send(JSON.stringify(event));
    if (hello !== null) say(hello);
    socket.on('message', (data) => {
      const event = JSON.parse(String(data));
      seen.events.push(event);
      script(event, say, socket);
    });
  });
  const port = await listen(server);
  closers.push(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
  });
  return { url: `http://127.0.0.1:${port}`, seen };
};

export const answering: Script = (event, say) => {
  if (event.type !== 'response.create') return;
  const id = String(event.event_id ?? 'r1');
  for (const event of [created(id), delta(id, 'Hi'), done(id)]) say(event);
};

/** A relay with one channel of that provider. */
export const startWith = async (
  url: string,
  settings: Parameters<typeof startHarness>[0] = {},
  channel: Partial<ChannelSettings> = {},
): Promise<Harness> => {
  const relay = await startHarness(settings);
  closers.push(relay.close);
  await relay.put.channel(aChannel(1, { models: [model], baseUrl: url, ...channel }));
  return relay;
};

export type Client = Readonly<{
  socket: WebSocket;
  events: Event[];
  /** Resolves with the event of that type, once it is there. */
  next: (type: string) => Promise<Event>;
  say: (event: Event) => void;
  closed: Promise<number>;
}>;

export const speak = async (
  { port }: Harness,
  {
    protocols = ['realtime'],
    headers = { authorization: `Bearer sk-${rawKey}` },
    query = '',
  }: {
    protocols?: string[];
    headers?: Record<string, string>;
    query?: string;
  } = {},
): Promise<Client> => {
  const address = `ws://127.0.0.1:${port}/v1/realtime?model=${model}${query}`;
  const socket = new WebSocket(address, protocols, { headers });
  const events: Event[] = [];
  const waiting: { type: string; take: (event: Event) => void }[] = [];
  socket.on('message', (data) => {
    const event = JSON.parse(String(data));
    events.push(event);
    for (const one of [...waiting]) {
      if (one.type !== event.type) continue;
      waiting.splice(waiting.indexOf(one), 1);
      one.take(event);
    }
  });
  closers.push(() => socket.terminate());
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await new Promise((resolve, reject) => {
    socket.on('open', resolve);
    socket.on('error', reject);
  });
  return {
    socket,
    events,
    closed,
    say: (event) => socket.send(JSON.stringify(event)),
    next: (type) => new Promise((take) => waiting.push({ type, take })),
  };
};
