import type { lookup } from 'node:dns';
import { type RequestOptions as PlainOptions, request as plainRequest } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import type { WebhookCall, Webhooks, WebhookWorker } from '../ports/webhooks.ts';
import { createPublicLookup, isClosedHost, isPublicAddress } from '../web/public-address.ts';

type Settings = Readonly<{
  timeoutMs?: number;
  /** Whether an address may be called; the open internet alone, but in tests. */
  isAllowed?: (address: string) => boolean;
  /** Certificates that are trusted in addition to those of the system. */
  ca?: string;
  /** Finds the addresses of a name; that of the system, but in tests. */
  resolve?: typeof lookup;
}>;

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Sends, and waits for the status alone: the body of the answer is not read. */
const send = (
  start: typeof request | typeof plainRequest,
  { url, headers, body }: WebhookCall,
  options: RequestOptions & PlainOptions,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = start(url, { ...options, method: 'POST', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
      answer.destroy();
    });
    sent.on('error', reject);
    sent.end(body);
  });

/**
 * The name is resolved once, and the connection goes to the address that was checked, so that a
 * name which changes its address in between leads nowhere. Redirects count as failures.
 */
export const createWebhooks = (settings: Settings = {}): Webhooks => {
  const { timeoutMs = 5_000, isAllowed = isPublicAddress, ca } = settings;
  const publicLookup = createPublicLookup(isAllowed, settings.resolve);

  const direct = (call: WebhookCall): Promise<number> => {
    const { protocol, hostname } = new URL(call.url);
    if (protocol !== 'https:') throw new Error('a webhook has to be https');
    if (isClosedHost(hostname, isAllowed)) throw new Error('the address is not public');
    const signal = AbortSignal.timeout(timeoutMs);
    return send(request, call, {
      lookup: publicLookup,
      signal,
      ...(ca === undefined ? {} : { ca }),
    });
  };

  /** The operator named the worker, so its address may be anywhere. */
  const through = ({ url, key }: WebhookWorker, call: WebhookCall): Promise<number> => {
    if (!call.url.startsWith('https://')) throw new Error('a webhook has to be https');
    const body = JSON.stringify({
      url: call.url,
      key,
      method: 'POST',
      headers: call.headers,
      body: JSON.parse(call.body),
    });
    const headers = { 'content-type': 'application/json' };
    const start = url.startsWith('https:') ? request : plainRequest;
    const signal = AbortSignal.timeout(timeoutMs);
    return send(start, { url: `${url.replace(/\/+$/, '')}/`, headers, body }, { signal });
  };

  return {
    async post(call, worker) {
      const status = await (worker === null ? direct(call) : through(worker, call));
      if (!isSuccess(status)) throw new Error(`the webhook answered with status ${status}`);
    },
  };
};
