import type { TextRoute } from '../admission/text-call.ts';
import type { Protocol } from '../protocol/caller-protocol.ts';
import { compactPath } from '../protocol/compact-path.ts';
import { livePath } from '../protocol/live-path.ts';
import {
  isOpenTask,
  isTaskPath,
  type OpenTask,
  type TaskRoute,
  taskRouteOf,
} from '../tasks/routes.ts';

/** A response that was made before. */
export type ResponseRoute = Readonly<{
  kind: 'response';
  id: string;
  wanted: 'response' | 'input-items' | 'removal';
}>;

/** A conversation, or one of its items. */
export type ConversationRoute = Readonly<{
  kind: 'conversation';
  wanted:
    | 'creation'
    | 'conversation'
    | 'update'
    | 'removal'
    | 'items'
    | 'more-items'
    | 'item'
    | 'item-removal';
  id: string;
  itemId: string;
}>;

/** Protocols in which models are shown one by one. */
export type ListProtocol = Extract<Protocol, 'openai' | 'claude' | 'gemini'>;

/** The operation that a path of the relay requests. */
export type RelayRoute =
  | TextRoute
  | Readonly<{ kind: 'count-tokens'; protocol: Protocol; model: string | null }>
  | Readonly<{ kind: 'playground' }>
  | Readonly<{ kind: 'models'; protocol: ListProtocol | 'ollama' }>
  | Readonly<{ kind: 'model'; protocol: ListProtocol; model: string }>
  | ResponseRoute
  | ConversationRoute
  | Readonly<{ kind: 'task'; task: Exclude<TaskRoute, OpenTask> }>
  | Readonly<{ kind: 'open-task'; task: OpenTask }>
  | Readonly<{ kind: 'needs-websocket' }>
  | Readonly<{ kind: 'not-implemented' }>
  | Readonly<{ kind: 'unknown' }>;

const openAiRoutes: readonly (readonly [string, RelayRoute])[] = (
  ['chat/completions', 'completions', 'embeddings', 'responses', 'moderations', 'rerank'] as const
).map((name) => {
  const path = `/v1/${name}`;
  const operation = name === 'chat/completions' ? 'chat' : name;
  return [path, { kind: 'text', operation, protocol: 'openai', path }];
});

const mediaRoutes: readonly (readonly [string, RelayRoute])[] = (
  [
    ['images/generations', 'images'],
    ['images/edits', 'images'],
    ['images/variations', 'images'],
    ['audio/speech', 'speech'],
    ['audio/transcriptions', 'transcription'],
    ['audio/translations', 'transcription'],
  ] as const
).map(([name, operation]) => {
  const path = `/v1/${name}`;
  return [path, { kind: 'text', operation, protocol: 'openai', path }];
});

const nativeRoutes: readonly (readonly [string, RelayRoute])[] = (
  [
    ['/v2/chat', 'cohere', 'chat'],
    ['/v2/rerank', 'cohere', 'rerank'],
    ['/v2/embed', 'cohere', 'embeddings'],
    ['/api/chat', 'ollama', 'chat'],
    ['/api/generate', 'ollama', 'chat'],
    ['/api/embed', 'ollama', 'embeddings'],
  ] as const
).map(([path, protocol, operation]) => [path, { kind: 'text', operation, protocol, path }]);

/** A conversation made shorter by its provider, which alone can read the result. */
const compactRoute: RelayRoute = {
  ...{ kind: 'text', operation: 'responses', protocol: 'openai', path: compactPath },
};

const textRoutes: ReadonlyMap<string, RelayRoute> = new Map([
  ...openAiRoutes,
  ...mediaRoutes,
  ['/v1/messages', { kind: 'text', operation: 'chat', protocol: 'claude', path: '/v1/messages' }],
  ['/v1/responses/compact', compactRoute],
  ['/v1/responses/input_tokens', { kind: 'count-tokens', protocol: 'openai', model: null }],
  ['/v1/messages/count_tokens', { kind: 'count-tokens', protocol: 'claude', model: null }],
  ...nativeRoutes,
]);

const playgroundRoute: RelayRoute = { kind: 'playground' };
const notImplemented: RelayRoute = { kind: 'not-implemented' };
const unknownRoute: RelayRoute = { kind: 'unknown' };

/** Paths of the protocol that this relay does not serve. */
const unservedPost = new Set([
  ...['/v1/edits', '/v1/fine-tunes'],
  ...['/v1/videos/edits', '/v1/videos/extensions', '/v1/videos/characters'],
]);

