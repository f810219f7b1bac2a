import type { TextOperation } from '../providers/types.ts';

/** What a path of the relay asks for. */
export type RelayRoute =
  | Readonly<{ kind: 'text'; operation: TextOperation; path: string }>
  | Readonly<{ kind: 'playground' }>
  | Readonly<{ kind: 'models' }>
  | Readonly<{ kind: 'model'; model: string }>
  | Readonly<{ kind: 'not-implemented' }>
  | Readonly<{ kind: 'unknown' }>;

const textRoutes = new Map<string, RelayRoute>(
  (['chat/completions', 'completions', 'embeddings'] as const).map((name) => {
    const path = `/v1/${name}`;
    const operation = name === 'chat/completions' ? 'chat' : name;
    return [path, { kind: 'text', operation, path }];
  }),
);

const modelsRoute: RelayRoute = { kind: 'models' };
const playgroundRoute: RelayRoute = { kind: 'playground' };
const notImplemented: RelayRoute = { kind: 'not-implemented' };
const unknownRoute: RelayRoute = { kind: 'unknown' };

/** Paths of the protocol that this relay knows of and does not serve. */
const unservedPost = new Set([
  '/v1/moderations',
  '/v1/edits',
  '/v1/messages',
  '/v1/images/generations',
  '/v1/images/edits',
  '/v1/images/variations',
  '/v1/audio/speech',
  '/v1/audio/transcriptions',
  '/v1/audio/translations',
  '/v1/rerank',
  '/v1/responses',
  '/v1/files',
  '/v1/fine-tunes',
]);

const isUnserved = (method: string, path: string): boolean => {
  if (method === 'POST' && unservedPost.has(path)) return true;
  if (path === '/v1/realtime') return method === 'GET';
  if (method === 'POST' && /^\/v1\/engines\/[^/]+\/embeddings$/.test(path)) return true;
  if (method === 'POST') return /^\/v1\/fine-tunes\/[^/]+\/cancel$/.test(path);
  if (method === 'GET' && /^\/v1\/files(?:\/[^/]+(?:\/content)?)?$/.test(path)) return true;
  if (method === 'GET') return /^\/v1\/fine-tunes(?:\/[^/]+(?:\/events)?)?$/.test(path);
  return method === 'DELETE' && /^\/v1\/(?:files|models)\/[^/]+$/.test(path);
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The one table of what the relay answers; `path` is without query. */
export const routeOf = (method: string, path: string): RelayRoute => {
  if (method === 'POST') {
    const text = textRoutes.get(path);
    if (text !== undefined) return text;
    if (path === '/pg/chat/completions') return playgroundRoute;
  }
  if (method === 'GET') {
    if (path === '/v1/models') return modelsRoute;
    if (path.startsWith('/v1/models/')) {
      return { kind: 'model', model: decoded(path.slice('/v1/models/'.length)) };
    }
  }
  return isUnserved(method, path) ? notImplemented : unknownRoute;
};

/** Is this path the relay's own? Everything else belongs to the control plane. */
export const isRelayPath = (url: string): boolean => {
  // The billing calls read the books' read models, which the control plane has.
  if (url.startsWith('/v1/dashboard/')) return false;
  if (url.startsWith('/v1')) return url.length === 3 || url[3] === '/' || url[3] === '?';
  return url.startsWith('/pg/');
};
