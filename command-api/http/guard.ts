import type { FastifyReply, FastifyRequest } from 'fastify';
import { languageOf } from '../../domain/access/language.ts';
import { reject } from '../../domain/shared/decider.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { HumanCheck } from '../../infra/ports/human-check.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { SessionUse, SessionVerifier } from '../../infra/ports/sessions.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import { createClientAddress } from '../../infra/web/client-address.ts';
import { newRequestId } from '../../infra/web/request-id.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import { type RouteKey, writeRoutes } from '../contract/routes.ts';
import type { Claims } from '../identity/claims.ts';
import type { SiteOptions } from '../options/site-options.ts';
import type { CallFacts } from './call.ts';
import { createGuessLimit, type GuessLimits, guessLimits } from './guess-limit.ts';
import { createHumanCheck, type HumanProof } from './human-check.ts';
import { refusalOfOtherSites } from './other-sites.ts';
import {
  createRateLimit,
  criticalLimit,
  criticalSubject,
  type RateLimitSettings,
} from './rate-limit.ts';
import { refuse } from './replies.ts';
import { createRequestMetadata } from './request-metadata.ts';
import { hasGuard } from './routes.ts';
import { type Caller, createSignIn } from './sign-in.ts';

export type GuardDeps = Readonly<{
  bus: Bus;
  vault: Vault;
  sessionVerifier: SessionVerifier;
  sessionUse: SessionUse;
  clock: Clock;
  logger: Logger;
  commands: CommandHandler;
  claims: Claims;
  options: SiteOptions;
}>;

type Settings = Readonly<{
  trustedProxies: readonly string[];
  criticalLimit?: RateLimitSettings;
  guessLimits?: Partial<GuessLimits>;
  humanCheck: HumanCheck;
}>;

type Asked = Readonly<{ key: RouteKey; request: FastifyRequest; ip: string; human: HumanProof }>;
type Passed = Readonly<{
  caller: Caller | null;
  ip: string;
  requestId: string;
  human: HumanProof;
}>;

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'SAMEORIGIN',
  'cache-control': 'no-store',
};

/** Runs before every route: names the request, counts, signs in. The body is not read before. */
export const createGuard = (deps: GuardDeps, settings: Settings) => {
  const { bus, clock, vault } = deps;
  const signIn = createSignIn(deps);
  const clientAddress = createClientAddress(settings.trustedProxies);
  const takeGuess = createGuessLimit(deps, { ...guessLimits, ...settings.guessLimits });
  const rateLimit = createRateLimit({ bus, vault }, settings.criticalLimit ?? criticalLimit);
  const humanCheck = createHumanCheck(deps, settings.humanCheck);
  const metadataOf = createRequestMetadata(vault, clock);
  const passed = new WeakMap<FastifyRequest, Passed>();

  /** Stops pages of other sites and guessing machines; null lets the request pass. */
  const barrier = async ({ key, request, ip, human }: Asked) => {
    const forged = refusalOfOtherSites(key, request.headers);
    if (forged) return forged;
    if (hasGuard(key, 'rate-limited') && !(await rateLimit.take(criticalSubject(ip)))) {
      return { status: 429, ...reject('request.too-many') };
    }
    const machine = hasGuard(key, 'human') ? await human.known() : null;
    return machine === null ? null : { status: 200, ...machine };
  };

  return {
    /** For `onRequest`. A reply that it sends ends the request. */
    admit: (key: RouteKey) => async (request: FastifyRequest, reply: FastifyReply) => {
      const ip = clientAddress(request);
      const requestId = newRequestId(clock());
      const names = { 'x-request-id': requestId, 'x-oneapi-request-id': requestId };
      reply.headers({ ...securityHeaders, ...names });
      const human = humanCheck({ request, reply, ip });
      const barred = await barrier({ key, request, ip, human });
      if (barred) return refuse(reply, barred.status, barred);
      const { access } = writeRoutes[key];
      const caller = access === 'public' ? null : await signIn(request.headers, access);
      if (caller && 'status' in caller) return refuse(reply, caller.status, caller);
      passed.set(request, { caller, ip, requestId, human });
      return undefined;
    },

    /** The facts of an admitted request, its body included. */
    factsOf: (request: FastifyRequest, reply: FastifyReply): CallFacts => {
      const known = passed.get(request);
      if (!known) throw new Error('a request passed without the access check');
      const { caller, ip, human } = known;
      return {
        request,
        reply,
        ip,
        caller,
        human,
        rateLimit,
        takeGuess,
        language: languageOf(request.headers['accept-language']),
        metadata: metadataOf({ request, ...known }),
        isRepeatable: request.headers['idempotency-key'] !== undefined,
      };
    },
  };
};
