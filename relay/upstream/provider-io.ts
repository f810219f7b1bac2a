import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { request as send } from 'undici';
import { bodyBytes } from './body-bytes.ts';
import { decodedWhole, isEncoded } from './body-decoder.ts';
import { dispatcherFor } from './dispatchers.ts';
import type { HttpReply, HttpRequest, ProviderIo } from './types.ts';

const maxReplyBytes = 67_108_864;
/** For a whole helper call: a token, a picture, one poll of a job. */
const callTimeoutMs = 120_000;
/** Kept values are given up a little early, so that none runs out on its way. */
const earlySeconds = 60;
const maxKept = 10_000;

export const headersOf = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : String(value),
    ]),
  );

export const bounded = async (body: AsyncIterable<Buffer>, max: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > max) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
};

/** At least the first `enough` bytes, where there are so many. */
const beginning = async (body: AsyncIterable<Buffer>, enough: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= enough) break;
  }
  return Buffer.concat(chunks, size);
};

/** @throws when there is no answer in time, the answer is too long or the address is not allowed */
const call = async (outgoing: HttpRequest, proxy: string): Promise<HttpReply> => {
  const url = new URL(outgoing.url);
  const dispatcher = dispatcherFor(url, { proxy, publicOnly: outgoing.publicOnly === true });
  // Redirects are not followed: each would need the same checks.
  const own = await bodyBytes(outgoing);
  const { statusCode, headers, body } = await send(url, {
    method: outgoing.method,
    headers: {
      'accept-encoding': 'identity',
      ...outgoing.headers,
      ...(own.contentType === null ? {} : { 'content-type': own.contentType }),
    },
    body: outgoing.body === null ? null : own.body,
    dispatcher,
    signal: AbortSignal.timeout(outgoing.timeoutMs ?? callTimeoutMs),
  });
  const max = outgoing.maxBytes ?? maxReplyBytes;
  const { headBytes } = outgoing;
  const bytes = await (headBytes === undefined ? bounded(body, max) : beginning(body, headBytes));
  const { 'content-encoding': coding, ...others } = headersOf(headers);
  if (!isEncoded(coding)) return { status: statusCode, headers: others, body: bytes };
  return { status: statusCode, headers: others, body: await decodedWhole(bytes, coding, max) };
};

type Kept = Readonly<{ value: Promise<string>; untilMs: number }>;

/** What translations may do outside; one for the whole relay, so that access tokens are shared. */
export const createProviderIo = (clock: () => Date): ((proxy: string) => ProviderIo) => {
  const kept = new Map<string, Kept>();

  const make = (key: string, work: Parameters<ProviderIo['cached']>[1]): Promise<string> => {
    const made = work();
    const value = made.then((result) => result.value);
    kept.delete(key);
    kept.set(key, { value, untilMs: Number.POSITIVE_INFINITY });
    // One that was evicted or dropped while it was made is not restored.
    const isKept = (): boolean => kept.get(key)?.value === value;
    made.then(
      ({ ttlSeconds }) => {
        const ms = Math.max(0, ttlSeconds - earlySeconds) * 1_000;
        if (isKept()) kept.set(key, { value, untilMs: clock().getTime() + ms });
      },
      () => {
        if (isKept()) kept.delete(key);
      },
    );
    if (kept.size > maxKept) {
      const [oldest] = kept.keys();
      if (oldest !== undefined) kept.delete(oldest);
    }
    return value;
  };

  const shared: Omit<ProviderIo, 'fetch'> = {
    now: clock,
    newId: () => randomUUID().replaceAll('-', ''),
    pause: async (ms) => {
      await pause(ms);
    },
    cached: (key, work) => {
      const known = kept.get(key);
      return known !== undefined && known.untilMs > clock().getTime()
        ? known.value
        : make(key, work);
    },
    forget: (key) => {
      kept.delete(key);
    },
  };
  return (proxy) => ({ ...shared, fetch: (outgoing) => call(outgoing, proxy) });
};
