import { createServer, type Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** A proxy sends its request as soon as it has a connection; on a busy machine that takes a moment. */
const lastRequestsMs = 1_000;
/** Milliseconds of a turn of the event loop in which nothing but accepting can have happened. */
const idleTurnMs = 0.1;
/** A process that is never idle stops all the same. */
const awaitIdleMs = 1_000;

/** Resolves at the end of a turn of the event loop that was short. */
const idleTurn = async (): Promise<void> => {
  const end = performance.now() + awaitIdleMs;
  for (let begunAt = Number.NEGATIVE_INFINITY; ; ) {
    await setImmediate();
    const now = performance.now();
    if (now - begunAt < idleTurnMs || now > end) return;
    begunAt = now;
  }
};

/**
 * Takes no further connection. Resolves when the connections that were accepted before have had the
 * time to bring their requests: until then these are to be served, as no other process can take them.
 */
export const stopListening = async (
  server: Server,
  waitMs: number = lastRequestsMs,
): Promise<void> => {
  // Closes nothing; the first time takes four times as long as those after it.
  createServer().close();
  // The system resets what it has connected and this process has not accepted, and a proxy does not
  // send a request twice. Each turn accepts all waiting connections; one between that and the end
  // of the turn is lost.
  await idleTurn();
  // The `close` of HTTP servers also destroys connections that have not sent a request yet.
  NetServer.prototype.close.call(server);
  await sleep(waitMs);
  server.closeIdleConnections();
};
