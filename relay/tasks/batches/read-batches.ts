import {
  type BatchWire,
  batchActions,
  batchIdOf,
  fileIdOf,
  fileOfId,
  taskOfBatchId,
} from '../../../domain/task/batch.ts';
import type { FoundTask } from '../../../domain/task/messages.ts';
import type { Incoming } from '../../admission/admitted.ts';
import type { Caller } from '../../admission/caller.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import { sendJson } from '../../protocol/answer-head.ts';
import { type ApiError, isApiError, sendError } from '../../protocol/api-error.ts';
import { textAt } from '../../protocol/json.ts';
import { relayError } from '../../protocol/relay-errors.ts';
import type { BatchAdapter } from '../../providers/shared/batches/batch-adapter.ts';
import { listOwn, pageOf } from '../list-own.ts';
import { hasEnded, removeTask, reportedData } from '../own-task.ts';
import { answerOf, removalFailure, successOf } from '../provider-reply.ts';
import { batchObject, fileObject, resultObject } from './batch-object.ts';
import { callBatches } from './call-batches.ts';
import {
  batchNotFound,
  channelGone,
  fileNotFound,
  type OwnFile,
  ownBatch,
  ownFile,
  placeOf,
} from './own-work.ts';

type Named = Readonly<{ caller: Caller; id: string }>;
type NamedBatch = Named & Readonly<{ wire: BatchWire }>;

const callTimeoutMs = 30_000;

const fail = (incoming: Incoming, error: ApiError): void =>
  sendError(incoming.res, error, incoming.requestId);

const unfinished = relayError(
  'batch_not_ended',
  'A batch can be deleted when it has ended: cancel it first',
);

/** GET of one batch, out of our own store. */
export const serveBatch = async (core: RelayCore, incoming: Incoming, named: NamedBatch) => {
  const task = await ownBatch(core, named.caller, named);
  if (task === null) fail(incoming, batchNotFound);
  else sendJson(incoming, 200, batchObject(named.wire, task));
};

type ListedBatches = Readonly<{ caller: Caller; wire: BatchWire }>;

/** The caller's own batches, out of our own store. */
export const serveBatches = async (
  core: RelayCore,
  incoming: Incoming,
  { caller, wire }: ListedBatches,
) => {
  const taskOf = (id: string) => taskOfBatchId(wire, id);
  const wanted = { platform: 'batch', action: batchActions[wire], caller, taskOf } as const;
  const listed = await listOwn(core, incoming, wanted);
  if (isApiError(listed)) return fail(incoming, listed);
  const ids = listed.tasks.map(({ taskId }) => batchIdOf(wire, taskId));
  const data = listed.tasks.map((task) => batchObject(wire, task));
  sendJson(incoming, 200, pageOf(data, ids, listed.hasMore));
};

/** GET /v1/files: the caller's uploads. Results are part of their batches. */
export const serveFiles = async (core: RelayCore, incoming: Incoming, caller: Caller) => {
  const taskOf = (id: string) => fileOfId(id)?.taskId ?? null;
  const listed = await listOwn(core, incoming, { platform: 'file', caller, taskOf });
  if (isApiError(listed)) return fail(incoming, listed);
  const { tasks, hasMore } = listed;
  const ids = tasks.map(({ taskId }) => fileIdOf({ taskId, part: 'requests' }));
  sendJson(incoming, 200, pageOf(tasks.map(fileObject), ids, hasMore));
};

export const serveFile = async (core: RelayCore, incoming: Incoming, { caller, id }: Named) => {
  const found = await ownFile(core, caller, id);
  const { task, file } = found ?? {};
  const shown =
    task === undefined || file === undefined
      ? null
      : file.part === 'requests'
        ? fileObject(task)
        : resultObject(task, file.part);
  if (shown === null) fail(incoming, fileNotFound);
  else sendJson(incoming, 200, shown);
};

/** POST …/cancel. What was carried out until then is paid for. */
export const cancelBatch = async (core: RelayCore, incoming: Incoming, named: NamedBatch) => {
  const { wire } = named;
  const task = await ownBatch(core, named.caller, named);
  if (task === null) return fail(incoming, batchNotFound);
  if (hasEnded(task)) return sendJson(incoming, 200, batchObject(wire, task));
  const place = placeOf(core, task);
  if (place === null) return fail(incoming, channelGone);
  const path = place.adapter.cancelPath(task.upstreamId);
  const asked = { method: 'POST', path, body: {}, timeoutMs: callTimeoutMs } as const;
  const reply = successOf(place.channel, await callBatches(core, place, asked));
  if (isApiError(reply)) return fail(incoming, reply);
  const status = place.adapter.status(answerOf(reply) ?? {});
  // Its end is reported by the next poll, with what it used.
  const data = status?.state === 'running' ? JSON.stringify(status.data) : task.report.data;
  sendJson(incoming, 200, batchObject(wire, { ...task, report: { ...task.report, data } }));
};

type Removal = Readonly<{ task: FoundTask; pathOf: (adapter: BatchAdapter) => string }>;

/** null: the provider no longer has it. */
const removeUpstream = async (
  core: RelayCore,
  { task, pathOf }: Removal,
): Promise<ApiError | null> => {
  const place = placeOf(core, task);
  if (place === null) return null;
  const path = pathOf(place.adapter);
  const asked = { method: 'DELETE', path, body: null, timeoutMs: callTimeoutMs } as const;
  const reply = await callBatches(core, place, asked);
  return removalFailure(place.channel, reply);
};

/** DELETE /v1/messages/batches/{id}. Nothing is paid back. */
export const removeBatch = async (core: RelayCore, incoming: Incoming, { caller, id }: Named) => {
  const task = await ownBatch(core, caller, { wire: 'anthropic', id });
  if (task === null) return fail(incoming, batchNotFound);
  if (!hasEnded(task)) return fail(incoming, unfinished);
  const pathOf = ({ path }: BatchAdapter) => `${path}/${encodeURIComponent(task.upstreamId)}`;
  const failure = await removeUpstream(core, { task, pathOf });
  if (isApiError(failure)) return fail(incoming, failure);
  if ((await removeTask(core, task)) !== 'removed') return fail(incoming, unfinished);
  sendJson(incoming, 200, { id, type: 'message_batch_deleted' });
};

/** DELETE /v1/files/{id}: a file of requests, or a result at its provider. */
export const removeFile = async (core: RelayCore, incoming: Incoming, { caller, id }: Named) => {
  const found = await ownFile(core, caller, id);
  const upstreamId = found === null ? null : upstreamFile(found);
  if (found === null || upstreamId === null) return fail(incoming, fileNotFound);
  const pathOf = ({ filesPath }: BatchAdapter) => `${filesPath}/${encodeURIComponent(upstreamId)}`;
  const failure = await removeUpstream(core, { task: found.task, pathOf });
  if (isApiError(failure)) return fail(incoming, failure);
  if (found.file.part === 'requests') await removeTask(core, found.task);
  sendJson(incoming, 200, { id, object: 'file', deleted: true });
};

/** The provider's id of a file; null: there is none, or it is not settled yet. */
export const upstreamFile = ({ file, task }: OwnFile): string | null => {
  if (file.part === 'requests') return task.upstreamId;
  if (task.report.status !== 'SUCCESS') return null;
  return textAt(reportedData(task), file.part === 'output' ? 'output' : 'error') || null;
};
