import type { Incoming } from '../../admission/admitted.ts';
import type { Caller } from '../../admission/caller.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import { createCache } from './create-cache.ts';
import { changeCache, removeCache, serveCache, serveCaches } from './read-caches.ts';
import type { CacheRoute } from './routes.ts';

type Asked = Readonly<{ route: CacheRoute; caller: Caller; raw: Buffer }>;

/** Context caches of Gemini, in its own API. */
export const serveCacheRoute = (
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
