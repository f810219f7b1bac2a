import { redactText } from '../delivery/redaction.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import type { ApiError } from '../protocol/api-error.ts';
import { upstreamFailure } from '../providers/shared/failure.ts';
import type { HttpReply } from '../upstream/types.ts';

export const isSuccess = ({ status }: HttpReply): boolean => status >= 200 && status <= 299;

/** The provider's text, without its addresses and keys, with the status that counts. */
export const providerError = (channel: UpstreamChannel, reply: HttpReply): ApiError => {
  const mapped = channel.statusMapping.get(reply.status) ?? reply.status;
  const status = mapped >= 400 && mapped <= 599 ? mapped : 502;
  const failure = upstreamFailure({ ...reply, status });
  return { ...failure, message: redactText(channel, failure.message) };
};
