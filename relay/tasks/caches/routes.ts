export type CacheRoute =
  | Readonly<{ kind: 'cache-order' }>
  | Readonly<{ kind: 'caches' }>
  | Readonly<{ kind: 'cache'; name: string }>
  | Readonly<{ kind: 'cache-change'; name: string }>
  | Readonly<{ kind: 'cache-removal'; name: string }>;

const cachePath = /^\/v1beta\/(cachedContents(?:\/[\w-]{1,200})?)$/;
const list = 'cachedContents';

/** Also with a query. */
export const isCachePath = (url: string): boolean => {
  const query = url.indexOf('?');
  return cachePath.test(query === -1 ? url : url.slice(0, query));
};

const kinds: ReadonlySet<string> = new Set([
  ...['cache-order', 'caches', 'cache', 'cache-change', 'cache-removal'],
]);
export const isCacheRoute = (route: Readonly<{ kind: string }>): route is CacheRoute =>
  kinds.has(route.kind);

/** `path` is without query. */
export const cacheRouteOf = (method: string, path: string): CacheRoute | null => {
  const [, name = ''] = cachePath.exec(path) ?? [];
  if (name === list) {
    if (method === 'POST') return { kind: 'cache-order' };
    return method === 'GET' ? { kind: 'caches' } : null;
  }
  if (name === '') return null;
  switch (method) {
    case 'GET':
      return { kind: 'cache', name };
    case 'PATCH':
      return { kind: 'cache-change', name };
    case 'DELETE':
      return { kind: 'cache-removal', name };
    default:
      return null;
  }
};
