import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

export type Target = Readonly<{ name: string; url: string; key: string }>;
export type Shape = Readonly<{
  name: string;
  body: Buffer;
  /** Requests of one round. */
  perRound: number;
  /** The upstream is reached over TLS. */
  overTls?: true;
}>;

export const claudeModel = 'claude-3-5-haiku-20241022';
/** Of the upstream that is reached over TLS. */
export const tlsModel = 'gpt-4o';

const chatOf = (bytes: number, stream: boolean, model = 'gpt-4o-mini'): Buffer => {
  const bare = { model, stream, messages: [{ role: 'user', content: '' }] };
  const room = bytes - JSON.stringify(bare).length;
  const content = 'lorem ipsum dolor sit amet '.repeat(Math.ceil(room / 27)).slice(0, room);
  return Buffer.from(JSON.stringify({ ...bare, messages: [{ role: 'user', content }] }));
};

export const shapes: readonly Shape[] = [
  { name: '1 KB chat', body: chatOf(1_024, false), perRound: 2_500 },
  { name: '16 KB chat', body: chatOf(16_384, false), perRound: 2_000 },
  { name: '36-event stream', body: chatOf(1_024, true), perRound: 600 },
  {
    name: '36-event stream of Anthropic, translated',
    body: chatOf(1_024, true, claudeModel),
    perRound: 600,
  },
  { name: '256 KB chat', body: chatOf(262_144, false), perRound: 300 },
  { name: '1 MB chat', body: chatOf(1_048_576, false), perRound: 80 },
  {
    name: '1 KB chat, upstream over TLS',
    body: chatOf(1_024, false, tlsModel),
    perRound: 2_000,
    overTls: true,
  },
];

const headersOf = ({ key }: Target) => ({
  'content-type': 'application/json',
  authorization: `Bearer ${key}`,
});

type Flow = Readonly<{ pool: Pool; target: Target; body: Buffer }>;
type Answered = Readonly<{ ms: number; requestId: string }>;

/** One call, read to its end; what it took, and its id where the target gives one. */
const answered = (pool: Pool, target: Target, body: Buffer): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const begun = performance.now();
    let status = 0;
    let requestId = '';
    pool.dispatch(
      {
        method: 'POST',
        path: '/v1/chat/completions',
        headers: headersOf(target),
        body,
      },
      {
        onRequestStart: () => {},
        onResponseStart: (_controller, code, headers) => {
          status = code;
          requestId = String(headers['x-request-id'] ?? '');
        },
        onResponseData: () => {},
        onResponseEnd: () => {
          if (status === 200) resolve({ ms: performance.now() - begun, requestId });
          else reject(new Error(`${target.name} answered ${status}`));
        },
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });

/** Milliseconds that one call took. */
const call = async (pool: Pool, target: Target, body: Buffer): Promise<number> =>
  (await answered(pool, target, body)).ms;

/** The id of one call that was answered just now. */
export const requestIdOfCall = async (pool: Pool, target: Target, body: Buffer): Promise<string> =>
  (await answered(pool, target, body)).requestId;

export const openPool = (target: Target, connections = 256): Pool =>
  new Pool(target.url, { connections });

/** `count` calls, `width` at once. */
export const saturate = async (
  { pool, target, body }: Flow,
  { count, width }: Readonly<{ count: number; width: number }>,
): Promise<void> => {
  let left = count;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await call(pool, target, body);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
};

/** A stream whose provider says one word and is silent for `holdMs`. */
export const heldStream = (holdMs: number): Buffer => {
  const content = `hold-${String(holdMs).padStart(8, '0')}`;
  return Buffer.from(
    JSON.stringify({
      model: 'gpt-4o-mini',
      stream: true,
      max_tokens: 200,
      messages: [{ role: 'user', content }],
    }),
  );
};

/** Calls back with the first piece; resolves when the answer is whole. */
export const heldCall = ({ pool, target, body }: Flow, onBegun: () => void): Promise<void> =>
  new Promise((resolve, reject) => {
    let status = 0;
    pool.dispatch(
      { method: 'POST', path: '/v1/chat/completions', headers: headersOf(target), body },
      {
        onRequestStart: () => {},
        onResponseStart: (_controller, code) => {
          status = code;
          onBegun();
        },
        onResponseData: () => {},
        onResponseEnd: () => {
          if (status === 200) resolve();
          else reject(new Error(`${target.name} answered ${status}`));
        },
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });

/** A caller that goes away with the first piece of its answer. */
export const startAndLeave = ({ pool, target, body }: Flow): Promise<void> =>
  new Promise((resolve) => {
    pool.dispatch(
      { method: 'POST', path: '/v1/chat/completions', headers: headersOf(target), body },
      {
        onRequestStart: () => {},
        onResponseStart: () => {},
        onResponseData: (controller) => controller.abort(new Error('the caller leaves')),
        onResponseEnd: () => resolve(),
        onResponseError: () => resolve(),
      },
    );
  });

/** Calls at a steady rate; the milliseconds that each took. */
export const steady = async (
  { pool, target, body }: Flow,
  { perSecond, count }: Readonly<{ perSecond: number; count: number }>,
): Promise<number[]> => {
  const begun = performance.now();
  const calls: Promise<number>[] = [];
  while (calls.length < count) {
    const due = Math.min(count, Math.floor(((performance.now() - begun) / 1_000) * perSecond) + 1);
    while (calls.length < due) calls.push(call(pool, target, body));
    await sleep(1);
  }
  return Promise.all(calls);
};

export const quantile = (values: readonly number[], q: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
};

export const median = (values: readonly number[]): number => quantile(values, 0.5);
