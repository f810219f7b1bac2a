import type { MessagePort } from 'node:worker_threads';
import { bodyBytes } from '../upstream/body-bytes.ts';
import type { HttpReply, HttpRequest, ProviderIo } from '../upstream/types.ts';
import { asBuffer } from './shared-bytes.ts';

/*
 * What a translation does outside while it runs on another thread: its calls are made by the
 * relay's own thread, which has the connections and the access tokens.
 */

type Made = Readonly<{ value: string; ttlSeconds: number }>;
type ToRelay =
  | Readonly<{ kind: 'fetch'; id: number; request: HttpRequest }>
  | Readonly<{ kind: 'cached'; id: number; key: string }>
  | Readonly<{ kind: 'made'; id: number; made: Made }>
  | Readonly<{ kind: 'not-made'; id: number; message: string }>
  | Readonly<{ kind: 'forget'; key: string }>;
type ToThread =
  | Readonly<{ kind: 'answer'; id: number; value: HttpReply | string }>
  | Readonly<{ kind: 'failed'; id: number; message: string }>
  | Readonly<{ kind: 'make'; id: number }>;

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

type Making = Readonly<{ done: (made: Made) => void; failed: (error: Error) => void }>;

/** Answers the calls of a translation on another thread. */
export const serveIo = (port: MessagePort, io: ProviderIo) => {
  const making = new Map<number, Making>();
  let open = 0;

  const answer = async (id: number, work: Promise<HttpReply | string>): Promise<void> => {
    open += 1;
    let message: ToThread;
    try {
      message = { kind: 'answer', id, value: await work };
    } catch (error) {
      message = { kind: 'failed', id, message: messageOf(error) };
    }
    open -= 1;
    port.postMessage(message);
  };
  /** The thread knows how to make it; another call may be making it already. */
  const make = (id: number): Promise<Made> =>
    new Promise((done, failed) => {
      making.set(id, { done, failed });
      port.postMessage({ kind: 'make', id } satisfies ToThread);
    });
  const made = (id: number): Making | undefined => {
    const known = making.get(id);
    making.delete(id);
    return known;
  };

  port.on('message', (message: ToRelay) => {
    switch (message.kind) {
      case 'fetch':
        void answer(message.id, io.fetch(withBuffer(message.request)));
        break;
      case 'cached':
        void answer(
          message.id,
          io.cached(message.key, () => make(message.id)),
        );
        break;
      case 'made':
        made(message.id)?.done(message.made);
        break;
      case 'not-made':
        made(message.id)?.failed(new Error(message.message));
        break;
      case 'forget':
        io.forget?.(message.key);
        break;
    }
  });
  port.on('close', () => {
    for (const { failed } of making.values()) failed(new Error('the translation has ended'));
    making.clear();
  });
  return { isWaiting: (): boolean => open > 0, close: (): void => port.close() };
};

const withBuffer = (request: HttpRequest): HttpRequest =>
  request.body instanceof Uint8Array ? { ...request, body: asBuffer(request.body) } : request;

type Waiting = Readonly<{
  answer: (value: HttpReply | string) => void;
  failed: (error: Error) => void;
  make?: () => Promise<Made>;
}>;

/** The same, as the translation sees it. `startedAtMs`: the relay's own clock. */
export const remoteIo = (port: MessagePort, startedAtMs: number): ProviderIo => {
  const waiting = new Map<number, Waiting>();
  const offset = startedAtMs - Date.now();
  let last = 0;

  const tell = (message: ToRelay): void => port.postMessage(message);
  const call = (
    question: (id: number) => ToRelay,
    make?: () => Promise<Made>,
  ): Promise<HttpReply | string> =>
    new Promise((answer, failed) => {
      last += 1;
      waiting.set(last, { answer, failed, ...(make === undefined ? {} : { make }) });
      tell(question(last));
    });
  const produce = async (id: number, make: () => Promise<Made>): Promise<void> => {
    try {
      tell({ kind: 'made', id, made: await make() });
    } catch (error) {
      tell({ kind: 'not-made', id, message: messageOf(error) });
    }
  };

  port.on('message', (message: ToThread) => {
    const own = waiting.get(message.id);
    if (own === undefined) return;
    if (message.kind === 'make') {
      if (own.make !== undefined) void produce(message.id, own.make);
      return;
    }
    waiting.delete(message.id);
    if (message.kind === 'answer') own.answer(message.value);
    else own.failed(new Error(message.message));
  });

  const replied = (value: HttpReply | string): HttpReply => {
    if (typeof value === 'string') throw new Error('an answer was expected');
    return { ...value, body: asBuffer(value.body) };
  };
  return {
    fetch: async (request) => {
      const { body, contentType } = await bodyBytes(request);
      const headers =
        contentType === null
          ? request.headers
          : { ...request.headers, 'content-type': contentType };
      const sent = { ...request, headers, body: request.body === null ? null : body };
      return replied(await call((id) => ({ kind: 'fetch', id, request: sent })));
    },
    cached: async (key, make) => String(await call((id) => ({ kind: 'cached', id, key }), make)),
    forget: (key) => tell({ kind: 'forget', key }),
    now: () => new Date(Date.now() + offset),
    newId: () => crypto.randomUUID().replaceAll('-', ''),
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };
};
