import { Readable } from 'node:stream';
import { request as send } from 'undici';
import { type Destination, dispatcherFor } from './dispatchers.ts';
import { bounded, headersOf } from './provider-io.ts';
import type { HttpReply } from './types.ts';

/** From the last byte that went up until the head of the answer, and between two pieces of its body. */
const answerTimeoutMs = 120_000;

export type StreamRequest = Destination &
  Readonly<{
    url: string;
    /** Lower-case names. */
    headers: Readonly<Record<string, string>>;
    body: AsyncIterable<Buffer>;
    maxBytes: number;
    signal: AbortSignal;
  }>;

/**
 * A POST whose body is sent as it arrives, and as fast as the other side takes it.
 * @throws what the body throws, and when there is no answer in time
 */
export const sendStream = async (outgoing: StreamRequest): Promise<HttpReply> => {
  const url = new URL(outgoing.url);
  const { statusCode, headers, body } = await send(url, {
    method: 'POST',
    headers: { 'accept-encoding': 'identity', ...outgoing.headers },
    body: Readable.from(outgoing.body, { objectMode: false }),
    dispatcher: dispatcherFor(url, outgoing),
    signal: outgoing.signal,
    headersTimeout: answerTimeoutMs,
    bodyTimeout: answerTimeoutMs,
  });
  const bytes = await bounded(body, outgoing.maxBytes);
  return { status: statusCode, headers: headersOf(headers), body: bytes };
};
