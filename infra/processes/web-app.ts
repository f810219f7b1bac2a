import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import Fastify, { type FastifyInstance } from 'fastify';
import { limitApiCalls } from './api-rate-limit.ts';
import { projectPath } from './entries.ts';
import type { Foundation } from './foundation.ts';
import { registerOpenApi } from './openapi/register.ts';

/** A room that runs in this process: it may offer routes, and says whether it can serve. */
export type Part = Readonly<{
  name: string;
  register?: (app: FastifyInstance) => Promise<void>;
  start: () => Promise<void>;
  stop: () => Promise<void>;
  ready: () => Readonly<{ ok: boolean; detail: unknown }>;
}>;

const consoleFolder = projectPath('console', 'dist');

export const productVersion = (): string => {
  const text = readFileSync(projectPath('package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
};

/** Paths that belong to an API: unknown ones below them are 404, never the console's page. */
const ofAnApi = /^\/(api|v1|v1beta|pg|mj|suno|dashboard|assets)(\/|$)/;

const registerHealth = (app: FastifyInstance, { metrics }: Foundation, parts: readonly Part[]) => {
  app.get('/healthz', async () => ({ ok: true }));
  app.get('/readyz', async (_, reply) => {
    const states = parts.map(({ name, ready }) => ({ name, ...ready() }));
    const ok = states.every((state) => state.ok);
    return reply.status(ok ? 200 : 503).send({ ok, parts: states });
  });
  app.get('/metrics', async (_, reply) =>
    reply.type('text/plain; version=0.0.4').send(await metrics.text()),
  );
};

/** The built console, and its page for every path that is nobody's. */
const registerConsole = async (app: FastifyInstance): Promise<void> => {
  const built = existsSync(join(consoleFolder, 'index.html'));
  if (built) {
    await app.register(fastifyStatic, {
      root: consoleFolder,
      wildcard: false,
      index: false,
      immutable: true,
      // The build leaves a brotli and a gzip form beside each file.
      preCompressed: true,
      maxAge: '7d',
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

/** One Fastify app for the rooms of this process, with health, readiness and metrics. */
export const createWebApp = async (
  foundation: Foundation,
  parts: readonly Part[],
  options: Readonly<{ console: boolean }>,
): Promise<FastifyInstance> => {
  const app = Fastify({
    logger: false,
    bodyLimit: foundation.config.maxBodyMb * 1024 * 1024,
    routerOptions: { ignoreTrailingSlash: true },
    forceCloseConnections: true,
  });
  const { config, clock } = foundation;
  const { apiRateLimit: limit, trustedProxies } = config;
  limitApiCalls(app, { limit, trustedProxies, clock });
  registerOpenApi(app, productVersion());
  registerHealth(app, foundation, parts);
  if (options.console) await registerConsole(app);
  for (const { register } of parts) await register?.(app);
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
