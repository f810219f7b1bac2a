import type { UserId } from '../../domain/shared/ids.ts';
import type { Incoming } from '../admission/admitted.ts';
import type { Caller } from '../admission/caller.ts';
import { type BodyResult, readBodyUpTo } from '../admission/read-body.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import { type ApiError, sendError } from '../protocol/api-error.ts';
import { relayError } from '../protocol/relay-errors.ts';
import { isForm } from '../protocol/scan-form.ts';
import { serveBatchRoute } from './batches/serve-batches.ts';
import { serveUpload } from './batches/upload-file.ts';
import { type CacheRoute, isCacheRoute } from './caches/routes.ts';
import { serveCacheRoute } from './caches/serve-caches.ts';
import { sendRefusal } from './drawing-error.ts';
import { serveImage } from './image.ts';
import { serveImageTask } from './image-task.ts';
import { bodyProblem } from './long-body.ts';
import { musicRefusal, sendMusicRefusal } from './music-error.ts';
import { serveMusicTask } from './music-task.ts';
import { isSigned, noCredential, serveNotify } from './notify.ts';
import { serveDrawing, serveDrawings, serveSeed, unavailable } from './read-drawings.ts';
import { serveSong, serveSongs } from './read-songs.ts';
import type { OpenTask, TaskRoute } from './routes.ts';
import { serveVideoRoute } from './videos/serve-videos.ts';

type KeyTask = Exclude<TaskRoute, OpenTask>;
type OwnRoute = Exclude<KeyTask, CacheRoute | { kind: 'file-upload' }>;

/** For a callback, which arrives from outside without an API key. */
const maxNotifyBytes = 64 * 1024;

const noTasks = relayError('query_task_failed');

/** Served in the protocol of their address. */
const withProtocol = /^(?:video|file|batch|cache)/;

const bodyOf = (core: RelayCore, incoming: Incoming, maxBytes: number): Promise<BodyResult> =>
  new Promise((done) => readBodyUpTo(core, incoming, { maxBytes, done }));

/** Providers call back without a token. */
const anonymous = 0;

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
  isForm(req.headers['content-type']) ? null : bodyProblem(core, raw, owner);

/** The body where it is read whole and can be used; null: the request is answered or gone. */
const usableBody = async (
  core: RelayCore,
  incoming: Incoming,
  { maxBytes, owner }: Readonly<{ maxBytes: number; owner: UserId | null }>,
): Promise<Buffer | null> => {
  const raw = await bodyOf(core, incoming, maxBytes);
  if (raw === 'gone') return null;
  const problem =
    !Buffer.isBuffer(raw) || owner === null ? raw : await problemOf(core, incoming, { raw, owner });
  if (problem === null || Buffer.isBuffer(problem)) return Buffer.isBuffer(raw) ? raw : null;
  sendError(incoming.res, problem, incoming.requestId);
  return null;
};

type Identified = Readonly<{ route: KeyTask; caller: Caller }>;

const serve = async (
  core: RelayCore,
  incoming: Incoming,
  { route, caller }: Identified,
): Promise<void> => {
  // A file is read as it arrives, and never kept whole.
  if (route.kind === 'file-upload') return serveUpload(core, incoming, caller);
  // What a cache is made of is long, and is not parsed.
  const owner = isCacheRoute(route) ? null : caller.account.userId;
  const raw = await usableBody(core, incoming, { maxBytes: core.settings.maxBodyBytes, owner });
  if (raw === null) return;
  if (isCacheRoute(route)) return serveCacheRoute(core, incoming, { route, caller, raw });
  return serveOwn(core, incoming, { route, caller, raw });
};

const serveOpen = async (core: RelayCore, incoming: Incoming, route: OpenTask): Promise<void> => {
  if (route.kind === 'drawing-image') return serveImage(core, incoming, route.id);
  if (!isSigned(core, incoming)) return sendRefusal(incoming, noCredential);
  const limits = { maxBytes: maxNotifyBytes, owner: anonymous };
  const raw = await usableBody(core, incoming, limits);
  if (raw !== null) await serveNotify(core, incoming, raw);
};

const fault = (
  core: RelayCore,
  incoming: Incoming,
  { kind, error }: Readonly<{ kind: TaskRoute['kind']; error: unknown }>,
): void => {
  const { requestId } = incoming;
  core.logger.error({ requestId, err: error }, 'a call about tasks could not be served');
  const isMusic = kind === 'song' || kind === 'songs' || kind === 'music-task';
  if (withProtocol.test(kind)) sendError(incoming.res, noTasks, requestId);
  else if (isMusic) sendMusicRefusal(incoming, musicRefusal(503, 'query_task_failed'));
  else sendRefusal(incoming, unavailable);
};

/**
 * Drawings, music, videos, batches and caches. Not the hot path: bodies are parsed, and tasks are read
 * over the bus.
 */
export const serveTask = async (
  core: RelayCore,
  incoming: Incoming,
  identified: Identified,
): Promise<void> => {
  try {
    await serve(core, incoming, identified);
  } catch (error) {
    fault(core, incoming, { kind: identified.route.kind, error });
  }
};

/** Callbacks of providers and pictures. */
export const serveOpenTask = async (
  core: RelayCore,
  incoming: Incoming,
  route: OpenTask,
): Promise<void> => {
  try {
    await serveOpen(core, incoming, route);
  } catch (error) {
    fault(core, incoming, { kind: route.kind, error });
  }
};
