import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyRequest } from 'fastify';

type Settings = Readonly<{
  /** The site, or this request, is reached over TLS. */
  isHttps: (request: FastifyRequest) => boolean;
}>;

const yearSeconds = 31_536_000;
const anywhere = ['https:', 'http:'];

/**
 * What a page of the console may load. Scripts come from here, and from the two services that
 * a login page can show; pictures and framed pages from wherever the operator says.
 */
const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    'default-src': ["'self'"],
    'script-src': ["'self'", 'https://challenges.cloudflare.com', 'https://telegram.org'],
    'script-src-attr': ["'none'"],
    'style-src': ["'self'"],
    // Lists that scroll virtually, and drawers, set sizes on their elements.
    'style-src-attr': ["'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:', ...anywhere],
    'media-src': ["'self'", 'data:', 'blob:', ...anywhere],
    'font-src': ["'self'", 'data:'],
    // Beside the product's own API: the list of releases that the operator names.
    'connect-src': ["'self'", 'https:'],
    'frame-src': anywhere,
    'frame-ancestors': ["'self'"],
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'object-src': ["'none'"],
  },
};

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
    if (isHttps(request)) reply.header('strict-transport-security', `max-age=${yearSeconds}`);
  });
};
