import { checkAddress, checkModel, groupOf, routeFor } from '../admission/access.ts';
import type { Incoming } from '../admission/admitted.ts';
import type { Caller } from '../admission/caller.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import { isApiError } from '../protocol/api-error.ts';
import { chooseChannel } from '../routing/choose.ts';
import { findTask } from './find.ts';
import { maxText } from './job.ts';
import { type MusicCall, readMusicCall } from './music-call.ts';
import {
  fromApiError,
  type MusicRefusal,
  musicRefusal,
  sendMusicRefusal,
  songRefusalOf,
} from './music-error.ts';
import { noUsage, taskQuote } from './price.ts';
import { submitJob } from './submit-job.ts';
import { submitSong } from './submit-music-task.ts';
import type { Destination } from './try-channels.ts';

export type MusicTaskRequest = Readonly<{ action: string; caller: Caller; raw: Buffer }>;

const maxInput = 65_536;

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

const serve = async (
  core: RelayCore,
  incoming: Incoming,
  request: MusicTaskRequest,
): Promise<void> => {
  const planned = await plan(core, incoming, request);
  if (isMusicRefusal(planned)) return sendMusicRefusal(incoming, planned);
  const { call, group } = planned;
  const { action, model, prompt } = call;
  const { prices } = core.options.current();
  return submitJob(core, incoming, {
    caller: request.caller,
    facts: {
      platform: 'suno',
      ...{ action, model, group },
      prompt: prompt.slice(0, maxText),
      state: '',
      properties: inputOf(call),
    },
    quote: taskQuote(prices, { model, group, isFree: false }),
    usage: noUsage,
    destination: planned,
    submit: (channel) => submitSong(core, incoming, { call, channel }),
    refusalOf: songRefusalOf,
  });
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
