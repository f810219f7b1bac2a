import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ZodError } from 'zod';
import { type Language, languageOf } from '../../domain/access/language.ts';
import type { Session } from '../../domain/access/session.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import { isForgedByAnotherSite } from '../../infra/web/cross-site.ts';
import { parseJson } from '../../infra/web/parse-json.ts';
import { newRequestId } from '../../infra/web/request-id.ts';
import { isStoreAway } from '../runtime/db-errors.ts';
import { type createKeySignIn, KeyRefusedError, keyRefusalBody } from './key-sign-in.ts';
import type { KeyToken } from './lookups.ts';
import { RefusedError, refusalBody } from './refusals.ts';
import { type Access, type RouteKey, routeAccess } from './route-access.ts';
import type { Caller, createSignIn } from './sign-in.ts';

/** One read on its way through a route. */
type Call = Readonly<{
  query: unknown;
  params: unknown;
  /** Of a POST; undefined without one. */
  body: unknown;
  language: Language;
  /** The API key that opened the call; null on all other routes. */
  token: KeyToken | null;
  /** Who asks; null on public routes and for visitors. */
  visitor: Caller | null;
  /** The session that asks; null with an access token, and for visitors. */
  session: Session | null;
}>;
/** A route that knows who asks. */
export type SignedCall = Call & Readonly<{ caller: Caller }>;

/** Members beside `success` and `message`: `data`, and what else the route's contract has. */
export type Answer =
  | Readonly<{ data: unknown } & Record<string, unknown>>
  | Bare
  | Download
  | Events;
/** An answer in another protocol's form, without the envelope. */
type Bare = Readonly<{ bare: object }>;
/** A file of any length, sent while it is made. */
type Download = Readonly<{
  download: Readonly<{ name: string; type: string; chunks: AsyncIterable<string> }>;
}>;
/** Server-sent events, until one side hangs up. */
type Events = Readonly<{ events: AsyncIterable<string> }>;
type Handler = (call: SignedCall) => Promise<Answer>;
export type Routes = Readonly<Partial<Record<RouteKey, Handler>>>;

export const ok = (data: unknown): Answer => ({ data });
export const bare = (answer: object): Answer => ({ bare: answer });

type Deps = Readonly<{
  signIn: ReturnType<typeof createSignIn>;
  keySignIn: ReturnType<typeof createKeySignIn>;
  logger: Logger;
  clock: Clock;
}>;

const describe = (error: ZodError): string =>
  error.issues.map(({ path, message }) => `${path.join('.') || 'query'}: ${message}`).join('; ');

type BodyRefusal = Readonly<{
  status: number;
  code: 'request.too-large' | 'request.malformed';
}>;

/** What the server says of a body that it could not take; null for every other error. */
const refusalOfBody = (error: unknown): BodyRefusal | null => {
  if (!(error instanceof Error) || !('statusCode' in error)) return null;
  if (error.statusCode === 413) return { status: 413, code: 'request.too-large' };
  return Number(error.statusCode) < 500 ? { status: 200, code: 'request.malformed' } : null;
};

type Exchange = Readonly<{ request: FastifyRequest; reply: FastifyReply }>;

const sendError = (deps: Deps, error: unknown, { request, reply }: Exchange) => {
  const language = languageOf(request.headers['accept-language']);
  if (error instanceof RefusedError) {
    return reply.status(error.status).send(refusalBody(error.code, language, error.detail));
  }
  if (error instanceof KeyRefusedError) {
    return reply.status(error.status).send(keyRefusalBody(error));
  }
  if (error instanceof ZodError) {
    return reply.status(200).send(refusalBody('request.invalid', language, describe(error)));
  }
  const refused = refusalOfBody(error);
  if (refused !== null)
    return reply.status(refused.status).send(refusalBody(refused.code, language));
  const requestId = String(reply.getHeader('x-request-id') ?? '');
  if (isStoreAway(error)) {
    deps.logger.warn({ error: String(error), requestId }, 'the database is away');
    return reply.status(503).send(refusalBody('server.unavailable', language));
  }
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

/** Stands for the caller of a public route, whose handler does not read it. */
const noCaller: Caller = { id: 0, username: '', role: 0, group: '' };

const whoAsks = async (
  { signIn, keySignIn }: Deps,
  access: Access,
  { headers }: FastifyRequest,
): Promise<Pick<Call, 'visitor' | 'session' | 'token'>> => {
  if (access === 'public') return { visitor: null, session: null, token: null };
  if (access !== 'token') {
    const signedIn = await signIn(headers, access);
    return { visitor: signedIn?.caller ?? null, session: signedIn?.session ?? null, token: null };
  }
  const { token, owner } = await keySignIn(headers);
  return { visitor: owner, session: null, token };
};

const sendFile = (reply: FastifyReply, { download: { name, type, chunks } }: Download) =>
  reply
    .type(type)
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(Readable.from(chunks, { objectMode: false }));

/** `x-accel-buffering`: a proxy in front hands each event on as it comes. */
const sendEvents = (reply: FastifyReply, { events }: Events) =>
  reply
    .type('text/event-stream')
    .header('x-accel-buffering', 'no')
    .send(Readable.from(events, { objectMode: false }));

/** Reads take a few filters; a dry run takes tables of prices. */
const longBodies: readonly RouteKey[] = ['POST /api/audit/reprice', 'POST /api/data/price_preview'];
const bodyLimitOf = (key: RouteKey): number => (longBodies.includes(key) ? 512 * 1024 : 64 * 1024);

/** Forgiving about the content type and about a body that is not there. */
const acceptJson = (scope: FastifyInstance): void => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => {
    if (text === '') return done(null, undefined);
    try {
      done(null, parseJson(String(text)));
    } catch {
      done(new RefusedError('request.malformed'));
    }
  });
};

const answer =
  (deps: Deps, key: RouteKey, handler: Handler) =>
  async (request: FastifyRequest, reply: FastifyReply) => {
    const requestId = newRequestId(deps.clock());
    reply.header('x-request-id', requestId).header('x-oneapi-request-id', requestId);
    reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff');
    if (key.startsWith('POST ') && isForgedByAnotherSite(request.headers)) {
      throw new RefusedError('request.cross-site', 403);
    }
    const access = routeAccess[key];
    const { visitor, session, token } = await whoAsks(deps, access, request);
    if (access === 'token') reply.header('access-control-allow-origin', '*');
    const result = await handler({
      query: request.query,
      params: request.params,
      body: request.body,
      language: languageOf(request.headers['accept-language']),
      token,
      visitor,
      session,
      caller: visitor ?? noCaller,
    });
    if ('download' in result) return sendFile(reply, result as Download);
    if ('events' in result) return sendEvents(reply, result as Events);
    return 'bare' in result ? result.bare : { success: true, message: '', ...result };
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
    acceptJson(scope);
    scope.setErrorHandler((error, request, reply) => sendError(deps, error, { request, reply }));
    for (const [key, handler] of Object.entries(routes)) {
      const [method = '', url] = key.split(' ');
      if (!Object.hasOwn(routeAccess, key) || url === undefined) {
        throw new Error(`${key} is not in the table of access`);
      }
      for (const form of formsOf(scope, url)) {
        const handle = answer(deps, key as RouteKey, handler);
        scope.route({
          method,
          url: form,
          bodyLimit: bodyLimitOf(key as RouteKey),
          handler: handle,
        });
      }
    }
  });
};
