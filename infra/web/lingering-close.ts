import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

export type LingerBounds = Readonly<{
  totalMs: number;
  /** Without a byte from the client. */
  idleMs: number;
  bytes: number;
}>;

/** Enough for the largest files that clients of the field upload. */
const defaultBounds: LingerBounds = { totalMs: 10_000, idleMs: 2_000, bytes: 32 * 1024 * 1024 };
const checkEveryMs = 250;

/** Reads and drops the rest of a request; `done` is called when it is over or a bound is met. */
const drain = (socket: Socket, req: IncomingMessage, plan: LingerBounds & { done: () => void }) => {
  const begunAt = performance.now();
  const atFirst = socket.bytesRead;
  let seen = atFirst;
  let seenAt = begunAt;
  const check = (): void => {
    const now = performance.now();
    if (socket.bytesRead !== seen) {
      seen = socket.bytesRead;
      seenAt = now;
    }
    const isOver = now - begunAt > plan.totalMs || now - seenAt > plan.idleMs;
    if (isOver || seen - atFirst > plan.bytes) plan.done();
  };
  const timer = setInterval(check, checkEveryMs);
  timer.unref();
  socket.once('close', () => clearInterval(timer));
  req.once('end', plan.done);
  req.on('error', () => undefined);
  req.removeAllListeners('data');
  req.resume();
};

/**
 * Closing a connection on which unread bytes arrive resets it, and a reset destroys what the client
 * has not read yet: the answer (RFC 9112, section 9.6). A server that answers before the request
 * body has arrived must therefore close only its sending side, continue to read for a while, and
 * close then. `pending` is the newest request of the connection.
 */
export const lingerOnClose = (
  socket: Socket,
  pending: () => IncomingMessage | null,
  bounds: LingerBounds = defaultBounds,
): void => {
  const closeNow = socket.destroySoon.bind(socket);
  let isLingering = false;
  // `node:http` calls this after the last answer of a connection. Assigned by name: decision 0023.
  const destroySoon = (): void => {
    const req = pending();
    if (isLingering) return;
    if (req === null || req.complete || socket.destroyed) {
      closeNow();
      return;
    }
    isLingering = true;
    socket.end();
    drain(socket, req, { ...bounds, done: closeNow });
  };
  socket.destroySoon = destroySoon;
};
