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
import {
  bodyLimitOf,
  methodAndUrl,
  pathForms,
  type Returned,
  type RouteDeclaration,
  type RouteInput,
} from '../../infra/web/route.ts';
import type { Access } from '../contract/route.ts';
import { type ReadRoutes, type RouteKey, readRoutes } from '../contract/routes.ts';
import { isStoreAway } from '../runtime/db-errors.ts';
import { type createKeySignIn, KeyRefusedError, keyRefusalBody } from './key-sign-in.ts';
import type { KeyToken } from './lookups.ts';
import { RefusedError, refusalBody } from './refusals.ts';
import type { Caller, createSignIn } from './sign-in.ts';

/** One read on its way through a route. */
export type Call = Readonly<{
  language: Language;
  /** The API key that opened the call; null on all other routes. */
  token: KeyToken | null;
  /** Null on public routes and for visitors. */
  visitor: Caller | null;
  /** Null with an access token, and for visitors. */
  session: Session | null;
  /** Not to be read on public routes. */
  caller: Caller;
}>;
/** A call of this route, with its parsed parts. */
export type CallTo<K extends RouteKey> = Call & RouteInput<ReadRoutes[K]>;

/** Members next to `success` and `message`: `data`, and what else the route declares. */
type Enveloped<T> = Readonly<{ data: T; message?: string }>;
/** An answer in another protocol's form, without the envelope. */
type Bare<T = object> = Readonly<{ bare: T }>;
/** A file of any length, sent while it is made. */
type Download = Readonly<{
  download: Readonly<{ name: string; type: string; chunks: AsyncIterable<string> }>;
}>;
/** Server-sent events, until one side hangs up. */
type Events = Readonly<{ events: AsyncIterable<string> }>;
type AnyAnswer = Enveloped<unknown> | Bare | Download | Events;

type WithExtra<X> = X extends undefined ? unknown : X;
type AnswerOf<D> =
  D extends Readonly<{ row: unknown }>
    ? Download
    : D extends Readonly<{ event: unknown }>
      ? Events
      : D extends Readonly<{ bare: unknown }>
        ? Bare<Returned<D, 'bare'>>
        : Enveloped<Returned<D, 'data'>> & WithExtra<Returned<D, 'extra'>>;

type Handler<D> = (call: Call & RouteInput<D>) => Promise<AnswerOf<D>>;
/** A handler for each route of a declared table: `METHOD path`, and what answers. */
export type Handlers<T> = { readonly [K in keyof T]: Handler<T[K]> };
type InputParts = Readonly<Record<keyof RouteInput<unknown>, unknown>>;
type AnyHandler = (call: Call & InputParts) => Promise<AnyAnswer>;

export const ok = <T>(data: T) => ({ data });
export const bare = <T extends object>(answer: T) => ({ bare: answer });

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

/** How a body is refused that the server could not take; null for every other error. */
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

/** The caller of a public route, which its handler does not read. */
const noCaller: Caller = { id: 0, username: '', role: 0, group: '' };

const identify = async (
  { signIn, keySignIn }: Deps,
  access: Access,
  request: FastifyRequest,
): Promise<Pick<Call, 'visitor' | 'session' | 'token'>> => {
  if (access === 'public') return { visitor: null, session: null, token: null };
  if (access !== 'token') {
    const signedIn = await signIn(request.headers, access);
    return { visitor: signedIn?.caller ?? null, session: signedIn?.session ?? null, token: null };
  }
  const { token, owner } = await keySignIn(request);
  return { visitor: owner, session: null, token };
};

const sendFile = (reply: FastifyReply, { download: { name, type, chunks } }: Download) =>
  reply
    .type(type)
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(Readable.from(chunks, { objectMode: false }));

/** `x-accel-buffering`: a proxy in front passes each event on at once. */
const sendEvents = (reply: FastifyReply, { events }: Events) =>
  reply
    .type('text/event-stream')
    .header('x-accel-buffering', 'no')
    .send(Readable.from(events, { objectMode: false }));

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

/** @throws ZodError */
const inputOf = (
  { params, query, body }: RouteDeclaration,
  request: FastifyRequest,
): InputParts => ({
  params: params?.parse(request.params),
  query: query?.parse(request.query),
  body: body?.parse(request.body ?? {}),
  statusBody: undefined,
});

const answer =
  (deps: Deps, key: RouteKey, handle: AnyHandler) =>
  async (request: FastifyRequest, reply: FastifyReply) => {
    const requestId = newRequestId(deps.clock());
    reply.header('x-request-id', requestId).header('x-oneapi-request-id', requestId);
    reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff');
    if (key.startsWith('POST ') && isForgedByAnotherSite(request.headers)) {
      throw new RefusedError('request.cross-site', 403);
    }
    const { access } = readRoutes[key];
    const { visitor, session, token } = await identify(deps, access, request);
    if (access === 'token') reply.header('access-control-allow-origin', '*');
    const result = await handle({
      ...inputOf(readRoutes[key], request),
      language: languageOf(request.headers['accept-language']),
      token,
      visitor,
      session,
      caller: visitor ?? noCaller,
    });
    if ('download' in result) return sendFile(reply, result);
    if ('events' in result) return sendEvents(reply, result);
    return 'bare' in result ? result.bare : { success: true, message: '', ...result };
  };

/** Serves the declared routes of all read models, with and without a trailing slash, and no other. */
export const registerRoutes = async (
  app: FastifyInstance,
  handlers: Handlers<ReadRoutes>,
  deps: Deps,
): Promise<void> => {
  await app.register(async (scope) => {
    acceptJson(scope);
    scope.setErrorHandler((error, request, reply) => sendError(deps, error, { request, reply }));
    for (const key of Object.keys(readRoutes) as RouteKey[]) {
      const { method, url } = methodAndUrl(key);
      const handler = answer(deps, key, handlers[key] as AnyHandler);
      const bodyLimit = bodyLimitOf(readRoutes[key]);
      for (const form of pathForms(url, scope.initialConfig)) {
        scope.route({ method, url: form, bodyLimit, handler });
      }
    }
  });
};
