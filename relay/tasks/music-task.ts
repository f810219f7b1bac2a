import type { Quote } from '../../domain/pricing/types.ts';
import { admit, type Rules } from '../admission/admit.ts';
import type { Incoming } from '../admission/admitted.ts';
import type { Caller } from '../admission/caller.ts';
import { wordInTexts } from '../admission/sensitive-words.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { isApiError } from '../protocol/api-error.ts';
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

type Planned = Destination & Readonly<{ call: MusicCall; group: string; quote: Quote }>;

const isMusicRefusal = (value: object): value is MusicRefusal => 'message' in value;

/** A continuation uses the channel of the task that it continues; null: it is new. */
const placeOf = async (
  core: RelayCore,
  caller: Caller,
  { originId }: MusicCall,
): Promise<UpstreamChannel | MusicRefusal | null> => {
  if (originId === null) return null;
  const { userId } = caller.account;
  const origin = await findTask(core, 'suno', { userId, id: originId });
  if (origin === null) return musicRefusal(400, 'task_not_exist', 'The task does not exist');
  const channel = core.channels.table().channel(origin.channelId);
  if (channel?.enabled === true) return channel;
  return musicRefusal(400, 'task_channel_disable', 'The channel of this task is disabled');
};

const rules: Rules<MusicCall> = {
  word: (words, { body }) => wordInTexts(words, body),
  quote: (prices, { model, group }) => taskQuote(prices, { model, group, isFree: false }),
};

const plan = async (
  core: RelayCore,
  incoming: Incoming,
  { action, caller, raw }: MusicTaskRequest,
): Promise<Planned | MusicRefusal> => {
  const call = readMusicCall(action, raw);
  if (isMusicRefusal(call)) return call;
  const place = await placeOf(core, caller, call);
  if (place !== null && isMusicRefusal(place)) return place;
  const { model } = call;
  const admission = admit(core, incoming, {
    entry: 'music-task',
    caller,
    model,
    place,
    rules,
    call,
  });
  if (isApiError(admission)) return fromApiError(admission);
  const { group, route, channel, quote } = admission;
  return { call, group, channel, quote, tiers: route.tiers };
};

const inputOf = ({ body }: MusicCall): string => {
  const text = JSON.stringify({ input: body });
  return text.length > maxInput ? '' : text;
};

/** POST /suno/submit/{action} */
export const serveMusicTask = async (
  core: RelayCore,
  incoming: Incoming,
  request: MusicTaskRequest,
): Promise<void> => {
  const planned = await plan(core, incoming, request);
  if (isMusicRefusal(planned)) return sendMusicRefusal(incoming, planned);
  const { call, group, quote } = planned;
  const { action, model, prompt } = call;
  return submitJob(core, incoming, {
    caller: request.caller,
    facts: {
      platform: 'suno',
      ...{ action, model, group },
      prompt: prompt.slice(0, maxText),
      state: '',
      properties: inputOf(call),
    },
    quote,
    usage: noUsage,
    destination: planned,
    submit: (channel) => submitSong(core, incoming, { call, channel }),
    refusalOf: songRefusalOf,
  });
};
