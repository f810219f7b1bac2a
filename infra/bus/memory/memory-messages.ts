import { type Bus, BusUnavailableError, type Stop } from '../../ports/bus.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Timers } from '../../ports/timers.ts';

type Handler = (body: unknown) => Promise<unknown>;
type Listener = (body: unknown) => void;

export type Messages = Pick<Bus, 'request' | 'serve' | 'publish' | 'subscribe'>;

/** Default time in milliseconds that a request waits for its answer. */
export const defaultRequestTimeoutMs = 5_000;

const added = <T>(lists: Map<string, T[]>, subject: string, item: T): Stop => {
  const list = lists.get(subject) ?? [];
  lists.set(subject, list);
  list.push(item);
  return async () => {
    const index = list.indexOf(item);
    if (index >= 0) list.splice(index, 1);
    if (list.length === 0 && lists.get(subject) === list) lists.delete(subject);
  };
};

/** Rejects with BusUnavailableError when `answer` takes longer than `timeoutMs`. */
export const answeredInTime = <T>(
  answer: Promise<T>,
  { subject, timeoutMs, timers }: Readonly<{ subject: string; timeoutMs: number; timers: Timers }>,
): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = timers.setTimeout(() => reject(new BusUnavailableError(subject)), timeoutMs);
    answer.then(resolve, reject).finally(() => timers.clear(timer));
  });

export const createMemoryMessages = (logger: Logger, timers: Timers): Messages => {
  const servers = new Map<string, Handler[]>();
  const listeners = new Map<string, Listener[]>();

  /** The servers of a subject take turns. */
  const nextServer = (subject: string): Handler | undefined => {
    const list = servers.get(subject);
    const server = list?.shift();
    if (list !== undefined && server !== undefined) list.push(server);
    return server;
  };

  const hear = (listener: Listener, subject: string, body: unknown): void => {
    try {
      listener(body);
    } catch (err) {
      logger.error({ err, subject }, 'a subscriber failed');
    }
  };

  return {
    request: async <Req, Res>(
      subject: string,
      body: Req,
      options?: Readonly<{ timeoutMs?: number }>,
    ): Promise<Res> => {
      const server = nextServer(subject);
      if (server === undefined) throw new BusUnavailableError(subject);
      const answer = Promise.resolve().then(() => server(body));
      const timeoutMs = options?.timeoutMs ?? defaultRequestTimeoutMs;
      return (await answeredInTime(answer, { subject, timeoutMs, timers })) as Res;
    },
    serve: async <Req, Res>(subject: string, handler: (body: Req) => Promise<Res>) =>
      added<Handler>(servers, subject, (body) => handler(body as Req)),
    publish: (subject, body) => {
      const now = listeners.get(subject);
      if (now === undefined) return;
      const called = [...now];
      queueMicrotask(() => {
        for (const listener of called) hear(listener, subject, body);
      });
    },
    subscribe: async <T>(subject: string, handler: (body: T) => void) =>
      added<Listener>(listeners, subject, (body) => handler(body as T)),
  };
};
