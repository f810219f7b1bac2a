import { isRecord } from '../local-values.ts';
import { apiHeaders, send } from './client.ts';
import { eventData } from './event-stream.ts';

/** Names of the read models that moved; `anything` after a gap in which nobody listened. */
export type Moved = readonly string[] | 'anything';
type Listener = (moved: Moved) => void;

const firstWaitMs = 3_000;
const longestWaitMs = 60_000;

const listeners = new Set<Listener>();
let connection: AbortController | null = null;

const tell = (moved: Moved): void => {
  for (const listener of listeners) listener(moved);
};

const readModelsOf = (data: string): readonly string[] => {
  try {
    const word: unknown = JSON.parse(data);
    const names = isRecord(word) ? word.read_models : [];
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

/** True when the server spoke. */
const hear = async (signal: AbortSignal): Promise<boolean> => {
  const headers = { ...apiHeaders(), Accept: 'text/event-stream' };
  const response = await send('/api/live', { headers, signal });
  const isLive = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (!response.ok || !isLive || response.body === null) return false;
  for await (const data of eventData(response.body)) tell(readModelsOf(data));
  return true;
};

/** Where the server does not speak, or hangs up, everything counts as moved each time it is asked. */
const follow = async (signal: AbortSignal): Promise<void> => {
  let waitMs = firstWaitMs;
  while (!signal.aborted) {
    const spoke = await hear(signal).catch(() => false);
    waitMs = spoke ? firstWaitMs : Math.min(waitMs * 2, longestWaitMs);
    await pause(waitMs, signal);
    if (!signal.aborted) tell('anything');
  }
};

/** Listens on the one line of this page; it is there while somebody listens. */
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
