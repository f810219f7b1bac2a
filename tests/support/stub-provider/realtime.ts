import type { Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { speakLive } from './live.ts';

/** Usage of every answer of the stub's realtime sessions. */
const realtimeUsage = {
  total_tokens: 150,
  input_tokens: 100,
  output_tokens: 50,
  input_token_details: { text_tokens: 40, audio_tokens: 60, cached_tokens: 0 },
  output_token_details: { text_tokens: 10, audio_tokens: 40 },
};

const speak = (socket: WebSocket): void => {
  let answers = 0;
  const say = (event: object): void => socket.send(JSON.stringify(event));
  say({ type: 'session.created', session: { id: 'sess_stub', object: 'realtime.session' } });
  socket.on('message', (data) => {
    const event: unknown = JSON.parse(String(data));
    const isCreate =
      typeof event === 'object' && event !== null && 'type' in event
        ? event.type === 'response.create'
        : false;
    if (!isCreate) return;
    answers += 1;
    const id = `resp_stub_${answers}`;
    say({ type: 'response.created', response: { id, status: 'in_progress' } });
    say({ type: 'response.output_text.delta', response_id: id, delta: 'The gate is open.' });
    say({ type: 'response.done', response: { id, status: 'completed', usage: realtimeUsage } });
  });
};

const livePath = /^\/ws\/google\.ai\.generativelanguage\.v1(?:beta|alpha)\./;

/**
 * Realtime sessions that answer each turn with the same words, in OpenAI's protocol and in
 * Gemini's.
 */
export const serveRealtime = (server: Server): (() => void) => {
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (req, socket, head) => {
    const url = req.url ?? '';
    const isLive = livePath.test(url);
    if (!isLive && url.split('?', 1)[0] !== '/v1/realtime') socket.destroy();
    else sockets.handleUpgrade(req, socket, head, isLive ? speakLive : speak);
  });
  return () => {
    for (const socket of sockets.clients) socket.terminate();
  };
};
