import type { UserId } from '../../domain/shared/ids.ts';
import type { Incoming } from '../admission/admitted.ts';
import { type Caller, identify } from '../admission/caller.ts';
import { type BodyResult, readBodyUpTo } from '../admission/read-body.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import { type ApiError, gatewayError, isApiError, sendError } from '../protocol/api-error.ts';
import { isForm } from '../protocol/scan-form.ts';
import { serveBatchRoute } from './batches/serve-batches.ts';
import { serveUpload } from './batches/upload-file.ts';
import { type CacheRoute, isCacheRoute } from './caches/routes.ts';
import { serveCacheRoute } from './caches/serve-caches.ts';
import { sendRefusal } from './drawing-error.ts';
import { serveImage } from './image.ts';
import { serveImageTask } from './image-task.ts';
import { longBodyProblem } from './long-body.ts';
import { musicRefusal, sendMusicRefusal } from './music-error.ts';
import { serveMusicTask } from './music-task.ts';
import { isSigned, noCredential, serveNotify } from './notify.ts';
import { serveDrawing, serveDrawings, serveSeed, unavailable } from './read-drawings.ts';
import { serveSong, serveSongs } from './read-songs.ts';
import type { TaskRoute } from './routes.ts';
import { serveVideoRoute } from './videos/serve-videos.ts';

type OpenRoute = Extract<TaskRoute, { kind: 'drawing-image' | 'drawing-notify' }>;
type OwnRoute = Exclude<TaskRoute, OpenRoute | CacheRoute | { kind: 'file-upload' }>;

/** For a callback, which arrives from outside without an API key. */
const maxNotifyBytes = 64 * 1024;

const noTasks = gatewayError(503, 'query_task_failed', 'This cannot be served now, try again');

/** Served in the protocol of their address. */
const withProtocol = /^(?:video|file|batch|cache)/;

const bodyOf = (core: RelayCore, incoming: Incoming, maxBytes: number): Promise<BodyResult> =>
  new Promise((done) => readBodyUpTo(core, incoming, { maxBytes, done }));

/** Providers call back without a token. */
const anonymous = 0;

const ownerOf = (caller: Caller | null): UserId => caller?.account.userId ?? anonymous;

type Asked = Readonly<{ caller: Caller; raw: Buffer }>;

const serveOwn = (
  core: RelayCore,
  incoming: Incoming,
  { route, caller, raw }: Asked & Readonly<{ route: OwnRoute }>,
): Promise<void> => {
  switch (route.kind) {
    case 'image-task':
      return serveImageTask(core, incoming, { route, caller, raw });
    case 'drawing':
      return serveDrawing(core, incoming, { caller, id: route.id });
    case 'drawings':
      return serveDrawings(core, incoming, { caller, raw });
    case 'drawing-seed':
      return serveSeed(core, incoming, { caller, id: route.id, path: route.path });
    case 'music-task':
      return serveMusicTask(core, incoming, { action: route.action, caller, raw });
    case 'song':
      return serveSong(core, incoming, { caller, id: route.id });
    case 'songs':
      return serveSongs(core, incoming, { caller, raw });
    case 'video-order':
    case 'videos':
    case 'video':
    case 'video-content':
    case 'video-removal':
      return serveVideoRoute(core, incoming, { route, caller, raw });
    default:
      return serveBatchRoute(core, incoming, { route, caller, raw });
  }
};

/** The parts of a form are found without parsing what they hold. */
const problemOf = async (
  core: RelayCore,
  { req }: Incoming,
  { raw, owner }: Readonly<{ raw: Buffer; owner: UserId }>,
): Promise<ApiError | null> =>
  isForm(req.headers['content-type']) ? null : longBodyProblem(core, raw, owner);

/** A file is read as it arrives, and never kept whole. */
const serveFileUpload = async (core: RelayCore, incoming: Incoming): Promise<void> => {
  const caller = await identify(core, incoming.req, incoming.arrivedAtMs);
  if (isApiError(caller)) return sendError(incoming.res, caller, incoming.requestId);
  return serveUpload(core, incoming, caller);
};

/** What a cache is made of is long, and is not parsed. */
const serveCacheCall = async (
  core: RelayCore,
  incoming: Incoming,
  route: CacheRoute,
): Promise<void> => {
  const caller = await identify(core, incoming.req, incoming.arrivedAtMs);
  if (isApiError(caller)) return sendError(incoming.res, caller, incoming.requestId);
  const raw = await bodyOf(core, incoming, core.settings.maxBodyBytes);
  if (raw === 'gone') return;
  if (!Buffer.isBuffer(raw)) return sendError(incoming.res, raw, incoming.requestId);
  return serveCacheRoute(core, incoming, { route, caller, raw });
};

const serve = async (
  core: RelayCore,
  incoming: Incoming,
  route: Exclude<TaskRoute, CacheRoute | { kind: 'file-upload' }>,
): Promise<void> => {
  if (route.kind === 'drawing-image') return serveImage(core, incoming, route.id);
  const isOpen = route.kind === 'drawing-notify';
  if (isOpen && !isSigned(core, incoming)) return sendRefusal(incoming, noCredential);
  const caller = isOpen ? null : await identify(core, incoming.req, incoming.arrivedAtMs);
  if (caller !== null && isApiError(caller)) {
    return sendError(incoming.res, caller, incoming.requestId);
  }
  const raw = await bodyOf(core, incoming, isOpen ? maxNotifyBytes : core.settings.maxBodyBytes);
  if (raw === 'gone') return;
  if (!Buffer.isBuffer(raw)) return sendError(incoming.res, raw, incoming.requestId);
  const problem = await problemOf(core, incoming, { raw, owner: ownerOf(caller) });
  if (problem !== null) return sendError(incoming.res, problem, incoming.requestId);
  if (caller === null) return serveNotify(core, incoming, raw);
  if (!isOpen) return serveOwn(core, incoming, { route, caller, raw });
};

/**
 * Drawings, music, videos and batches. Not the hot path: bodies are parsed, and tasks are read over
 * the bus.
 */
export const serveTask = async (
  core: RelayCore,
  incoming: Incoming,
  route: TaskRoute,
): Promise<void> => {
  try {
    if (route.kind === 'file-upload') await serveFileUpload(core, incoming);
    else if (isCacheRoute(route)) await serveCacheCall(core, incoming, route);
    else await serve(core, incoming, route);
  } catch (error) {
    const { requestId } = incoming;
    core.logger.error({ requestId, err: error }, 'a call about tasks could not be served');
    const isMusic = route.kind === 'song' || route.kind === 'songs';
    if (withProtocol.test(route.kind)) sendError(incoming.res, noTasks, requestId);
    else if (isMusic) sendMusicRefusal(incoming, musicRefusal(503, 'query_task_failed'));
    else sendRefusal(incoming, unavailable);
  }
};
