import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import Fastify, { type FastifyInstance } from 'fastify';
import type { SessionVerifier } from '../ports/sessions.ts';
import { createBodyShares } from '../web/body-shares.ts';
import { createClientAddress, createForwardedProtocol } from '../web/client-address.ts';
import { createHttpServer, type ServerLimits } from '../web/http-server.ts';
import { limitApiCalls } from './api-rate-limit.ts';
import { limitBodyMemory } from './body-memory.ts';
import { projectPath } from './entry-paths.ts';
import { areReady, type ModuleState } from './health.ts';
import { productVersion } from './product-version.ts';
import { registerOpenApi } from './register-openapi.ts';
import type { Runtime } from './runtime.ts';
import { addSecurityHeaders } from './security-headers.ts';
import { consoleBodyBytes } from './server-limits.ts';
import { createSignedInUser } from './signed-in-user.ts';
import { answerBadAddress, answerErrors } from './web-errors.ts';

/** A room that runs in this process: it may offer routes, and reports whether it can serve. */
export type ServerModule = Readonly<{
  name: string;
  register?: (app: FastifyInstance) => Promise<void>;
  /** Whose access token has this SHA-256. */
  tokenOwner?: (hash: string) => Promise<number | null>;
  start: () => Promise<void>;
  stop: () => Promise<void>;
  ready: () => Readonly<{ ok: boolean; detail: unknown }>;
}>;

export type WebAppOptions = Readonly<{
  console: boolean;
  limits: ServerLimits;
  /** Whether the operator states that the site is reached over TLS. */
  isHttps: () => boolean;
  sessionVerifier: SessionVerifier;
}>;

const consoleFolder = projectPath('console', 'dist');
/** Routes that accept more declare it. */
const defaultBodyBytes = 64 * 1024;

/** Paths that belong to an API: unknown ones below them are 404, never the console's page. */
const ofAnApi = /^\/(api|v1|v1beta|v2|openai|pg|mj|suno|dashboard|assets|metrics|ws)(\/|$)/;

export const statesOf = (modules: readonly ServerModule[]): readonly ModuleState[] =>
  modules.map(({ name, ready }) => ({ name, ...ready() }));

/** Public state. Details and metrics have a port of their own, see `metrics-server.ts`. */
const registerHealth = (app: FastifyInstance, modules: readonly ServerModule[]) => {
  app.get('/healthz', async () => ({ ok: true }));
  app.get('/readyz', async (_, reply) => {
    const ok = areReady(statesOf(modules));
    return reply.status(ok ? 200 : 503).send({ ok });
  });
};

/** The built console, and its page for every path that no route serves. */
const registerConsole = async (app: FastifyInstance): Promise<void> => {
  const built = existsSync(join(consoleFolder, 'index.html'));
  if (built) {
    await app.register(fastifyStatic, {
      root: consoleFolder,
      wildcard: false,
      index: false,
      immutable: true,
      // The build writes a brotli and a gzip form next to each file.
      preCompressed: true,
      maxAge: '7d',
      // Only names below /assets change with what is in them.
      setHeaders: (reply, path) => {
        if (!path.includes('/assets/')) reply.header('cache-control', 'no-cache');
      },
    });
  }
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '/';
    if (built && request.method === 'GET' && !ofAnApi.test(path)) {
      return reply.header('cache-control', 'no-cache').sendFile('index.html', {
        cacheControl: false,
      });
    }
    const message = `There is no ${request.method} ${path}.`;
    return reply.status(404).send({
      success: false,
      code: 'request.unknown-path',
      message,
      error: { message, type: 'invalid_request_error', param: '', code: '' },
    });
  });
};

/** What every request meets before its route. */
type Limiting = Pick<WebAppOptions, 'sessionVerifier'> &
  Readonly<{ modules: readonly ServerModule[] }>;

const registerLimits = (
  app: FastifyInstance,
  { config, clock }: Runtime,
  { modules, sessionVerifier }: Limiting,
): void => {
  const clientAddress = createClientAddress(config.trustedProxies);
  limitApiCalls(app, {
    limit: config.apiRateLimit,
    userLimit: config.apiUserRateLimit,
    clientAddress,
    signedInUser: createSignedInUser({
      openSession: sessionVerifier.verify,
      tokenOwner: modules.find(({ tokenOwner }) => tokenOwner !== undefined)?.tokenOwner ?? null,
    }),
    clock,
  });
  limitBodyMemory(app, { shares: createBodyShares(consoleBodyBytes(config)), clientAddress });
};

/** One Fastify app for the rooms of this process, with health, limits and security headers. */
export const createWebApp = async (
  runtime: Runtime,
  modules: readonly ServerModule[],
  options: WebAppOptions,
): Promise<FastifyInstance> => {
  const app = Fastify({
    logger: false,
    bodyLimit: defaultBodyBytes,
    routerOptions: { ignoreTrailingSlash: true },
    forceCloseConnections: true,
    frameworkErrors: answerBadAddress,
    serverFactory: (handle) => createHttpServer({ limits: options.limits, handle }),
  });
  answerErrors(app, runtime.logger);
  const protocolOf = createForwardedProtocol(runtime.config.trustedProxies);
  app.addHook('onRequest', async ({ raw }) => {
    // Later hooks read the protocol that a trusted proxy reported.
    raw.headers['x-forwarded-proto'] = protocolOf(raw);
  });
  await addSecurityHeaders(app, {
    isHttps: ({ raw }) => options.isHttps() || raw.headers['x-forwarded-proto'] === 'https',
  });
  registerLimits(app, runtime, { modules, sessionVerifier: options.sessionVerifier });
  registerOpenApi(app, productVersion());
  registerHealth(app, modules);
  if (options.console) await registerConsole(app);
  for (const { register } of modules) await register?.(app);
  return app;
};

/** Listens, and answers the port that was taken. */
export const listen = async (
  app: FastifyInstance,
  at: Readonly<{ host: string; port: number }>,
): Promise<number> => {
  await app.listen(at);
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP address');
  return address.port;
};
