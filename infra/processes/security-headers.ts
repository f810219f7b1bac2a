import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyRequest } from 'fastify';

type Settings = Readonly<{
  /** The site, or this request, is reached over TLS. */
  isHttps: (request: FastifyRequest) => boolean;
}>;

const yearSeconds = 31_536_000;
const anywhere = ['https:', 'http:'];

/**
 * What a page of the console may load. Scripts of this origin, and of the check for people that a
 * login page can show; pictures and framed pages of the origins that the operator allows.
 */
const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    'default-src': ["'self'"],
    'script-src': ["'self'", 'https://challenges.cloudflare.com'],
    'script-src-attr': ["'none'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:', 'blob:', ...anywhere],
    'media-src': ["'self'", 'data:', 'blob:', ...anywhere],
    'font-src': ["'self'", 'data:'],
    // In addition to the product's own API: the list of releases that the operator names.
    'connect-src': ["'self'", 'https:'],
    'frame-src': anywhere,
    'frame-ancestors': ["'self'"],
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'object-src': ["'none'"],
  },
};

/** Telegram's script makes code of text, so its button has a separate page, framed by ours. */
const policyOfTelegram = [
  "default-src 'none'",
  "script-src 'self' https://telegram.org 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  'img-src https: data:',
  'connect-src https://oauth.telegram.org',
  'frame-src https://oauth.telegram.org',
  "frame-ancestors 'self'",
  "base-uri 'none'",
].join('; ');

/** The headers of every page and of every answer of the API. */
export const addSecurityHeaders = async (
  app: FastifyInstance,
  { isHttps }: Settings,
): Promise<void> => {
  await app.register(helmet, {
    contentSecurityPolicy,
    referrerPolicy: { policy: 'same-origin' },
    // Sent below, as it depends on how the site is reached.
    strictTransportSecurity: false,
    // Only secure origins take these two; logins open windows of other sites.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    // API keys open some answers to pages of other sites.
    crossOriginResourcePolicy: false,
  });
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.url === '/telegram.html') {
      reply.header('content-security-policy', policyOfTelegram);
    }
    if (isHttps(request)) reply.header('strict-transport-security', `max-age=${yearSeconds}`);
  });
};
