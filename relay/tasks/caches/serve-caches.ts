import { checkAddress } from '../../admission/access.ts';
import type { Incoming } from '../../admission/admitted.ts';
import type { Caller } from '../../admission/caller.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import { type ApiError, isApiError, sendError } from '../../protocol/api-error.ts';
import { createCache } from './create-cache.ts';
import { changeCache, removeCache, serveCache, serveCaches } from './read-caches.ts';
import type { CacheRoute } from './routes.ts';

type Asked = Readonly<{ route: CacheRoute; caller: Caller; raw: Buffer }>;

/** Each of these calls the provider, a list once for each cache. */
const limitReached = async (
  { options, rateLimiter }: RelayCore,
  { res }: Incoming,
  caller: Caller,
): Promise<ApiError | null> => {
  const limits = options.current().rateLimits;
  if (limits === null) return null;
  const counted = await rateLimiter.count(caller, limits);
  if (isApiError(counted)) return counted;
  res.on('close', () => {
    if (!res.headersSent || res.statusCode >= 400) counted.failed();
  });
  return null;
};

const serveRoute = (
  core: RelayCore,
  incoming: Incoming,
  { route, caller, raw }: Asked,
): Promise<void> => {
  switch (route.kind) {
    case 'cache-order':
      return createCache(core, incoming, { caller, raw });
    case 'caches':
      return serveCaches(core, incoming, caller);
    case 'cache':
      return serveCache(core, incoming, { caller, name: route.name });
    case 'cache-change':
      return changeCache(core, incoming, { caller, name: route.name, raw });
    case 'cache-removal':
      return removeCache(core, incoming, { caller, name: route.name });
  }
};

/** Context caches of Gemini, in its own API. */
export const serveCacheRoute = async (
  core: RelayCore,
  incoming: Incoming,
  asked: Asked,
): Promise<void> => {
  const { caller } = asked;
  const refused =
    checkAddress(caller, core.clientAddress(incoming.req)) ??
    (await limitReached(core, incoming, caller));
  if (refused === null) await serveRoute(core, incoming, asked);
  else sendError(incoming.res, refused, incoming.requestId);
};
