import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { retrySeconds } from './answer-headers.ts';
import { tunnelFor } from './tunnel.ts';
import type { SocketRequest } from './types.ts';

/** Audio of half a minute at most is one frame of either side. */
export const maxFrameBytes = 16_777_216;
const maxRefusalBytes = 65_536;

/** No answer, or a refusal. */
export type SocketRefusal =
  | Readonly<{ kind: 'connect' | 'timeout'; error: Error }>
  | Readonly<{ kind: 'status'; status: number; body: Buffer; retryAfterSeconds: number | null }>;

const refusalOf = async (res: IncomingMessage): Promise<SocketRefusal> => {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of res) {
      const bytes = Buffer.from(chunk);
      chunks.push(bytes);
      size += bytes.length;
      if (size > maxRefusalBytes) break;
    }
  } catch {
    // What came so far says enough.
  }
  const retryAfterSeconds = retrySeconds(res.headers['retry-after'] ?? null);
  return {
    kind: 'status',
    status: res.statusCode ?? 502,
    body: Buffer.concat(chunks),
    retryAfterSeconds,
  };
};

/** A socket on its way, through the channel's proxy where it has one. */
export const socketTo = (
  { url, headers, proxy }: Omit<SocketRequest, 'upstreamModel'>,
  timeoutMs: number,
): WebSocket =>
  new WebSocket(url, {
    headers: { ...headers },
    perMessageDeflate: false,
    maxPayload: maxFrameBytes,
    handshakeTimeout: timeoutMs,
    agent: tunnelFor(url, proxy, timeoutMs),
  });

/** Opens a socket; it is paused, so that no event passes before listeners are attached. */
export const openSocket = (
  request: SocketRequest,
  timeoutMs: number,
): Promise<WebSocket | SocketRefusal> =>
  new Promise((resolve) => {
    let socket: WebSocket;
    try {
      socket = socketTo(request, timeoutMs);
    } catch (error) {
      resolve({
        kind: 'connect',
        error: error instanceof Error ? error : new Error(String(error)),
      });
      return;
    }
    socket.once('open', () => {
      socket.pause();
      resolve(socket);
    });
    socket.on('error', (error) => {
      const kind = error.message.includes('timed out') ? 'timeout' : 'connect';
      resolve({ kind, error });
    });
    socket.once('unexpected-response', (upgrade, res) => {
      void refusalOf(res).then((refusal) => {
        upgrade.destroy();
        resolve(refusal);
      });
    });
  });
