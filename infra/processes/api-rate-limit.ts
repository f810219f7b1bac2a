import type { FastifyInstance } from 'fastify';
import { messageOf } from '../../command-api/http/rejection-messages.ts';
import { languageOf } from '../../domain/access/language.ts';
import type { Clock } from '../ports/clock.ts';
import { createClientAddress } from '../web/client-address.ts';

type Settings = Readonly<{
  /** Calls of one address within the window; 0 counts nothing. */
  limit: number;
  trustedProxies: readonly string[];
  clock: Clock;
}>;

/** Console sheet, section 3.1. */
const windowMs = 180_000;
/** Beyond this many addresses those that were quiet for a window are forgotten. */
const keptAddresses = 20_000;

/** All payments of a site are told from a few addresses, and their signature keeps strangers out. */
const isPaymentNotice = (url: string): boolean =>
  /^\/api\/user\/(lantu|epay)\/notify\/?$/.test(url);
const isCounted = (url: string): boolean =>
  /^\/(api|dashboard|v1\/dashboard)(\/|$)/.test(url) && !isPaymentNotice(url);

/** The accept times of one address, oldest first. Refused calls are not among them. */
class Recent {
  readonly #times: number[] = [];
  last = 0;

  /** 0 when the call is let through, else milliseconds until the next one will be. */
  take(now: number, limit: number): number {
    while (this.#times.length > 0 && (this.#times[0] ?? now) <= now - windowMs) this.#times.shift();
    if (this.#times.length >= limit) return (this.#times[0] ?? now) + windowMs - now;
    this.#times.push(now);
    this.last = now;
    return 0;
  }
}

/**
 * One bucket for each client address over everything below `/api`, whichever side answers. It is
 * counted in the process that listens: a flood is to be cheap, and needs no other process to be told.
 */
export const limitApiCalls = (app: FastifyInstance, settings: Settings): void => {
  const { limit, trustedProxies, clock } = settings;
  if (limit === 0) return;
  const clientAddress = createClientAddress(trustedProxies);
  const addresses = new Map<string, Recent>();

  const forgetQuiet = (now: number): void => {
    for (const [address, { last }] of addresses) {
      if (last <= now - windowMs) addresses.delete(address);
    }
  };

  const recentOf = (address: string, now: number): Recent => {
    const known = addresses.get(address);
    if (known !== undefined) return known;
    if (addresses.size >= keptAddresses) forgetQuiet(now);
    const recent = new Recent();
    addresses.set(address, recent);
    return recent;
  };

  app.addHook('onRequest', async (request, reply) => {
    if (!isCounted(request.url.split('?', 1)[0] ?? '')) return;
    const ip = clientAddress(request);
    const now = clock().getTime();
    const waitMs = recentOf(ip, now).take(now, limit);
    if (waitMs === 0) return;
    const code = 'request.too-many';
    const message = messageOf({ code }, languageOf(request.headers['accept-language']));
    await reply
      .status(429)
      .header('retry-after', String(Math.ceil(waitMs / 1_000)))
      .send({ success: false, code, message });
  });
};
