import type { ChannelId } from '../../domain/shared/ids.ts';
import type { TaskFacts } from '../../domain/task/events.ts';
import type { Incoming } from '../exchange/admitted.ts';
import { discreetWords } from '../exchange/discretion.ts';
import { isoTime } from '../exchange/iso-time.ts';
import { parseObject, textAt } from '../providers/shared/json.ts';
import type { HttpReply } from '../providers/translate.ts';
import type { RelayCore } from '../relay-core.ts';
import { chooseChannel } from '../routing/choose.ts';
import { isRetryableStatus } from '../routing/retry.ts';
import type { Tier } from '../routing/routing-table.ts';
import type { UpstreamChannel } from '../routing/upstream-channel.ts';
import { askProvider, type Silence } from './ask-provider.ts';
import { sendJson } from './drawing-error.ts';
import { untilShown } from './find.ts';
import type { MusicCall } from './music-call.ts';
import { type MusicRefusal, musicRefusal, sendMusicRefusal } from './music-error.ts';
import type { Ending, TaskMoney } from './task-money.ts';

type Submission = Readonly<{
  call: MusicCall;
  facts: TaskFacts;
  money: TaskMoney;
  channel: UpstreamChannel;
  /** Where to go when the channel fails; none for a song that goes on. */
  tiers: readonly Tier[];
}>;

type Said =
  | Readonly<{ kind: 'taken'; upstreamId: string; shown: object }>
  | Readonly<{ kind: 'refused'; refusal: MusicRefusal; mayRetry: boolean }>;

const submitTimeoutMs = 120_000;

const ask = (core: RelayCore, incoming: Incoming, work: Submission, channel: UpstreamChannel) => {
  const { headers } = incoming.req;
  return askProvider(core, channel, {
    method: 'POST',
    path: `/suno/submit/${work.call.action}`,
    headers: {
      'content-type': headers['content-type'] ?? 'application/json',
      accept: headers.accept ?? 'application/json',
      authorization: `Bearer ${channel.key}`,
    },
    body: work.call.body,
    timeoutMs: submitTimeoutMs,
  });
};

const refused = (refusal: MusicRefusal, mayRetry: boolean): Said => ({
  kind: 'refused',
  refusal,
  mayRetry,
});

/** A provider that was asked and fell silent may be at work: no other one is asked then. */
const read = (reply: HttpReply | Silence, channel: UpstreamChannel): Said => {
  if (typeof reply === 'string') {
    const failed = musicRefusal(500, 'do_request_failed', 'The upstream request failed');
    return refused(failed, reply === 'unreachable');
  }
  const { status, body } = reply;
  const value = parseObject(body.toString('utf8'));
  if (status !== 200) {
    const message = value === null ? '' : discreetWords(channel, textAt(value, 'message'));
    const shown = status >= 400 && status <= 599 ? status : 502;
    const refusal = musicRefusal(shown, 'fail_to_fetch_task', message || `status ${status}`);
    return refused(refusal, isRetryableStatus(status, channel.type));
  }
  if (value === null) {
    return refused(musicRefusal(500, 'unmarshal_response_body_failed'), true);
  }
  const code = textAt(value, 'code');
  const upstreamId = textAt(value, 'data').slice(0, 256);
  if (code === 'success' && upstreamId !== '') return { kind: 'taken', upstreamId, shown: value };
  const message = discreetWords(channel, textAt(value, 'message'));
  return refused(musicRefusal(500, code || 'invalid_response', message), true);
};

type Attempts = Readonly<{ said: Said; ending: Ending }>;

const attempts = async (
  core: RelayCore,
  incoming: Incoming,
  work: Submission,
): Promise<Attempts> => {
  const most = core.options.current().retryTimes;
  const tried: ChannelId[] = [];
  let { channel } = work;
  for (;;) {
    tried.push(channel.channelId);
    const said = read(await ask(core, incoming, work, channel), channel);
    const ending = { channelId: channel.channelId, tried };
    if (said.kind === 'taken' || !said.mayRetry || tried.length > most) return { said, ending };
    const next = chooseChannel(work.tiers, tried);
    if (next === null) return { said, ending };
    channel = next;
  }
};

const submit = async (core: RelayCore, incoming: Incoming, work: Submission): Promise<void> => {
  const { facts, money } = work;
  const { said, ending } = await attempts(core, incoming, work);
  if (said.kind === 'refused') {
    const { status, code, message } = said.refusal;
    const reason = `${code} ${message}`.trim();
    await money.refused({ kind: 'refused', code: null, reason }, { ...ending, status });
    sendMusicRefusal(incoming, said.refusal);
    return;
  }
  const { upstreamId } = said;
  const outcome = {
    kind: 'accepted',
    taskId: facts.taskId,
    platform: facts.platform,
    userId: facts.userId,
    channelId: ending.channelId,
    upstreamId,
    code: 0,
    description: '',
    quota: money.amount,
    acceptedAt: isoTime(core.clock().getTime()),
    properties: '',
    report: null,
  } as const;
  await money.accepted(outcome, ending);
  await untilShown(core, 'suno', { taskId: facts.taskId, upstreamId });
  sendJson(incoming, 200, said.shown);
};

/** Asks one provider of music after the other, books the outcome, and passes it on. */
export const submitSong = async (
  core: RelayCore,
  incoming: Incoming,
  work: Submission,
): Promise<void> => {
  core.meters.exchangeBegan(false);
  try {
    await submit(core, incoming, work);
  } catch (error) {
    const { channelId } = work.channel;
    const ending = { channelId, tried: [channelId], status: 500 };
    const outcome = { kind: 'refused', code: null, reason: 'internal_error' } as const;
    if (!work.money.isEnded) await work.money.refused(outcome, ending);
    throw error;
  } finally {
    core.meters.exchangeEnded(false);
  }
};
