import { redactText } from '../delivery/redaction.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { type ApiError, isApiError } from '../protocol/api-error.ts';
import type { JsonObject } from '../protocol/canonical.ts';
import { parseObject } from '../protocol/json.ts';
import { relayError } from '../protocol/relay-errors.ts';
import { upstreamFailure } from '../providers/shared/failure.ts';
import type { HttpReply } from '../upstream/types.ts';

/** `unreachable`: it never got the request. `silent`: it may have got it. */
export type NoAnswer = 'unreachable' | 'silent';

export const noAnswer = relayError('do_request_failed', 'The upstream request failed');

export const isSuccess = ({ status }: HttpReply): boolean => status >= 200 && status <= 299;

/** The provider no longer has what the call names. */
export const isGone = ({ status }: Pick<HttpReply, 'status'>): boolean =>
  status === 404 || status === 410;

/** The provider's answer as an object; null where it is none. */
export const answerOf = ({ body }: HttpReply): JsonObject | null =>
  parseObject(body.toString('utf8'));

/** The provider's text, without its addresses and keys, with the status that counts. */
export const providerError = (channel: UpstreamChannel, reply: HttpReply): ApiError => {
  const mapped = channel.statusMapping.get(reply.status) ?? reply.status;
  const status = mapped >= 400 && mapped <= 599 ? mapped : 502;
  const failure = upstreamFailure({ ...reply, status });
  return { ...failure, message: redactText(channel, failure.message) };
};

/** The answer of a provider that did what it was called for; else why it did not. */
export const successOf = (
  channel: UpstreamChannel,
  reply: HttpReply | NoAnswer | ApiError,
): HttpReply | ApiError => {
  if (typeof reply === 'string') return noAnswer;
  return isApiError(reply) || isSuccess(reply) ? reply : providerError(channel, reply);
};

/** Why a provider did not remove what it had; null: it no longer has it. */
export const removalFailure = (
  channel: UpstreamChannel,
  reply: HttpReply | NoAnswer | ApiError,
): ApiError | null => {
  if (typeof reply !== 'string' && !isApiError(reply) && isGone(reply)) return null;
  const done = successOf(channel, reply);
  return isApiError(done) ? done : null;
};
