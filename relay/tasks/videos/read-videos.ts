import type { FoundTask } from '../../../domain/task/messages.ts';
import { taskOfVideoId, videoIdOf } from '../../../domain/task/video.ts';
import type { Incoming } from '../../admission/admitted.ts';
import type { Caller } from '../../admission/caller.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import { sendJson } from '../../protocol/answer-head.ts';
import { type ApiError, isApiError, sendError } from '../../protocol/api-error.ts';
import { relayError } from '../../protocol/relay-errors.ts';
import { videoAdapterOf } from '../../providers/video-adapters.ts';
import { listOwn, pageOf } from '../list-own.ts';
import { hasEnded, placeIn, removeTask } from '../own-task.ts';
import { removalFailure } from '../provider-reply.ts';
import { callAdapter, contextOf } from './call-adapter.ts';
import { ownVideo, videoNotFound } from './own-video.ts';
import { videoObject } from './video-object.ts';

type Named = Readonly<{ caller: Caller; id: string }>;

const removalTimeoutMs = 30_000;

const unfinished = relayError('video_not_finished');

/** GET /v1/videos/{id}, out of our own store. */
export const serveVideo = async (core: RelayCore, incoming: Incoming, { caller, id }: Named) => {
  const task = await ownVideo(core, caller, id);
  if (task === null) sendError(incoming.res, videoNotFound, incoming.requestId);
  else sendJson(incoming, 200, videoObject(task));
};

/** GET /v1/videos: the caller's own, out of our own store. */
export const serveVideos = async (core: RelayCore, incoming: Incoming, caller: Caller) => {
  const wanted = { platform: 'video', caller, taskOf: taskOfVideoId } as const;
  const listed = await listOwn(core, incoming, wanted);
  if (isApiError(listed)) return sendError(incoming.res, listed, incoming.requestId);
  const { tasks, hasMore } = listed;
  const ids = tasks.map(({ taskId }) => videoIdOf(taskId));
  sendJson(incoming, 200, pageOf(tasks.map(videoObject), ids, hasMore));
};

/** null: the provider no longer has it, or has no such call. */
const removeUpstream = async (core: RelayCore, task: FoundTask): Promise<ApiError | null> => {
  const place = placeIn(core, task, videoAdapterOf);
  const remove = place?.adapter.remove;
  if (place === null || remove === undefined) return null;
  const { channel, adapter } = place;
  const call = () => remove(task.upstreamId, contextOf(core, channel));
  const timeoutMs = removalTimeoutMs;
  return removalFailure(channel, await callAdapter(core, channel, { adapter, call, timeoutMs }));
};

const remove = async (core: RelayCore, { caller, id }: Named): Promise<ApiError | null> => {
  const task = await ownVideo(core, caller, id);
  if (task === null) return videoNotFound;
  if (!hasEnded(task)) return unfinished;
  const failure = await removeUpstream(core, task);
  if (failure !== null) return failure;
  const outcome = await removeTask(core, task);
  if (outcome === 'removed') return null;
  return outcome === 'unfinished' ? unfinished : videoNotFound;
};

/** DELETE /v1/videos/{id}: at the provider, then from the caller's list. Nothing is paid back. */
export const removeVideo = async (core: RelayCore, incoming: Incoming, named: Named) => {
  const failure = await remove(core, named);
  if (failure !== null) return sendError(incoming.res, failure, incoming.requestId);
  sendJson(incoming, 200, { id: named.id, object: 'video.deleted', deleted: true });
};
