import type { TaskPlatform } from '../../domain/task/events.ts';
import type { CallTrace } from '../../infra/ports/tracing.ts';
import type { Incoming } from '../admission/admitted.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import type { HttpReply } from '../upstream/types.ts';

/** The provider's operation in the call of this trace. */
export type TracedTask = Readonly<{ trace: CallTrace; operation: string; model: string }>;

const operations: Readonly<Record<TaskPlatform, string>> = {
  mj: 'images',
  suno: 'music',
  video: 'videos',
  batch: 'batch',
  file: 'file',
  cache: 'cache',
};

/** null: no collector is configured. */
export const tracedTask = (
  { trace }: Pick<Incoming, 'trace'>,
  platform: TaskPlatform,
  model: string,
): TracedTask | null => (trace === null ? null : { trace, operation: operations[platform], model });

/** Begins the span of the request; the answer: headers to send along. */
export const beginAttempt = (
  traced: TracedTask | null,
  { channelId, type: channelType }: UpstreamChannel,
  origin: string,
): Readonly<Record<string, string>> => {
  if (traced === null) return {};
  const { trace, operation, model } = traced;
  const attempt = { operation, protocol: 'openai', channelType, channelId, model, origin };
  return { traceparent: trace.dispatched(attempt) };
};

/** Ends it with its answer. */
export const withAttempt = async <Reply extends Pick<HttpReply, 'status'>>(
  traced: TracedTask | null,
  reply: Promise<Reply>,
): Promise<Reply> => {
  try {
    const answer = await reply;
    endAttempt(traced, answer);
    return answer;
  } catch (error) {
    endAttempt(traced, 'broken');
    throw error;
  }
};

/** Ends it; the text: why there is no answer. */
export const endAttempt = (
  traced: TracedTask | null,
  reply: Pick<HttpReply, 'status'> | string,
): void => {
  if (traced === null) return;
  if (typeof reply === 'string') traced.trace.failed({ kind: reply, upstreamStatus: 0 });
  else if (reply.status >= 400) {
    traced.trace.failed({ kind: 'status', upstreamStatus: reply.status });
  }
  traced.trace.attemptEnded();
};
