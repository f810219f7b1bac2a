import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

/** What calls are sent to. */
export type Target = Readonly<{ name: string; key: string; pool: Pool }>;

export type Load = Readonly<{
  name: string;
  body: Buffer;
  /** Calls a second; null: as many as `width` callers make that never wait. */
  perSecond: number | null;
  /** Calls of one short round. */
  perRound: number;
  /** The provider is reached over TLS. */
  overTls?: true;
}>;

export const claudeModel = 'claude-3-5-haiku-20241022';
/** The model of the provider that is reached over TLS. */
export const tlsModel = 'gpt-4o';

const width = 32;
const rates = [10, 50, 200, 1_000] as const;
const roundSeconds = 4;

const chatOf = (bytes: number, stream: boolean, model = 'gpt-4o-mini'): Buffer => {
  const bare = { model, stream, messages: [{ role: 'user', content: '' }] };
  const room = bytes - JSON.stringify(bare).length;
  const content = 'lorem ipsum dolor sit amet '.repeat(Math.ceil(room / 27)).slice(0, room);
  return Buffer.from(JSON.stringify({ ...bare, messages: [{ role: 'user', content }] }));
};

export const smallChat = chatOf(1_024, false);

const saturated = (name: string, body: Buffer, perRound: number): Load => ({
  name: `${name}, saturated`,
  body,
  perSecond: null,
  perRound,
});

const loads: readonly Load[] = [
  ...rates.map((perSecond) => ({
    name: `1 KB chat, ${perSecond}/s`,
    body: smallChat,
    perSecond,
    perRound: roundSeconds * perSecond,
  })),
  saturated('1 KB chat', smallChat, 2_500),
  saturated('16 KB chat', chatOf(16_384, false), 2_000),
  saturated('36-event stream', chatOf(1_024, true), 600),
  saturated('translated Anthropic stream', chatOf(1_024, true, claudeModel), 600),
  saturated('256 KB chat', chatOf(262_144, false), 300),
  saturated('1 MB chat', chatOf(1_048_576, false), 80),
  { ...saturated('1 KB chat over TLS', chatOf(1_024, false, tlsModel), 2_000), overTls: true },
];

/** The load of that name; without one, all that have it in their names. */
export const loadsNamed = (name: string): readonly Load[] => {
  const named = loads.filter((load) => load.name === name);
  return named.length > 0 ? named : loads.filter((load) => load.name.includes(name));
};

type Reply = Readonly<{ ms: number; requestId: string }>;

/** One call, read to its end; its duration, and its id where the target gives one. */
const call = ({ name, key, pool }: Target, body: Buffer): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now();
    let status = 0;
    let requestId = '';
    pool.dispatch(
      {
        method: 'POST',
        path: '/v1/chat/completions',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
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
          if (status === 200) resolve({ ms: performance.now() - startedAt, requestId });
          else reject(new Error(`${name} answered ${status}`));
        },
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });

/** Makes one small call and returns its id. */
export const requestIdOfCall = async (target: Target): Promise<string> =>
  (await call(target, smallChat)).requestId;

export const openPool = (url: string): Pool => new Pool(url, { connections: 256 });

const saturate = async (target: Target, body: Buffer, count: number): Promise<number[]> => {
  const latencies: number[] = [];
  let left = count;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      latencies.push((await call(target, body)).ms);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return latencies;
};

const callSteadily = async (
  target: Target,
  body: Buffer,
  { perSecond, count }: Readonly<{ perSecond: number; count: number }>,
): Promise<number[]> => {
  const startedAt = performance.now();
  const calls: Promise<Reply>[] = [];
  while (calls.length < count) {
    const seconds = (performance.now() - startedAt) / 1_000;
    const due = Math.min(count, Math.floor(seconds * perSecond) + 1);
    while (calls.length < due) calls.push(call(target, body));
    await sleep(1);
  }
  return (await Promise.all(calls)).map(({ ms }) => ms);
};

/** Makes `count` calls of the load; resolves with the milliseconds that each took. */
export const applyLoad = (
  target: Target,
  { body, perSecond, perRound }: Load,
  count: number = perRound,
): Promise<number[]> =>
  perSecond === null
    ? saturate(target, body, count)
    : callSteadily(target, body, { perSecond, count });

const quantile = (values: readonly number[], q: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
};

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Milliseconds. */
export type Latency = Readonly<{ p50: number; p99: number }>;

export const latencyOf = (values: readonly number[]): Latency => ({
  p50: quantile(values, 0.5),
  p99: quantile(values, 0.99),
});
