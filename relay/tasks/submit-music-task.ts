import type { TaskFacts } from '../../domain/task/events.ts';
import type { Incoming } from '../admission/admitted.ts';
import { redactText } from '../delivery/redaction.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { Tier } from '../feeds/channel-directory.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { sendJson } from '../protocol/answer-head.ts';
import { parseObject, textAt } from '../protocol/json.ts';
import { isRetryableStatus } from '../routing/retry.ts';
import { isoTime } from '../settlement/iso-time.ts';
import type { HttpReply } from '../upstream/types.ts';
import { callProvider, type NoAnswer } from './call-provider.ts';
import { untilShown } from './find.ts';
import type { MusicCall } from './music-call.ts';
import { type MusicRefusal, musicRefusal, sendMusicRefusal } from './music-error.ts';
import type { TaskMoney } from './task-money.ts';
import { tracedTask } from './task-trace.ts';
import { tryChannels } from './try-channels.ts';

type Submission = Readonly<{
  call: MusicCall;
  facts: TaskFacts;
  money: TaskMoney;
  channel: UpstreamChannel;
  /** The next channel when the channel fails; none for a song that is continued. */
  tiers: readonly Tier[];
}>;

type SubmitResult =
  | Readonly<{ kind: 'taken'; upstreamId: string; shown: object }>
  | Readonly<{ kind: 'refused'; refusal: MusicRefusal; mayRetry: boolean }>;

const submitTimeoutMs = 120_000;

const send = (core: RelayCore, incoming: Incoming, { call, channel, facts }: Submission) => {
  const { headers } = incoming.req;
  return callProvider(core, channel, {
    method: 'POST',
    path: `/suno/submit/${call.action}`,
    headers: {
      'content-type': headers['content-type'] ?? 'application/json',
      accept: headers.accept ?? 'application/json',
      authorization: `Bearer ${channel.key}`,
    },
    body: call.body,
    timeoutMs: submitTimeoutMs,
    traced: tracedTask(incoming, 'suno', facts.model),
  });
};

const refused = (refusal: MusicRefusal, mayRetry: boolean): SubmitResult => ({
  kind: 'refused',
  refusal,
  mayRetry,
});

/** A provider that did not answer may have accepted the task: no other one is tried then. */
const read = (reply: HttpReply | NoAnswer, channel: UpstreamChannel): SubmitResult => {
  if (typeof reply === 'string') {
    const failed = musicRefusal(500, 'do_request_failed', 'The upstream request failed');
    return refused(failed, reply === 'unreachable');
  }
  const { status, body } = reply;
  const value = parseObject(body.toString('utf8'));
  if (status !== 200) {
    const message = value === null ? '' : redactText(channel, textAt(value, 'message'));
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
  const message = redactText(channel, textAt(value, 'message'));
  return refused(musicRefusal(500, code || 'invalid_response', message), true);
};

const submit = async (core: RelayCore, incoming: Incoming, work: Submission): Promise<void> => {
  const { facts, money } = work;
  const attempt = async (channel: UpstreamChannel) =>
    read(await send(core, incoming, { ...work, channel }), channel);
  const { result, channel, tried } = await tryChannels(core, work, attempt);
  const ending = { channelId: channel.channelId, tried };
  if (result.kind === 'refused') {
    const { status, code, message } = result.refusal;
    const reason = `${code} ${message}`.trim();
    await money.refused({ kind: 'refused', code: null, reason }, { ...ending, status });
    sendMusicRefusal(incoming, result.refusal);
    return;
  }
  const { upstreamId } = result;
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
  sendJson(incoming, 200, result.shown);
};

/** Calls one provider of music after the other, books the outcome, and passes it on. */
export const submitMusicTask = async (
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
