import type { FastifyInstance } from 'fastify';
import type { HumanCheck } from '../../infra/ports/human-check.ts';
import { parseJson } from '../../infra/web/parse-json.ts';
import { bodyLimitOf, methodAndUrl, pathForms } from '../../infra/web/route.ts';
import { type RouteKey, type WriteRoutes, writeRoutes } from '../contract/routes.ts';
import type { Visibility } from '../shared/visibility.ts';
import { type AnyAnswer, type Later, ok } from './answer.ts';
import { type Call, type CallDeps, createCall } from './call.ts';
import { createErrorHandler } from './error-handler.ts';
import { createGuard, type GuardDeps } from './guard.ts';
import type { GuessLimits } from './guess-limit.ts';
import type { RateLimitSettings } from './rate-limit.ts';
import { sendAnswer } from './replies.ts';
import { type AnyHandler, declarationOf, type Handlers, hasGuard } from './routes.ts';
import { createStepUp } from './step-up.ts';

type Deps = GuardDeps & CallDeps;

export type HttpSettings = Readonly<{
  trustedProxies: readonly string[];
  criticalLimit?: RateLimitSettings;
  guessLimits?: Partial<GuessLimits>;
  humanCheck: HumanCheck;
}>;

type Parts = Readonly<{ deps: Deps; visibility: Visibility; settings: HttpSettings }>;

/** The facts of a route before its body is read. */
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

const completed = async (answer: AnyAnswer): Promise<Exclude<AnyAnswer, Later<unknown>>> =>
  answer.kind === 'later' ? ok(await answer.read()) : answer;

/** Serves the declared routes of the write side, and no other. */
export const registerRoutes = async (
  app: FastifyInstance,
  handlers: Handlers<WriteRoutes>,
  { deps, visibility, settings }: Parts,
): Promise<void> => {
  const guard = createGuard(deps, settings);
  const stepUp = createStepUp(deps);

  const register = (scope: FastifyInstance, key: RouteKey, handle: AnyHandler): void => {
    const declared = declarationOf(key);
    const { method, url } = methodAndUrl(key);
    for (const form of pathForms(url, scope.initialConfig)) {
      scope.route({
        method,
        url: form,
        bodyLimit: bodyLimitOf(declared),
        config: { takesForm: hasGuard(key, 'form') } satisfies RouteConfig,
        onRequest: guard.admit(key),
        handler: async (request, reply) => {
          const call = createCall(guard.factsOf(request, reply), deps, declared);
          const refused = await stepUp(key, call);
          if (refused) return sendAnswer(reply, refused);
          const answer = await handle(call);
          await settle(call, visibility);
          return sendAnswer(reply, await completed(answer));
        },
      });
    }
  };

  await app.register(async (scope) => {
    acceptBodies(scope);
    scope.setErrorHandler(createErrorHandler(deps.logger));
    for (const key of Object.keys(writeRoutes) as RouteKey[]) {
      register(scope, key, handlers[key] as AnyHandler);
    }
  });
};
