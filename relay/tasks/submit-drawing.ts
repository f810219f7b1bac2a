import type { ChannelFailing } from '../../domain/relay/messages.ts';
import type { TaskFacts } from '../../domain/task/events.ts';
import type { Incoming } from '../admission/admitted.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { sendJson } from '../protocol/answer-head.ts';
import type { HttpReply } from '../upstream/types.ts';
import { callProvider } from './call-provider.ts';
import { type DrawingAnswer, readAnswer } from './drawing-answer.ts';
import { drawingBody } from './drawing-body.ts';
import type { DrawingCall } from './drawing-call.ts';
import { type DrawingRefusal, drawingRefusal, refused } from './drawing-error.ts';
import { type JobRefusal, refusedBy, type Submission } from './job.ts';
import { hookOf } from './notify-hook.ts';
import type { NoAnswer } from './provider-reply.ts';
import { tracedTask } from './task-trace.ts';

type Drawing = Readonly<{ call: DrawingCall; path: string }>;
type Attempt = Drawing & Readonly<{ channel: UpstreamChannel; facts: TaskFacts }>;

const submitTimeoutMs = 60_000;
/** The provider has no account to draw with. */
const noInstance = 3;

const ownHeader = (incoming: Incoming, name: 'content-type' | 'accept'): string =>
  incoming.req.headers[name] ?? 'application/json';

const send = (core: RelayCore, incoming: Incoming, { call, channel, facts, path }: Attempt) => {
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

/** The refusal of a provider is passed on as it is. */
const refusalOf = ({ code, description, status, shown }: DrawingAnswer): JobRefusal => ({
  status,
  code,
  reason: description || `The provider refused with code ${code}`,
  send: (incoming) => sendJson(incoming, status, shown),
});

/** Requests a drawing from its provider: no other one is tried. */
export const submitDrawing = async (
  core: RelayCore,
  incoming: Incoming,
  attempt: Attempt,
): Promise<Submission> => {
  const { channel, facts } = attempt;
  const reply = await send(core, incoming, attempt);
  const terms = { action: facts.action, nowMs: core.clock().getTime(), channel };
  const answer = typeof reply === 'string' ? null : readAnswer(reply, terms);
  if (answer === null) return refusedBy(drawingRefusal(unreadable(reply)), false);
  const { code, description, properties, report, upstreamId } = answer;
  if (!answer.isTaken) {
    if (code === noInstance) reportFailingChannel(core, channel);
    return refusedBy(refusalOf(answer), false);
  }
  const details = { code, description, properties, report };
  return { kind: 'taken', upstreamId, details, shown: () => answer.shown };
};
