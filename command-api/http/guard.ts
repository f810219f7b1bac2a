import type { FastifyReply, FastifyRequest } from 'fastify';
import { languageOf } from '../../domain/access/language.ts';
import { reject } from '../../domain/shared/decider.ts';
import type { HumanCheck } from '../../infra/ports/human-check.ts';
import { createClientAddress } from '../../infra/web/client-address.ts';
import { newRequestId } from '../../infra/web/request-id.ts';
import type { Services } from '../services.ts';
import type { CallFacts } from './call.ts';
import { createHumanCheck } from './human-check.ts';
import { createRateLimit, criticalLimit, type RateLimitSettings } from './rate-limit.ts';
import { refuse } from './replies.ts';
import { createRequestMetadata } from './request-metadata.ts';
import { criticalRoutes, humanRoutes, type RouteKey, routeAccess } from './route-access.ts';
import { type Caller, createSignIn } from './sign-in.ts';

type Settings = Readonly<{
  trustedProxies: readonly string[];
  criticalLimit?: RateLimitSettings;
  humanCheck: HumanCheck;
}>;

type Asked = Readonly<{ key: RouteKey; request: FastifyRequest; reply: FastifyReply; ip: string }>;
type Passed = Readonly<{ caller: Caller | null; ip: string; requestId: string }>;

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'SAMEORIGIN',
  'cache-control': 'no-store',
};

/** Stands before every route: names the request, counts, signs in. The body is not read before. */
export const createGuard = (services: Services, settings: Settings) => {
  const { bus, clock, vault } = services;
  const signIn = createSignIn(services);
  const clientAddress = createClientAddress(settings.trustedProxies);
  const rateLimit = createRateLimit({ bus, clock, vault }, settings.criticalLimit ?? criticalLimit);
  const humanCheck = createHumanCheck(services, settings.humanCheck);
  const metadataOf = createRequestMetadata(vault, clock);
  const passed = new WeakMap<FastifyRequest, Passed>();

  /** Stops machines that guess; null lets the request go on. */
  const barrier = async ({ key, ...asked }: Asked) => {
    if (criticalRoutes.has(key) && !(await rateLimit.take(`ip/${asked.ip}`))) {
      return { status: 429, ...reject('request.too-many') };
    }
    const machine = humanRoutes.has(key) ? await humanCheck(asked) : null;
    return machine === null ? null : { status: 200, ...machine };
  };

  return {
    /** For `onRequest`. A reply that it sends ends the request. */
    admit: (key: RouteKey) => async (request: FastifyRequest, reply: FastifyReply) => {
      const ip = clientAddress(request);
      const requestId = newRequestId(clock());
      const names = { 'x-request-id': requestId, 'x-oneapi-request-id': requestId };
      reply.headers({ ...securityHeaders, ...names });
      const barred = await barrier({ key, request, reply, ip });
      if (barred) return refuse(reply, barred.status, barred);
      const access = routeAccess[key];
      const caller = access === 'public' ? null : await signIn(request.headers, access);
      if (caller && 'status' in caller) return refuse(reply, caller.status, caller);
      passed.set(request, { caller, ip, requestId });
      return undefined;
    },

    /** What is known of an admitted request, its body included. */
    factsOf: (request: FastifyRequest, reply: FastifyReply): CallFacts => {
      const known = passed.get(request);
      if (!known) throw new Error('a request came past the guard');
      const { caller, ip } = known;
      return {
        request,
        reply,
        ip,
        caller,
        rateLimit,
        language: languageOf(request.headers['accept-language']),
        metadata: metadataOf({ request, ...known }),
        isRepeatable: request.headers['idempotency-key'] !== undefined,
      };
    },
  };
};
