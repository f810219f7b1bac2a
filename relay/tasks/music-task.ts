import type { TaskFacts } from '../../domain/task/events.ts';
import { checkAddress, checkModel, groupOf, routeFor } from '../admission/access.ts';
import type { Incoming } from '../admission/admitted.ts';
import type { Caller } from '../admission/caller.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { Tier } from '../feeds/channel-directory.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { isApiError } from '../protocol/api-error.ts';
import { chooseChannel } from '../routing/choose.ts';
import { isoTime } from '../settlement/iso-time.ts';
import { findTask } from './find.ts';
import { type MusicCall, readMusicCall } from './music-call.ts';
import { fromApiError, type MusicRefusal, musicRefusal, sendMusicRefusal } from './music-error.ts';
import { taskQuote } from './price.ts';
import { submitMusicTask } from './submit-music-task.ts';
import { reserveFor, TaskMoney } from './task-money.ts';
import { withTaskPermit } from './task-permit.ts';

export type MusicTaskRequest = Readonly<{ action: string; caller: Caller; raw: Buffer }>;

const maxText = 16_384;
const maxInput = 65_536;

type Destination = Readonly<{ channel: UpstreamChannel; tiers: readonly Tier[] }>;
type Planned = Destination & Readonly<{ call: MusicCall; group: string }>;

const isMusicRefusal = (value: object): value is MusicRefusal => 'message' in value;

/** A continuation uses the channel of the task that it continues. */
const destinationOf = async (
  core: RelayCore,
  caller: Caller,
  { call, group }: Readonly<{ call: MusicCall; group: string }>,
): Promise<Destination | MusicRefusal> => {
  const table = core.channels.table();
  if (call.originId !== null) {
    const { userId } = caller.account;
    const origin = await findTask(core, 'suno', { userId, id: call.originId });
    if (origin === null) return musicRefusal(400, 'task_not_exist', 'The task does not exist');
    const channel = table.channel(origin.channelId);
    if (channel?.enabled === true) return { channel, tiers: [] };
    return musicRefusal(400, 'task_channel_disable', 'The channel of this task is disabled');
  }
  const route = routeFor(caller, table, { group, model: call.model });
  if (isApiError(route)) return fromApiError(route);
  const channel = route.pinned ?? chooseChannel(route.tiers, []);
  if (channel !== null) return { channel, tiers: route.pinned === null ? route.tiers : [] };
  return musicRefusal(503, 'model_not_found', 'No channel serves this call');
};

const plan = async (
  core: RelayCore,
  incoming: Incoming,
  { action, caller, raw }: MusicTaskRequest,
): Promise<Planned | MusicRefusal> => {
  const barred = checkAddress(caller, core.clientAddress(incoming.req));
  if (barred !== null) return fromApiError(barred);
  const group = groupOf(caller, core.options.current().prices);
  if (typeof group !== 'string') return fromApiError(group);
  const call = readMusicCall(action, raw);
  if (isMusicRefusal(call)) return call;
  const closed = checkModel(caller, call.model);
  if (closed !== null) return fromApiError(closed);
  const destination = await destinationOf(core, caller, { call, group });
  return isMusicRefusal(destination) ? destination : { ...destination, call, group };
};

const inputOf = ({ body }: MusicCall): string => {
  const text = JSON.stringify({ input: body });
  return text.length > maxInput ? '' : text;
};

const factsOf = (
  { requestId }: Incoming,
  caller: Caller,
  { call, group, channel, startedAtMs }: Planned & Readonly<{ startedAtMs: number }>,
): TaskFacts => ({
  taskId: requestId,
  platform: 'suno',
  userId: caller.account.userId,
  tokenId: caller.tokenId,
  channelId: channel.channelId,
  action: call.action,
  model: call.model,
  group,
  prompt: call.prompt.slice(0, maxText),
  state: '',
  properties: inputOf(call),
  submittedAt: isoTime(startedAtMs),
});

/** false: there is no quota for it. */
const submit = async (
  core: RelayCore,
  incoming: Incoming,
  { caller, planned }: Readonly<{ caller: Caller; planned: Planned }>,
): Promise<boolean> => {
  const { call, group, channel, tiers } = planned;
  const { prices } = core.options.current();
  const quote = taskQuote(prices, { model: call.model, group, isFree: false });
  const reservation = await reserveFor(core, caller, { quote });
  if (reservation !== null && 'kind' in reservation) {
    const isBusy = reservation.refusal === 'keeper-unavailable';
    const code = isBusy ? 'quota_unavailable' : 'quota_not_enough';
    sendMusicRefusal(incoming, musicRefusal(isBusy ? 503 : 403, code));
    return false;
  }
  const startedAtMs = core.clock().getTime();
  const facts = factsOf(incoming, caller, { ...planned, startedAtMs });
  const money = new TaskMoney(core, { incoming, caller, facts, quote, startedAtMs }, reservation);
  await submitMusicTask(core, incoming, { call, facts, money, channel, tiers });
  return true;
};

const serve = async (
  core: RelayCore,
  incoming: Incoming,
  request: MusicTaskRequest,
): Promise<void> => {
  const { caller } = request;
  const planned = await plan(core, incoming, request);
  if (isMusicRefusal(planned)) return sendMusicRefusal(incoming, planned);
  const { group, call } = planned;
  const go = () => submit(core, incoming, { caller, planned });
  const limited = await withTaskPermit(core, incoming, { caller, group, model: call.model, go });
  if (limited !== null) sendMusicRefusal(incoming, fromApiError(limited));
};

/** POST /suno/submit/{action} */
export const serveMusicTask = async (
  core: RelayCore,
  incoming: Incoming,
  request: MusicTaskRequest,
): Promise<void> => {
  try {
    await serve(core, incoming, request);
  } catch (error) {
    core.logger.error({ requestId: incoming.requestId, err: error }, 'a music call failed');
    sendMusicRefusal(incoming, musicRefusal(503, 'query_task_failed'));
  }
};
