import type { FoundTask } from '../../domain/task/messages.ts';
import { checkAddress, checkModel, groupOf, routeFor } from '../admission/access.ts';
import type { Incoming } from '../admission/admitted.ts';
import type { Caller } from '../admission/caller.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { type ApiError, isApiError, sendError } from '../protocol/api-error.ts';
import { chooseChannel } from '../routing/choose.ts';
import { freeActions } from './drawing-actions.ts';
import { type DrawingCall, readDrawingCall } from './drawing-call.ts';
import {
  type DrawingRefusal,
  drawingRefusalOf,
  isRefusal,
  refused,
  sendRefusal,
} from './drawing-error.ts';
import { findTask } from './find.ts';
import { type Job, maxText } from './job.ts';
import { noUsage, taskQuote } from './price.ts';
import type { TaskRoute } from './routes.ts';
import { submitDrawing } from './submit-drawing.ts';
import { submitJob } from './submit-job.ts';

type ImageTaskRoute = Extract<TaskRoute, { kind: 'image-task' }>;
export type ImageTaskRequest = Readonly<{ route: ImageTaskRoute; caller: Caller; raw: Buffer }>;

const maxState = 1_024;

const channelDisabled: DrawingRefusal = refused('The channel of this task is disabled');
const lookupFailed: DrawingRefusal = { refusal: 'query_task_failed', code: 5, status: 503 };

type Origin = Readonly<{ task: FoundTask; channel: UpstreamChannel }>;

/** The drawing that a step builds on: of the same caller, on a channel that still works. */
const originOf = async (
  core: RelayCore,
  caller: Caller,
  { originId, wantsSuccess }: DrawingCall,
): Promise<Origin | DrawingRefusal | null> => {
  if (originId === null) return null;
  const { userId } = caller.account;
  const task = await findTask(core, 'mj', { userId, id: originId });
  if (task === null) return refused('task_not_found');
  const mustBeDone = wantsSuccess && core.options.current().drawing.checksSuccess;
  if (mustBeDone && task.report.status !== 'SUCCESS') return refused('task_status_not_success');
  const channel = core.channels.table().channel(task.channelId);
  if (channel === undefined) return refused('get_channel_info_failed');
  return channel.enabled ? { task, channel } : channelDisabled;
};

/** Older model lists of channels have `mj_uploads` for `mj_upload`. */
const otherName = (model: string): string => (model === 'mj_upload' ? 'mj_uploads' : model);

const channelFor = (
  core: RelayCore,
  caller: Caller,
  { group, model }: Readonly<{ group: string; model: string }>,
): UpstreamChannel | ApiError => {
  const table = core.channels.table();
  const route = routeFor(caller, table, { group, model });
  if (!isApiError(route)) {
    const channel = route.pinned ?? chooseChannel(route.tiers, []);
    if (channel !== null) return channel;
  }
  const other = chooseChannel(table.tiers(group, otherName(model)), []);
  if (other !== null && caller.pinnedChannelId === null) return other;
  return isApiError(route) ? route : { ...noChannel };
};
const noChannel: ApiError = {
  status: 503,
  message: 'No channel serves this call',
  type: 'tollgate_error',
  code: 'model_not_found',
};

type Planned = Readonly<{
  call: DrawingCall;
  group: string;
  channel: UpstreamChannel;
  origin: FoundTask | null;
}>;

const plan = async (
  core: RelayCore,
  incoming: Incoming,
  { route, caller, raw }: ImageTaskRequest,
): Promise<Planned | ApiError | DrawingRefusal> => {
  const barred = checkAddress(caller, core.clientAddress(incoming.req));
  if (barred !== null) return barred;
  const group = groupOf(caller, core.options.current().prices);
  if (typeof group !== 'string') return group;
  const call = readDrawingCall(route.drawing, raw);
  if (isRefusal(call)) return call;
  const { model } = call;
  const closed = checkModel(caller, model);
  if (closed !== null && checkModel(caller, otherName(model)) !== null) return closed;
  const origin = await originOf(core, caller, call);
  if (origin !== null && isRefusal(origin)) return origin;
  if (origin !== null) {
    return { call, group, channel: origin.channel, origin: origin.task };
  }
  const channel = channelFor(core, caller, { group, model });
  return isApiError(channel) ? channel : { call, group, channel, origin: null };
};

const jobOf = (
  core: RelayCore,
  incoming: Incoming,
  { caller, route, planned }: ImageTaskRequest & Readonly<{ planned: Planned }>,
): Job => {
  const { call, group, channel, origin } = planned;
  const { action, model, prompt, body } = call;
  const isFree = freeActions.has(action);
  const { path } = route;
  return {
    caller,
    facts: {
      platform: 'mj',
      ...{ action, model, group },
      prompt: (prompt || (origin?.prompt ?? '')).slice(0, maxText),
      state: String(body.state ?? '').slice(0, maxState),
      properties: '',
    },
    quote: taskQuote(core.options.current().prices, { model, group, isFree }),
    usage: noUsage,
    destination: { channel, tiers: [] },
    submit: (to, facts) => submitDrawing(core, incoming, { call, channel: to, facts, path }),
    refusalOf: drawingRefusalOf,
  };
};

const serve = async (
  core: RelayCore,
  incoming: Incoming,
  request: ImageTaskRequest,
): Promise<void> => {
  const planned = await plan(core, incoming, request);
  if (isApiError(planned)) return sendError(incoming.res, planned, incoming.requestId);
  if (isRefusal(planned)) return sendRefusal(incoming, planned);
  return submitJob(core, incoming, jobOf(core, incoming, { ...request, planned }));
};

/** POST /mj/submit/… and /mj/insight-face/swap */
export const serveImageTask = async (
  core: RelayCore,
  incoming: Incoming,
  request: ImageTaskRequest,
): Promise<void> => {
  try {
    await serve(core, incoming, request);
  } catch (error) {
    core.logger.error({ requestId: incoming.requestId, err: error }, 'a drawing call failed');
    sendRefusal(incoming, lookupFailed);
  }
};
