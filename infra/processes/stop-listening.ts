import type { Server } from 'node:http';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** A proxy sends its request as soon as it has a connection; on a busy machine that takes a moment. */
const lastRequestsMs = 1_000;

/**
 * Takes no further connection. Resolves when the connections that were accepted before have had the
 * time to bring their requests: until then these are to be served, as no other process can take them.
 */
export const stopListening = async (
  server: Server,
  waitMs: number = lastRequestsMs,
): Promise<void> => {
  // Connections that came together with the signal are accepted first.
  await setImmediate();
  server.close();
  await sleep(waitMs);
};
