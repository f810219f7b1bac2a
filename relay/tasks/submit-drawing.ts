import type { ChannelFailing } from '../../domain/relay/messages.ts';
import type { TaskFacts } from '../../domain/task/events.ts';
import type { Incoming } from '../admission/admitted.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { sendJson } from '../protocol/answer-head.ts';
import type { AcceptedTask } from '../settlement/charge.ts';
import { isoTime } from '../settlement/iso-time.ts';
import type { HttpReply } from '../upstream/types.ts';
import { callProvider, type NoAnswer } from './call-provider.ts';
import { type DrawingAnswer, readAnswer } from './drawing-answer.ts';
import { drawingBody } from './drawing-body.ts';
import type { DrawingCall } from './drawing-call.ts';
import { type DrawingRefusal, refused, sendRefusal } from './drawing-error.ts';
import { untilShown } from './find.ts';
import { hookOf } from './notify-hook.ts';
import type { TaskMoney } from './task-money.ts';
import { tracedTask } from './task-trace.ts';

type Submission = Readonly<{
  call: DrawingCall;
  channel: UpstreamChannel;
  facts: TaskFacts;
  money: TaskMoney;
  path: string;
}>;

const submitTimeoutMs = 60_000;
/** The provider has no account to draw with. */
const noInstance = 3;

const ownHeader = (incoming: Incoming, name: 'content-type' | 'accept'): string =>
  incoming.req.headers[name] ?? 'application/json';

const send = (core: RelayCore, incoming: Incoming, { call, channel, facts, path }: Submission) => {
  const options = core.options.current();
  const url = incoming.req.url ?? '';
  const query = url.indexOf('?');
  return callProvider(core, channel, {
    method: 'POST',
    path: query === -1 ? path : path + url.slice(query),
    headers: {
      'content-type': ownHeader(incoming, 'content-type'),
      accept: ownHeader(incoming, 'accept'),
      'mj-api-secret': channel.key,
    },
    body: drawingBody(call, options, hookOf(core.vault, options.serverAddress, facts.taskId)),
    timeoutMs: submitTimeoutMs,
    traced: tracedTask(incoming, 'mj', facts.model),
  });
};

const unreadable = (reply: HttpReply | NoAnswer): DrawingRefusal => {
  if (typeof reply === 'string') return refused('do_request_failed', 5);
  const isEmpty = reply.body.length === 0;
  return refused(isEmpty ? 'empty_response_body' : 'unmarshal_response_body_failed', 5);
};

const reportFailingChannel = (core: RelayCore, channel: UpstreamChannel): void => {
  if (!channel.settings.autoBan || !core.options.current().automaticDisable) return;
  core.bus.publish<ChannelFailing>('channel.failing', {
    channelId: channel.channelId,
    reason: 'No available account instance',
    occurredAt: core.clock().toISOString(),
  });
};

const outcomeOf = (
  { facts, channel, money }: Submission,
  answer: DrawingAnswer,
  nowMs: number,
): AcceptedTask => ({
  kind: 'accepted',
  taskId: facts.taskId,
  platform: facts.platform,
  userId: facts.userId,
  channelId: channel.channelId,
  upstreamId: answer.upstreamId,
  code: answer.code,
  description: answer.description,
  quota: money.amount,
  acceptedAt: isoTime(nowMs),
  properties: answer.properties,
  report: answer.report,
});

const submit = async (core: RelayCore, incoming: Incoming, work: Submission): Promise<void> => {
  const { channel, facts, money } = work;
  const ending = { channelId: channel.channelId, tried: [channel.channelId] };
  const reply = await send(core, incoming, work);
  const nowMs = core.clock().getTime();
  const terms = { action: facts.action, nowMs, channel };
  const answer = typeof reply === 'string' ? null : readAnswer(reply, terms);
  if (answer === null) {
    const refusal = unreadable(reply);
    const { code, refusal: reason } = refusal;
    await money.refused({ kind: 'refused', code, reason }, { ...ending, status: 400 });
    sendRefusal(incoming, refusal);
    return;
  }
  const { code, status, shown } = answer;
  if (answer.isTaken) {
    await money.accepted(outcomeOf(work, answer, nowMs), ending);
    await untilShown(core, 'mj', { taskId: facts.taskId, upstreamId: answer.upstreamId });
  } else {
    if (code === noInstance) reportFailingChannel(core, channel);
    const reason = answer.description || `The provider refused with code ${code}`;
    await money.refused({ kind: 'refused', code, reason }, { ...ending, status });
  }
  sendJson(incoming, status, shown);
};

/** Requests a drawing from the provider, books the result, and passes it on. */
export const submitDrawing = async (
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
    const outcome = { kind: 'refused', code: 5, reason: 'internal_error' } as const;
    if (!work.money.isEnded) await work.money.refused(outcome, ending);
    throw error;
  } finally {
    core.meters.exchangeEnded(false);
  }
};
