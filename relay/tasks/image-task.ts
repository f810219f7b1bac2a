import type { TaskFacts } from '../../domain/task/events.ts';
import type { FoundTask } from '../../domain/task/messages.ts';
import { checkAddress, checkModel, groupOf, routeFor } from '../admission/access.ts';
import type { Incoming } from '../admission/admitted.ts';
import type { Caller } from '../admission/caller.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { type ApiError, isApiError, sendError } from '../protocol/api-error.ts';
import { chooseChannel } from '../routing/choose.ts';
import { isoTime } from '../settlement/iso-time.ts';
import { freeActions } from './drawing-actions.ts';
import { type DrawingCall, readDrawingCall } from './drawing-call.ts';
import { type DrawingRefusal, isRefusal, refused, sendRefusal } from './drawing-error.ts';
import { findTask } from './find.ts';
import { taskQuote } from './price.ts';
import type { TaskRoute } from './routes.ts';
import { submitDrawing } from './submit-drawing.ts';
import { reserveFor, TaskMoney, type TaskRequest } from './task-money.ts';
import { withTaskPermit } from './task-permit.ts';

type ImageTaskRoute = Extract<TaskRoute, { kind: 'image-task' }>;
export type ImageTaskRequest = Readonly<{ route: ImageTaskRoute; caller: Caller; raw: Buffer }>;

/** Longest prompt that is kept with a task, in characters. */
const maxPrompt = 16_384;
const maxState = 1_024;

const channelDisabled: DrawingRefusal = refused('The channel of this task is disabled');
/** Of refusals: too many requests at once. */
const tooMuch = 30;
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

const factsOf = (
  { requestId }: Incoming,
  caller: Caller,
  { call, group, channel, origin, startedAtMs }: Planned & Readonly<{ startedAtMs: number }>,
): TaskFacts => ({
  taskId: requestId,
  platform: 'mj',
  userId: caller.account.userId,
  tokenId: caller.tokenId,
  channelId: channel.channelId,
  action: call.action,
  model: call.model,
  group,
  prompt: (call.prompt || (origin?.prompt ?? '')).slice(0, maxPrompt),
  state: String(call.body.state ?? '').slice(0, maxState),
  properties: '',
  submittedAt: isoTime(startedAtMs),
});

const quotaRefusal = (refusal: string): DrawingRefusal =>
  refusal === 'keeper-unavailable'
    ? { refusal: 'quota_unavailable', code: 5, status: 503 }
    : refused('quota_not_enough');

/** false: there is no quota for it. */
const submit = async (
  core: RelayCore,
  incoming: Incoming,
  { caller, route, planned }: ImageTaskRequest & Readonly<{ planned: Planned }>,
): Promise<boolean> => {
  const { call, group, channel } = planned;
  const { prices } = core.options.current();
  const isFree = freeActions.has(call.action);
  const quote = taskQuote(prices, { model: call.model, group, isFree });
  const reservation = await reserveFor(core, caller, { quote });
  if (reservation !== null && 'kind' in reservation) {
    sendRefusal(incoming, quotaRefusal(reservation.refusal));
    return false;
  }
  const startedAtMs = core.clock().getTime();
  const facts = factsOf(incoming, caller, { ...planned, startedAtMs });
  const taskRequest: TaskRequest = { incoming, caller, facts, quote, startedAtMs };
  const money = new TaskMoney(core, taskRequest, reservation);
  await submitDrawing(core, incoming, { call, channel, facts, money, path: route.path });
  return true;
};

const serve = async (
  core: RelayCore,
  incoming: Incoming,
  request: ImageTaskRequest,
): Promise<void> => {
  const { caller } = request;
  const planned = await plan(core, incoming, request);
  if (isApiError(planned)) return sendError(incoming.res, planned, incoming.requestId);
  if (isRefusal(planned)) return sendRefusal(incoming, planned);
  const { group, call } = planned;
  const go = () => submit(core, incoming, { ...request, planned });
  const limited = await withTaskPermit(core, incoming, { caller, group, model: call.model, go });
  if (limited !== null) sendRefusal(incoming, refused(limited.message, tooMuch));
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
