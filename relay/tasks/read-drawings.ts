import type { FoundTask } from '../../domain/task/messages.ts';
import type { Incoming } from '../admission/admitted.ts';
import type { Caller } from '../admission/caller.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { RelayOptions } from '../feeds/options.ts';
import { sendJson } from '../protocol/answer-head.ts';
import { parseJson, parseObject } from '../protocol/json.ts';
import { callProvider } from './call-provider.ts';
import { type DrawingRefusal, refused, sendRefusal } from './drawing-error.ts';
import { findTask, findTasks } from './find.ts';

/** Drawings that one call may request. */
const maxIds = 500;
const seedTimeoutMs = 30_000;
export const unavailable: DrawingRefusal = { refusal: 'query_task_failed', code: 5, status: 503 };

/** Our own address of a picture; changes while it is not finished, so that clients load it again. */
const shownImage = (
  { drawing, serverAddress }: Pick<RelayOptions, 'drawing' | 'serverAddress'>,
  { upstreamId, report }: Pick<FoundTask, 'upstreamId' | 'report'>,
): string => {
  if (report.imageUrl === '' || !drawing.forwardsImages) return report.imageUrl;
  const address = `${serverAddress.replace(/\/+$/, '')}/mj/image/${encodeURIComponent(upstreamId)}`;
  return report.status === 'SUCCESS' ? address : `${address}?rand=${process.hrtime.bigint()}`;
};

const parsedOrNull = (text: string): unknown => (text === '' ? null : (parseJson(text) ?? null));

const toWire = (options: RelayOptions, task: FoundTask): object => {
  const { report } = task;
  return {
    id: task.upstreamId,
    action: task.action,
    customId: '',
    botType: '',
    prompt: task.prompt,
    promptEn: report.promptEn,
    description: report.description,
    state: report.state,
    submitTime: report.submitTime || task.submittedMs,
    startTime: report.startTime,
    finishTime: report.finishTime,
    imageUrl: shownImage(options, task),
    status: report.status,
    progress: report.progress,
    failReason: report.failReason,
    buttons: parsedOrNull(report.buttons),
    maskBase64: '',
    properties: parsedOrNull(report.properties),
  };
};

type Read = Readonly<{ caller: Caller; id: string }>;

/** GET /mj/task/{id}/fetch, out of our own store. */
export const serveDrawing = async (core: RelayCore, incoming: Incoming, read: Read) => {
  const { userId } = read.caller.account;
  const task = await findTask(core, 'mj', { userId, id: read.id });
  if (task === null) sendRefusal(incoming, refused('task_no_found'));
  else sendJson(incoming, 200, toWire(core.options.current(), task));
};

/** POST /mj/task/list-by-condition; the newest where a number was given twice. */
export const serveDrawings = async (
  core: RelayCore,
  incoming: Incoming,
  { caller, raw }: Readonly<{ caller: Caller; raw: Buffer }>,
) => {
  const body = parseObject(raw.toString('utf8'));
  if (body === null) return sendRefusal(incoming, refused('bind_request_body_failed'));
  const ids = Array.isArray(body.ids) ? body.ids : [];
  const upstreamIds = ids.filter((id) => typeof id === 'string').slice(0, maxIds);
  if (upstreamIds.length === 0) return sendJson(incoming, 200, []);
  const { userId } = caller.account;
  const newest = new Map<string, FoundTask>();
  for (const task of await findTasks(core, { platform: 'mj', userId, upstreamIds })) {
    if (!newest.has(task.upstreamId)) newest.set(task.upstreamId, task);
  }
  const options = core.options.current();
  sendJson(
    incoming,
    200,
    [...newest.values()].map((task) => toWire(options, task)),
  );
};

/** GET /mj/task/{id}/image-seed: the provider's own word; free. */
export const serveSeed = async (
  core: RelayCore,
  incoming: Incoming,
  { caller, id, path }: Read & Readonly<{ path: string }>,
) => {
  const task = await findTask(core, 'mj', { userId: caller.account.userId, id });
  if (task === null) return sendRefusal(incoming, refused('task_no_found'));
  const channel = core.channels.table().channel(task.channelId);
  if (channel === undefined) return sendRefusal(incoming, refused('get_channel_info_failed'));
  if (!channel.enabled)
    return sendRefusal(incoming, refused('The channel of this task is disabled'));
  const reply = await callProvider(core, channel, {
    method: 'GET',
    path,
    headers: { accept: 'application/json', 'mj-api-secret': channel.key },
    body: null,
    timeoutMs: seedTimeoutMs,
  });
  if (typeof reply === 'string') return sendRefusal(incoming, refused('do_request_failed', 5));
  const value = parseObject(reply.body.toString('utf8'));
  if (value === null) sendRefusal(incoming, refused('unmarshal_response_body_failed', 5));
  else sendJson(incoming, reply.status, value);
};