const isUnserved = (method: string, path: string): boolean => {
  if (method === 'POST' && unservedPost.has(path)) return true;
  if (method === 'POST') return /^\/v1\/fine-tunes\/[^/]+\/cancel$/.test(path);
  if (method === 'GET') return /^\/v1\/fine-tunes(?:\/[^/]+(?:\/events)?)?$/.test(path);
  return method === 'DELETE' && /^\/v1\/models\/[^/]+$/.test(path);
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const contentPath = /^\/v1(?:beta)?\/models\/([^/]+):([A-Za-z]+)$/;

/** Gemini's paths name the model and what is to be done with it. */
const contentRoute = (path: string): RelayRoute | null => {
  const [, name, action] = contentPath.exec(path) ?? [];
  if (name === undefined) return null;
  const model = decoded(name);
  const text = { kind: 'text', protocol: 'gemini', path, model } as const;
  switch (action) {
    case 'generateContent':
      return { ...text, operation: 'chat', isStream: false };
    case 'streamGenerateContent':
      return { ...text, operation: 'chat', isStream: true };
    case 'embedContent':
    case 'batchEmbedContents':
      return { ...text, operation: 'embeddings', isStream: false };
    case 'countTokens':
      return { kind: 'count-tokens', protocol: 'gemini', model };
    default:
      return null;
  }
};

/** An old path of OpenAI's: it contains the model for bodies that name none. */
const engineRoute = (path: string): RelayRoute | null => {
  const [, name] = /^\/v1\/engines\/([^/]+)\/embeddings$/.exec(path) ?? [];
  if (name === undefined) return null;
  const fallbackModel = decoded(name);
  const own = '/v1/embeddings';
  return { kind: 'text', operation: 'embeddings', protocol: 'openai', path: own, fallbackModel };
};

const postRoute = (path: string): RelayRoute | null => {
  const text = textRoutes.get(path);
  if (text !== undefined) return text;
  if (path === '/pg/chat/completions') return playgroundRoute;
  return path.includes(':') ? contentRoute(path) : engineRoute(path);
};

const listPaths: readonly (readonly [path: string, protocol: ListProtocol])[] = [
  ['/v1/models', 'openai'],
  ['/v1beta/models', 'gemini'],
  ['/v1beta/openai/models', 'openai'],
];

const ollamaList = '/api/tags';

/** Lists of models, in the protocol of their address. */
const modelsRoute = (path: string): RelayRoute | null => {
  if (path === ollamaList) return { kind: 'models', protocol: 'ollama' };
  for (const [list, protocol] of listPaths) {
    if (path === list) return { kind: 'models', protocol };
    if (!path.startsWith(`${list}/`)) continue;
    return { kind: 'model', protocol, model: decoded(path.slice(list.length + 1)) };
  }
  return null;
};

const responseRoute = (method: string, path: string): ResponseRoute | null => {
  const [, name, items] = /^\/v1\/responses\/([^/]+)(\/input_items)?$/.exec(path) ?? [];
  if (name === undefined) return null;
  const id = decoded(name);
  if (method === 'DELETE')
    return items === undefined ? { kind: 'response', id, wanted: 'removal' } : null;
  if (method !== 'GET') return null;
  return { kind: 'response', id, wanted: items === undefined ? 'response' : 'input-items' };
};

const wantedOfConversations: Readonly<Record<string, ConversationRoute['wanted']>> = {
  'POST all': 'creation',
  'GET one': 'conversation',
  'POST one': 'update',
  'DELETE one': 'removal',
  'GET items': 'items',
  'POST items': 'more-items',
  'GET item': 'item',
  'DELETE item': 'item-removal',
};
const conversationPath = /^\/v1\/conversations(?:\/([^/]+)(?:\/(items)(?:\/([^/]+))?)?)?$/;

const levelOf = (parts: readonly (string | undefined)[]): string => {
  const [id, items, itemId] = parts;
  if (itemId !== undefined) return 'item';
  if (items !== undefined) return 'items';
  return id === undefined ? 'all' : 'one';
};

const conversationRoute = (method: string, path: string): ConversationRoute | null => {
  const found = conversationPath.exec(path);
  if (found === null) return null;
  const [, id, items, itemId] = found;
  const wanted = wantedOfConversations[`${method} ${levelOf([id, items, itemId])}`];
  if (wanted === undefined) return null;
  return { kind: 'conversation', wanted, id: decoded(id ?? ''), itemId: decoded(itemId ?? '') };
};

/** What was made before or is kept for later calls. */
const keptRoute = (method: string, path: string): RelayRoute | null => {
  if (path.startsWith('/v1/responses/')) return responseRoute(method, path);
  return path.startsWith('/v1/conversations') ? conversationRoute(method, path) : null;
};

/** Groq's addresses are OpenAI's behind a prefix. */
const groqPrefix = '/openai';
const isGroqPath = (path: string): boolean => path.startsWith(`${groqPrefix}/v1/`);

const isSessionPath = (path: string): boolean => path === '/v1/realtime' || livePath(path) !== '';

const taskRoute = (method: string, path: string): RelayRoute | null => {
  const task = isTaskPath(path) ? taskRouteOf(method, path) : null;
  if (task === null) return null;
  return isOpenTask(task) ? { kind: 'open-task', task } : { kind: 'task', task };
};

/** The one table of what the relay answers; `path` is without query. */
export const routeOf = (method: string, sent: string): RelayRoute => {
  const path = isGroqPath(sent) ? sent.slice(groqPrefix.length) : sent;
  const posted = method === 'POST' ? postRoute(path) : null;
  if (posted !== null) return posted;
  const models = method === 'GET' ? modelsRoute(path) : null;
  if (models !== null) return models;
  const kept = keptRoute(method, path);
  if (kept !== null) return kept;
  if (method === 'GET' && isSessionPath(path)) return { kind: 'needs-websocket' };
  const unserved = isUnserved(method, path) ? notImplemented : unknownRoute;
  return taskRoute(method, path) ?? unserved;
};

/** The console API has the same prefix, and none of these addresses. */
const ollamaPaths = /^\/api\/(?:chat|generate|embed|tags)(?:\?|$)/;
const isOllamaPath = (url: string): boolean => ollamaPaths.test(url);

/** Is this path the relay's own? Everything else belongs to the control plane. */
export const isRelayPath = (url: string): boolean => {
  // The billing calls read models of the ledger, which the control plane has.
  if (url.startsWith('/v1/dashboard/')) return false;
  if (url.startsWith('/v1beta/') || livePath(url) !== '') return true;
  if (url.startsWith('/v1')) return url.length === 3 || url[3] === '/' || url[3] === '?';
  if (url.startsWith('/api/')) return isOllamaPath(url);
  return url.startsWith('/pg/') || url.startsWith('/v2/') || isGroqPath(url) || isTaskPath(url);
};
