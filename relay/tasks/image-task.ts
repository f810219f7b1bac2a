import type { Quote } from '../../domain/pricing/types.ts';
import type { FoundTask } from '../../domain/task/messages.ts';
import { admit, type Rules } from '../admission/admit.ts';
import type { Incoming } from '../admission/admitted.ts';
import type { Caller } from '../admission/caller.ts';
import { wordInTexts } from '../admission/sensitive-words.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { type ApiError, isApiError, sendError } from '../protocol/api-error.ts';
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

const rules: Rules<DrawingCall> = {
  word: (words, { body }) => wordInTexts(words, body),
  quote: (prices, { call: { action }, model, group }) =>
    taskQuote(prices, { model, group, isFree: freeActions.has(action) }),
};

type Planned = Readonly<{
  call: DrawingCall;
  group: string;
  channel: UpstreamChannel;
  quote: Quote;
  origin: FoundTask | null;
}>;

const plan = async (
  core: RelayCore,
  incoming: Incoming,
  { route, caller, raw }: ImageTaskRequest,
): Promise<Planned | ApiError | DrawingRefusal> => {
  const call = readDrawingCall(route.drawing, raw);
  if (isRefusal(call)) return call;
  const { model } = call;
  const origin = await originOf(core, caller, call);
  if (origin !== null && isRefusal(origin)) return origin;
  const place = origin?.channel ?? null;
  const names = { model, alias: otherName(model) };
  const admission = admit(core, incoming, {
    entry: 'image-task',
    caller,
    ...names,
    place,
    rules,
    call,
  });
  if (isApiError(admission)) return admission;
  const { group, channel, quote } = admission;
  return { call, group, channel, quote, origin: origin?.task ?? null };
};

const jobOf = (
  core: RelayCore,
  incoming: Incoming,
  { caller, route, planned }: ImageTaskRequest & Readonly<{ planned: Planned }>,
): Job => {
  const { call, group, channel, quote, origin } = planned;
  const { action, model, prompt, body } = call;
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
    quote,
    usage: noUsage,
    destination: { channel, tiers: [] },
    submit: (to, facts) => submitDrawing(core, incoming, { call, channel: to, facts, path }),
    refusalOf: drawingRefusalOf,
  };
};

/** POST /mj/submit/… and /mj/insight-face/swap */
export const serveImageTask = async (
  core: RelayCore,
  incoming: Incoming,
  request: ImageTaskRequest,
): Promise<void> => {
  const planned = await plan(core, incoming, request);
  if (isApiError(planned)) return sendError(incoming.res, planned, incoming.requestId);
  if (isRefusal(planned)) return sendRefusal(incoming, planned);
  return submitJob(core, incoming, jobOf(core, incoming, { ...request, planned }));
};
