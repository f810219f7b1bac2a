import { isRecord } from '../local-values.ts';
import { apiHeaders, send } from './client.ts';
import { eventData } from './event-stream.ts';

/** Names of the read models that changed; `anything` after a gap without a connection. */
export type Moved = readonly string[] | 'anything';
type Listener = (moved: Moved) => void;

const firstWaitMs = 3_000;
const maxWaitMs = 60_000;

const listeners = new Set<Listener>();
let connection: AbortController | null = null;

const notify = (moved: Moved): void => {
  for (const listener of listeners) listener(moved);
};

const readModelsOf = (data: string): readonly string[] => {
  try {
    const message: unknown = JSON.parse(data);
    const names = isRecord(message) ? message.read_models : [];
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
};

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** True when the server answered with a stream of events. */
const readStream = async (signal: AbortSignal): Promise<boolean> => {
  const headers = { ...apiHeaders(), Accept: 'text/event-stream' };
  const response = await send('/api/live', { headers, signal });
  const isLive = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (!response.ok || !isLive || response.body === null) return false;
  for await (const data of eventData(response.body)) notify(readModelsOf(data));
  return true;
};

/** After a failure or a closed connection every read model counts as changed at each retry. */
const follow = async (signal: AbortSignal): Promise<void> => {
  let waitMs = firstWaitMs;
  while (!signal.aborted) {
    const hasAnswered = await readStream(signal).catch(() => false);
    waitMs = hasAnswered ? firstWaitMs : Math.min(waitMs * 2, maxWaitMs);
    await pause(waitMs, signal);
    if (!signal.aborted) notify('anything');
  }
};

/** Subscribes to the one connection of this page, which is open while there is a subscriber. */
export const listenLive = (listener: Listener): (() => void) => {
  listeners.add(listener);
  if (connection === null) {
    connection = new AbortController();
    void follow(connection.signal);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    connection?.abort();
    connection = null;
  };
};
