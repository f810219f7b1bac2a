import type { Readable } from 'node:stream';
import { request as send } from 'undici';
import { type Destination, dispatcherFor } from './dispatchers.ts';
import { headersOf } from './provider-io.ts';

/** Until the head of the answer, and between two pieces of its body. */
const headTimeoutMs = 60_000;
const idleTimeoutMs = 60_000;

export type DownloadRequest = Destination &
  Readonly<{
    url: string;
    /** Lower-case names. */
    headers: Readonly<Record<string, string>>;
    /** Sent by POST; GET when absent. */
    body?: string;
    /** Ends the download, whatever has arrived of it. */
    signal: AbortSignal;
  }>;

export type Download = Readonly<{
  status: number;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  /** As fast as it is read. */
  body: Readable;
}>;

/**
 * A file of a provider, which is passed on as it arrives and never kept whole. Redirects are not
 * followed: each would need the same checks.
 * @throws when there is no answer in time, or the address is not allowed
 */
export const openDownload = async (outgoing: DownloadRequest): Promise<Download> => {
  const url = new URL(outgoing.url);
  const { statusCode, headers, body } = await send(url, {
    method: outgoing.body === undefined ? 'GET' : 'POST',
    headers: { 'accept-encoding': 'identity', ...outgoing.headers },
    body: outgoing.body ?? null,
    dispatcher: dispatcherFor(url, outgoing),
    signal: outgoing.signal,
    headersTimeout: headTimeoutMs,
    bodyTimeout: idleTimeoutMs,
  });
  // One that is given up before its end fails, and that is no fault of the process.
  body.on('error', () => {});
  return { status: statusCode, headers: headersOf(headers), body };
};
