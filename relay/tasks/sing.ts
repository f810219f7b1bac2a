import type { TaskFacts } from '../../domain/task/events.ts';
import { checkAddress, checkModel, groupOf, routeFor } from '../admission/access.ts';
import { type Caller, isApiError } from '../admission/caller.ts';
import type { Incoming } from '../exchange/admitted.ts';
import { isoTime } from '../exchange/iso-time.ts';
import type { RelayCore } from '../relay-core.ts';
import { chooseChannel } from '../routing/choose.ts';
import type { Tier } from '../routing/routing-table.ts';
import type { UpstreamChannel } from '../routing/upstream-channel.ts';
import { findTask } from './find.ts';
import { type MusicCall, readMusicCall } from './music-call.ts';
import { fromApiError, type MusicRefusal, musicRefusal, sendMusicRefusal } from './music-error.ts';
import { taskQuote } from './price.ts';
import { submitSong } from './submit-song.ts';
import { reserveFor, TaskMoney } from './task-money.ts';

export type SingAsk = Readonly<{ action: string; caller: Caller; raw: Buffer }>;

const longestText = 16_384;
const longestInput = 65_536;

type Way = Readonly<{ channel: UpstreamChannel; tiers: readonly Tier[] }>;
type Planned = Way & Readonly<{ call: MusicCall; group: string }>;

const isMusicRefusal = (value: object): value is MusicRefusal => 'message' in value;

/** A song goes on where it began, with the key and the address of that channel. */
const wayOf = async (
  core: RelayCore,
  caller: Caller,
  { call, group }: Readonly<{ call: MusicCall; group: string }>,
): Promise<Way | MusicRefusal> => {
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
  { action, caller, raw }: SingAsk,
): Promise<Planned | MusicRefusal> => {
  const barred = checkAddress(caller, core.clientAddress(incoming.req));
  if (barred !== null) return fromApiError(barred);
  const group = groupOf(caller, core.options.current().prices);
  if (typeof group !== 'string') return fromApiError(group);
  const call = readMusicCall(action, raw);
  if (isMusicRefusal(call)) return call;
  const closed = checkModel(caller, call.model);
  if (closed !== null) return fromApiError(closed);
  const way = await wayOf(core, caller, { call, group });
  return isMusicRefusal(way) ? way : { ...way, call, group };
};

const inputOf = ({ body }: MusicCall): string => {
  const text = JSON.stringify({ input: body });
  return text.length > longestInput ? '' : text;
};

const factsOf = (
  { requestId }: Incoming,
  caller: Caller,
  { call, group, channel }: Planned,
  startedAtMs: number,
): TaskFacts => ({
  taskId: requestId,
  platform: 'suno',
  userId: caller.account.userId,
  tokenId: caller.tokenId,
  channelId: channel.channelId,
  action: call.action,
  model: call.model,
  group,
  prompt: call.prompt.slice(0, longestText),
  state: '',
  properties: inputOf(call),
  submittedAt: isoTime(startedAtMs),
});

const serve = async (core: RelayCore, incoming: Incoming, ask: SingAsk): Promise<void> => {
  const { caller } = ask;
  const planned = await plan(core, incoming, ask);
  if (isMusicRefusal(planned)) return sendMusicRefusal(incoming, planned);
  const { call, group, channel, tiers } = planned;
  const { prices } = core.options.current();
  const quote = taskQuote(prices, { model: call.model, group, isFree: false });
  const reservation = await reserveFor(core, caller, quote);
  if (reservation !== null && 'kind' in reservation) {
    const isBusy = reservation.refusal === 'keeper-unavailable';
    const code = isBusy ? 'quota_unavailable' : 'quota_not_enough';
    return sendMusicRefusal(incoming, musicRefusal(isBusy ? 503 : 403, code));
  }
  const startedAtMs = core.clock().getTime();
  const facts = factsOf(incoming, caller, planned, startedAtMs);
  const money = new TaskMoney(core, { incoming, caller, facts, quote, startedAtMs }, reservation);
  await submitSong(core, incoming, { call, facts, money, channel, tiers });
};

/** POST /suno/submit/{action} */
export const serveSing = async (
  core: RelayCore,
  incoming: Incoming,
  ask: SingAsk,
): Promise<void> => {
  try {
    await serve(core, incoming, ask);
  } catch (error) {
    core.logger.error({ requestId: incoming.requestId, err: error }, 'a music call failed');
    sendMusicRefusal(incoming, musicRefusal(503, 'query_task_failed'));
  }
};
