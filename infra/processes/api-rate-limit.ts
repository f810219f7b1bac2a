import type { FastifyInstance, FastifyRequest } from 'fastify';
import { messageOf } from '../../command-api/http/rejection-messages.ts';
import { languageOf } from '../../domain/access/language.ts';
import type { Clock } from '../ports/clock.ts';
import type { ClientAddress } from '../web/client-address.ts';
import { callerOf } from '../web/network.ts';
import type { SignedInUser } from './signed-in-user.ts';

type Settings = Readonly<{
  /** Calls within the window of one address (IPv6: of one /64); 0 counts nothing. */
  limit: number;
  /** The same of one signed-in user, wherever they call from; 0 counts nothing. */
  userLimit: number;
  clientAddress: ClientAddress;
  signedInUser: SignedInUser;
  clock: Clock;
}>;

const windowMs = 180_000;
/** Beyond this many callers the one that was quiet for longest is dropped. */
const keptCallers = 20_000;

/**
 * Payment notices of a site are sent from a few addresses, and their signature keeps strangers out.
 */
const uncounted: ReadonlySet<string> = new Set(['/api/user/lantu/notify', '/api/user/epay/notify']);

const decoded = (url: string): string => {
  const path = url.split(/[?#;]/, 1)[0] ?? '';
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/** The route that the router chose, however the address was written; the address where there is none. */
const routeOf = (request: FastifyRequest): string =>
  request.routeOptions.url ?? decoded(request.url);

const isCounted = (route: string): boolean =>
  /^\/(api|dashboard|v1\/dashboard)(\/|$)/.test(route) && !uncounted.has(route);

/** The accept times of one caller, oldest first. Refused calls are not among them. */
class Recent {
  readonly #times: number[] = [];

  /** 0 when the call is let through, else milliseconds until the next one will be. */
  take(now: number, limit: number): number {
    if (limit === 0) return 0;
    while (this.#times.length > 0 && (this.#times[0] ?? now) <= now - windowMs) this.#times.shift();
    if (this.#times.length >= limit) return (this.#times[0] ?? now) + windowMs - now;
    this.#times.push(now);
    return 0;
  }
}

class Callers {
  readonly #recent = new Map<string, Recent>();

  of(caller: string): Recent {
    const known = this.#recent.get(caller) ?? new Recent();
    // Kept in the order of last use.
    this.#recent.delete(caller);
    this.#recent.set(caller, known);
    if (this.#recent.size > keptCallers) this.#forgetOldest();
    return known;
  }

  #forgetOldest(): void {
    for (const caller of this.#recent.keys()) {
      this.#recent.delete(caller);
      return;
    }
  }
}

/**
 * Everything below `/api`, whichever side answers: one bucket for each signed-in user, and one for
 * each address of other callers. Counted in the process that listens: a flood is to be
 * cheap, and needs no word from other processes.
 */
export const limitApiCalls = (app: FastifyInstance, settings: Settings): void => {
  const { limit, userLimit, clientAddress, signedInUser, clock } = settings;
  const callers = new Callers();

  /** Milliseconds to wait; 0: not at all. */
  const take = async ({ raw: { headers, socket } }: FastifyRequest): Promise<number> => {
    const now = clock().getTime();
    const ofUser = (userId: number): number => callers.of(`user/${userId}`).take(now, userLimit);
    const known = signedInUser.known(headers, now);
    if (typeof known === 'number') return ofUser(known);
    const network = callerOf(clientAddress({ headers, socket }));
    // A look-up costs a query: no address has more of them than calls.
    if (known === 'ask' && callers.of(`ask/${network}`).take(now, limit) === 0) {
      const found = await signedInUser.find(headers, now);
      if (found !== null) return ofUser(found);
    }
    return callers.of(network).take(now, limit);
  };

  app.addHook('onRequest', async (request, reply) => {
    if (!isCounted(routeOf(request))) return;
    const waitMs = await take(request);
    if (waitMs === 0) return;
    const code = 'request.too-many';
    const message = messageOf({ code }, languageOf(request.headers['accept-language']));
    await reply
      .status(429)
      .header('retry-after', String(Math.ceil(waitMs / 1_000)))
      .send({ success: false, code, message });
  });
};
