import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ZodError } from 'zod';
import type { Clock } from '../../infra/ports/clock.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import { type Language, languageOf } from './language.ts';
import { RefusedError, refusalBody } from './refusals.ts';
import { newRequestId } from './request-id.ts';
import { type RouteKey, routeAccess } from './route-access.ts';
import type { Caller, createSignIn } from './sign-in.ts';

/** One read on its way through a route. */
export type Call = Readonly<{
  query: unknown;
  params: unknown;
  language: Language;
  /** Who asks; null on public routes and for visitors. */
  visitor: Caller | null;
}>;
/** A route that knows who asks. */
export type SignedCall = Call & Readonly<{ caller: Caller }>;

/** Members beside `success` and `message`: `data`, and what else a call of the sheet has. */
export type Answer = Readonly<{ data: unknown } & Record<string, unknown>>;
export type Handler = (call: SignedCall) => Promise<Answer>;
export type Routes = Readonly<Partial<Record<RouteKey, Handler>>>;

export const ok = (data: unknown): Answer => ({ data });

type Deps = Readonly<{
  signIn: ReturnType<typeof createSignIn>;
  logger: Logger;
  clock: Clock;
}>;

const describe = (error: ZodError): string =>
  error.issues.map(({ path, message }) => `${path.join('.') || 'query'}: ${message}`).join('; ');

const sendError = (deps: Deps, error: unknown, request: FastifyRequest, reply: FastifyReply) => {
  const language = languageOf(request.headers['accept-language']);
  if (error instanceof RefusedError) {
    return reply.status(error.status).send(refusalBody(error.code, language, error.detail));
  }
  if (error instanceof ZodError) {
    return reply.status(200).send(refusalBody('request.invalid', language, describe(error)));
  }
  const requestId = String(reply.getHeader('x-request-id') ?? '');
  deps.logger.error({ err: error, requestId, route: request.routeOptions.url }, 'read failed');
  return reply.status(500).send(refusalBody('server.fault', language, requestId));
};

const formsOf = (app: FastifyInstance, url: string): string[] => {
  const bare = url.replace(/\/$/, '');
  const { ignoreTrailingSlash, routerOptions } = app.initialConfig;
  const router = routerOptions as { ignoreTrailingSlash?: boolean } | undefined;
  const forgiving = ignoreTrailingSlash === true || router?.ignoreTrailingSlash === true;
  return forgiving ? [bare] : [bare, `${bare}/`];
};

/** Nobody is signed in on a public route; its handler does not look. */
const nobody: Caller = { id: 0, username: '', role: 0, group: '' };

const answer =
  (deps: Deps, key: RouteKey, handler: Handler) =>
  async (request: FastifyRequest, reply: FastifyReply) => {
    const requestId = newRequestId(deps.clock());
    reply.header('x-request-id', requestId).header('x-oneapi-request-id', requestId);
    reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff');
    const access = routeAccess[key];
    const visitor = access === 'public' ? null : await deps.signIn(request.headers, access);
    const result = await handler({
      query: request.query,
      params: request.params,
      language: languageOf(request.headers['accept-language']),
      visitor,
      caller: visitor ?? nobody,
    });
    return { success: true, message: '', ...result };
  };

/**
 * Serves the routes of all read models, with and without a trailing slash.
 * @throws when a route has no entry in the table of access
 */
export const registerRoutes = async (
  app: FastifyInstance,
  routes: Routes,
  deps: Deps,
): Promise<void> => {
  await app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendError(deps, error, request, reply));
    for (const [key, handler] of Object.entries(routes)) {
      const [method = '', url] = key.split(' ');
      if (!Object.hasOwn(routeAccess, key) || url === undefined) {
        throw new Error(`${key} is not in the table of access`);
      }
      for (const form of formsOf(scope, url)) {
        scope.route({ method, url: form, handler: answer(deps, key as RouteKey, handler) });
      }
    }
  });
};
