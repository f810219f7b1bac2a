import type { FastifyInstance } from 'fastify';
import type { HumanCheck } from '../../infra/ports/human-check.ts';
import { parseJson } from '../../infra/web/parse-json.ts';
import type { Visibility } from '../shared/visibility.ts';
import type { Answer } from './answer.ts';
import { bodyLimitOf } from './body-limits.ts';
import { type Call, type CallDeps, createCall } from './call.ts';
import { createErrorHandler } from './error-handler.ts';
import { createGuard, type GuardDeps } from './guard.ts';
import type { GuessLimits } from './guess-limit.ts';
import type { RateLimitSettings } from './rate-limit.ts';
import { sendAnswer } from './replies.ts';
import { formRoutes, type RouteKey, routeAccess } from './route-access.ts';
import { endpointOf, formsOf, type Handler, type Routes } from './routes.ts';
import { createStepUp } from './step-up.ts';

type Deps = GuardDeps & CallDeps;

export type HttpSettings = Readonly<{
  trustedProxies: readonly string[];
  criticalLimit?: RateLimitSettings;
  guessLimits?: Partial<GuessLimits>;
  humanCheck: HumanCheck;
}>;

type Parts = Readonly<{ deps: Deps; visibility: Visibility; settings: HttpSettings }>;

const isRouteKey = (key: string): key is RouteKey => Object.hasOwn(routeAccess, key);

/** What is known of a route before its body is read. */
type RouteConfig = Readonly<{ takesForm?: boolean }>;

/** Forgiving about the content type, as clients of the field are careless with it. */
const acceptBodies = (scope: FastifyInstance): void => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') return done(null, undefined);
    if ((request.routeOptions.config as RouteConfig).takesForm === true) {
      return done(null, Object.fromEntries(new URLSearchParams(String(text))));
    }
    try {
      done(null, parseJson(String(text)));
    } catch (error) {
      done(error instanceof Error ? error : new SyntaxError('not JSON'));
    }
  });
};

/** Waits until readers show what this call wrote, so that no list lacks it. */
const settle = async (call: Call, visibility: Visibility): Promise<void> => {
  if (call.commits.length === 0) return;
  let position = 0n;
  for (const commit of call.commits) if (commit.position > position) position = commit.position;
  const hasConsequences = call.commits.some((commit) => commit.hasConsequences);
  const seen = await visibility.wait({ position, hasConsequences });
  if (seen === 'lagging') call.reply.header('x-read-model', 'lagging');
};

const completed = async (answer: Answer): Promise<Answer> =>
  answer.kind === 'ok' && answer.lateData ? { ...answer, data: await answer.lateData() } : answer;

/** Serves the routes of the write side; each one stands in the access table or nothing starts. */
export const registerRoutes = async (
  app: FastifyInstance,
  routes: readonly Routes[],
  { deps, visibility, settings }: Parts,
): Promise<void> => {
  const guard = createGuard(deps, settings);
  const stepUp = createStepUp(deps);

  const register = (scope: FastifyInstance, key: string, answer: Handler): void => {
    if (!isRouteKey(key)) throw new Error(`${key} is missing in the table of route access`);
    const { method, url } = endpointOf(key);
    for (const form of formsOf(scope, url)) {
      scope.route({
        method,
        url: form,
        bodyLimit: bodyLimitOf(key),
        config: { takesForm: formRoutes.has(key) } satisfies RouteConfig,
        onRequest: guard.admit(key),
        handler: async (request, reply) => {
          const call = createCall(guard.factsOf(request, reply), deps);
          const refused = await stepUp(key, call);
          if (refused) return sendAnswer(reply, refused);
          const answered = await answer(call);
          await settle(call, visibility);
          return sendAnswer(reply, await completed(answered));
        },
      });
    }
  };

  await app.register(async (scope) => {
    acceptBodies(scope);
    scope.setErrorHandler(createErrorHandler(deps.logger));
    for (const [key, answer] of routes.flatMap((some) => Object.entries(some))) {
      register(scope, key, answer);
    }
  });
};
