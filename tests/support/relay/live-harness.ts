import { createServer } from 'node:http';
import { WebSocket, WebSocketServer } from 'ws';
import type { ChannelSettings } from '../../../domain/channel/events.ts';
import { aChannel, type Harness, listen, rawKey, startHarness } from './relay-harness.ts';
import { closing, type Event } from './session-harness.ts';

export const liveModel = 'gemini-live-test';
export const livePathOf = (version = 'v1beta'): string =>
  `/ws/google.ai.generativelanguage.${version}.GenerativeService.BidiGenerateContent`;

/** As Google reports a turn: text and sound in, text and sound out, thoughts separate. */
export const liveReport = {
  promptTokenCount: 100,
  responseTokenCount: 50,
  thoughtsTokenCount: 5,
  cachedContentTokenCount: 20,
  totalTokenCount: 155,
  promptTokensDetails: [
    { modality: 'TEXT', tokenCount: 40 },
    { modality: 'AUDIO', tokenCount: 60 },
  ],
  responseTokensDetails: [
    { modality: 'TEXT', tokenCount: 10 },
    { modality: 'AUDIO', tokenCount: 40 },
  ],
};

export const says = (text: string): Event => ({
  serverContent: { modelTurn: { role: 'model', parts: [{ text }] } },
});
export const turnComplete = (more: object = { usageMetadata: liveReport }): Event => ({
  serverContent: { turnComplete: true },
  ...more,
});

export type LiveScript = (event: Event, say: (event: Event) => void, socket: WebSocket) => void;

/** Google's side: takes a setup, and sends frames of bytes as the real one does. */
export const startGoogle = async (script: LiveScript, refusal?: readonly [number, string]) => {
  const server = createServer((_req, res) => void res.writeHead(404).end());
  const sockets = new WebSocketServer({ server });
  const seen: { url: string; headers: Record<string, unknown>; events: Event[] } = {
    ...{ url: '', headers: {}, events: [] },
  };
  sockets.on('connection', (socket, req) => {
    seen.url = req.url ?? '';
    seen.headers = req.headers;
    const say = (event: Event): void => socket.send(Buffer.from(JSON.stringify(event)));
    socket.on('message', (data) => {
      const event = JSON.parse(String(data));
      seen.events.push(event);
      if (refusal !== undefined) socket.close(...refusal);
      else if ('setup' in event) say({ setupComplete: {} });
      if (refusal === undefined) script(event, say, socket);
    });
  });
  const port = await listen(server);
  closing(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
  });
  return { url: `http://127.0.0.1:${port}`, seen };
};

export const answeringTurns: LiveScript = (event, say) => {
  if (!('clientContent' in event)) return;
  say(says('Hi'));
  say({ serverContent: { generationComplete: true } });
  say(turnComplete());
};

export const startLive = async (
  url: string,
  settings: Parameters<typeof startHarness>[0] = {},
  channel: Partial<ChannelSettings> = {},
): Promise<Harness> => {
  const relay = await startHarness(settings);
  closing(relay.close);
  await relay.put.option('ModelRatio', JSON.stringify({ [liveModel]: 1 }));
  await relay.put.option('CompletionRatio', JSON.stringify({ [liveModel]: 4 }));
  const models = [liveModel];
  await relay.put.channel(aChannel(1, { type: 24, models, baseUrl: url, ...channel }));
  return relay;
};

export type LiveClient = Readonly<{
  socket: WebSocket;
  events: Event[];
  next: (isIt: (event: Event) => boolean) => Promise<Event>;
  say: (event: Event) => void;
  closed: Promise<readonly [code: number, reason: string]>;
}>;

export const isTurnEnd = (event: Event): boolean =>
  JSON.stringify(event).includes('"turnComplete":true');

/** A connection without a setup. */
export const dial = async (
  { port }: Pick<Harness, 'port'>,
  path = `/${livePathOf()}?key=sk-${rawKey}`,
): Promise<LiveClient> => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`);
  const events: Event[] = [];
  const waiting: { isIt: (event: Event) => boolean; take: (event: Event) => void }[] = [];
  socket.on('message', (data) => {
    const event = JSON.parse(String(data));
    events.push(event);
    for (const one of waiting.filter(({ isIt }) => isIt(event))) {
      waiting.splice(waiting.indexOf(one), 1);
      one.take(event);
    }
  });
  closing(() => socket.terminate());
  const closed = new Promise<readonly [number, string]>((resolve) => {
    socket.on('close', (code, reason) => resolve([code, reason.toString()]));
  });
  await new Promise((resolve, reject) => {
    socket.on('open', resolve);
    socket.on('error', reject);
  });
  return {
    ...{ socket, events, closed },
    say: (event) => socket.send(JSON.stringify(event)),
    next: (isIt) => new Promise((take) => waiting.push({ isIt, take })),
  };
};

export const setup = (more: object = {}, model = liveModel): Event => ({
  setup: { model: `models/${model}`, ...more },
});

/** A session that the provider has taken. */
export const openLive = async (relay: Harness, more: object = {}): Promise<LiveClient> => {
  const client = await dial(relay);
  const ready = client.next((event) => 'setupComplete' in event);
  client.say(setup(more));
  await ready;
  return client;
};

export const ask: Event = {
  clientContent: { turns: [{ role: 'user', parts: [{ text: 'Hello' }] }], turnComplete: true },
};
