import { type BatchRoute, batchRouteOf, isBatchPath } from './batches/routes.ts';
import { type CacheRoute, cacheRouteOf, isCachePath } from './caches/routes.ts';
import { isVideoPath, type VideoRoute, videoRouteOf } from './videos/routes.ts';

/** Operations of the drawing interface, after `/mj/submit/`. */
const submits = [
  'imagine',
  'change',
  'simple-change',
  'describe',
  'blend',
  'shorten',
  'action',
  'modal',
  'upload-discord-images',
] as const;
export type DrawingKind = (typeof submits)[number] | 'swap';

export type TaskRoute =
  /** `path`: as the provider of the channel has it, without query. */
  | Readonly<{ kind: 'image-task'; drawing: DrawingKind; path: string }>
  | Readonly<{ kind: 'drawing'; id: string }>
  | Readonly<{ kind: 'drawings' }>
  | Readonly<{ kind: 'drawing-seed'; id: string; path: string }>
  | Readonly<{ kind: 'drawing-image'; id: string }>
  | Readonly<{ kind: 'drawing-notify' }>
  | Readonly<{ kind: 'music-task'; action: string }>
  | Readonly<{ kind: 'song'; id: string }>
  | Readonly<{ kind: 'songs' }>
  | BatchRoute
  | CacheRoute
  | VideoRoute;

/** Called without a key, at addresses that the gateway made. */
export type OpenTask = Extract<TaskRoute, { kind: 'drawing-image' | 'drawing-notify' }>;
export const isOpenTask = (route: TaskRoute): route is OpenTask =>
  route.kind === 'drawing-image' || route.kind === 'drawing-notify';

/** Words before `/mj/` are modes, but for the console's own paths. */
const drawingPath = /^(?!\/(?:api|assets)\/)(?:\/[^/?]+)?\/mj\//;

export const isTaskPath = (url: string): boolean =>
  url.startsWith('/suno/') ||
  isVideoPath(url) ||
  isBatchPath(url) ||
  isCachePath(url) ||
  (url.includes('/mj/') && drawingPath.test(url));

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Modes named `mj-…` are ours and are cut off; other modes are sent upstream unchanged. */
const upstreamPath = (path: string): string =>
  path.includes('/mj-') ? path.slice(path.indexOf('/mj/')) : path;

const ofTask = /^\/mj\/task\/([^/]+)\/(fetch|image-seed)$/;
const ofImage = /^\/mj\/image\/([^/]+)$/;

const readDrawing = (path: string, full: string): TaskRoute | null => {
  const [, id, what] = ofTask.exec(path) ?? [];
  if (id !== undefined) {
    if (what === 'fetch') return { kind: 'drawing', id: decoded(id) };
    return { kind: 'drawing-seed', id: decoded(id), path: upstreamPath(full) };
  }
  const [, image] = ofImage.exec(path) ?? [];
  return image === undefined ? null : { kind: 'drawing-image', id: decoded(image) };
};

const writeDrawing = (path: string, full: string): TaskRoute | null => {
  if (path === '/mj/notify') return { kind: 'drawing-notify' };
  if (path === '/mj/task/list-by-condition') return { kind: 'drawings' };
  const task = { kind: 'image-task', path: upstreamPath(full) } as const;
  if (path === '/mj/insight-face/swap') return { ...task, drawing: 'swap' };
  const drawing = submits.find((name) => path === `/mj/submit/${name}`);
  return drawing === undefined ? null : { ...task, drawing };
};

const music = (method: string, path: string): TaskRoute | null => {
  const [, , what, last, ...more] = path.split('/');
  if (last === undefined && what === 'fetch' && method === 'POST') return { kind: 'songs' };
  if (last === undefined || last === '' || more.length > 0) return null;
  if (method === 'GET' && what === 'fetch') return { kind: 'song', id: decoded(last) };
  return method === 'POST' && what === 'submit' ? { kind: 'music-task', action: last } : null;
};

/** `path` is without query. */
export const taskRouteOf = (method: string, path: string): TaskRoute | null => {
  if (path.startsWith('/suno/')) return music(method, path);
  if (isBatchPath(path)) return batchRouteOf(method, path);
  if (isCachePath(path)) return cacheRouteOf(method, path);
  if (path.startsWith('/v1/')) return videoRouteOf(method, path);
  const own = path.slice(path.indexOf('/mj/'));
  if (method === 'GET') return readDrawing(own, path);
  return method === 'POST' ? writeDrawing(own, path) : null;
};
