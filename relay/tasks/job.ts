import type { Quote, Usage } from '../../domain/pricing/types.ts';
import type { TaskFacts } from '../../domain/task/events.ts';
import type { FoundTask } from '../../domain/task/messages.ts';
import type { Incoming } from '../admission/admitted.ts';
import type { Caller } from '../admission/caller.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { type ApiError, isApiError, sendError } from '../protocol/api-error.ts';
import type { JsonObject } from '../protocol/canonical.ts';
import { isRetryableStatus } from '../routing/retry.ts';
import type { AcceptedTask } from '../settlement/charge.ts';
import type { HttpReply } from '../upstream/types.ts';
import { answerOf, isSuccess, type NoAnswer, noAnswer, providerError } from './provider-reply.ts';
import type { Destination } from './try-channels.ts';

/** Why a job was not accepted: as it is recorded, and as its protocol shows it. */
export type JobRefusal = Readonly<{
  /** HTTP */
  status: number;
  /** Of the provider, where the platform has such numbers. */
  code: number | null;
  reason: string;
  send: (incoming: Incoming) => void;
}>;

/** Work that a provider accepted. */
export type TakenJob = Readonly<{
  upstreamId: string;
  /** The name that was sent, where it may differ. */
  upstreamModel?: string;
  /** What it used, where the provider reports it at once; else the estimate is charged. */
  used?: Usage;
  /** What else the answer contains. */
  details?: Partial<Pick<AcceptedTask, 'code' | 'description' | 'properties' | 'quote' | 'report'>>;
}>;

/** What one provider answered to a submission. */
export type Submission =
  | (Readonly<{ kind: 'taken'; shown: (task: FoundTask) => object }> & TakenJob)
  /** `mayRetry`: it is certain that the provider did not accept it, and another one may. */
  | Readonly<{ kind: 'refused'; refusal: JobRefusal; mayRetry: boolean }>;

/** What differs from one kind of work to another. It has passed every check but the reservation. */
export type Job = Readonly<{
  caller: Caller;
  facts: Omit<TaskFacts, 'taskId' | 'userId' | 'tokenId' | 'channelId' | 'submittedAt'>;
  quote: Quote;
  usage: Usage;
  destination: Destination;
  submit: (channel: UpstreamChannel, facts: TaskFacts) => Promise<Submission>;
  /** In the protocol of the job: that a limit is reached, or that there is no quota. */
  refusalOf: (error: ApiError, why: 'limit' | 'quota') => Pick<JobRefusal, 'send'>;
}>;

/** Longest text that is kept with a task, in characters. */
export const maxText = 16_384;
const maxUpstreamId = 256;

/** In the protocols of chats. */
export const apiRefusal = (error: ApiError): JobRefusal => ({
  status: error.status,
  code: null,
  reason: `${error.code ?? ''} ${error.message}`.trim().slice(0, maxText),
  send: ({ res, requestId }) => sendError(res, error, requestId),
});

export const refusedBy = (refusal: JobRefusal, mayRetry: boolean): Submission => ({
  kind: 'refused',
  refusal,
  mayRetry,
});

export const isUpstreamId = (id: string): boolean => id !== '' && id.length <= maxUpstreamId;

/**
 * The answer of a provider with a JSON API. A provider that did not answer may have accepted the
 * work, and so may one whose answer cannot be read: no other one is tried then.
 */
export const submissionOf = (
  reply: HttpReply | NoAnswer | ApiError,
  channel: UpstreamChannel,
  taken: (answer: JsonObject) => Omit<Extract<Submission, { kind: 'taken' }>, 'kind'>,
): Submission => {
  if (typeof reply === 'string') return refusedBy(apiRefusal(noAnswer), reply === 'unreachable');
  if (isApiError(reply)) return refusedBy(apiRefusal(reply), true);
  const answer = isSuccess(reply) ? answerOf(reply) : null;
  const job = answer === null ? null : taken(answer);
  if (job !== null && isUpstreamId(job.upstreamId)) return { kind: 'taken', ...job };
  const error = providerError(channel, reply);
  const mayRetry = !isSuccess(reply) && isRetryableStatus(error.status, channel.type);
  return refusedBy(apiRefusal(error), mayRetry);
};
