import { type ApiError, gatewayError } from '../ingress/api-error.ts';
import type { UpstreamFailure } from '../providers/types.ts';
import { isRetryableStatus } from '../routing/retry.ts';
import type { UpstreamChannel } from '../routing/upstream-channel.ts';
import { discreetWords } from './discretion.ts';

export const clientGoneError = gatewayError(499, 'client_closed_request', 'The client went away');
export const internalError = gatewayError(
  500,
  'internal_error',
  'The gateway failed on this request',
);

const saturated = 'The upstream of this group is saturated, please try again later';

/** What the caller is told of the last failure: a busy provider is not named. */
export const lastError = ({ kind, error }: UpstreamFailure): ApiError =>
  kind === 'status' && error.status === 429 ? { ...error, message: saturated } : error;

/** An error without what its provider gives away about the channel. */
const discreetError = (channel: UpstreamChannel, error: ApiError): ApiError => ({
  ...error,
  message: discreetWords(channel, error.message),
});

/** An answer that says no, after the channel's mapping of statuses. */
export const refusedAnswer = (
  channel: UpstreamChannel,
  status: number,
  error: ApiError,
): UpstreamFailure => {
  const mapped = channel.statusMapping.get(status) ?? status;
  return {
    kind: status >= 300 ? 'status' : 'body',
    upstreamStatus: status,
    error: { ...discreetError(channel, error), status: mapped < 400 ? 502 : mapped },
    retryable: isRetryableStatus(mapped, channel.type),
  };
};

/** An answer that said yes and turned out to be an error. */
export const unusableAnswer = (channel: UpstreamChannel, error: ApiError): UpstreamFailure => {
  const status = error.status < 400 ? 502 : error.status;
  const retryable = isRetryableStatus(status, channel.type);
  const told = { ...discreetError(channel, error), status };
  return { kind: 'body', upstreamStatus: 200, error: told, retryable };
};

/** The provider of a channel has no adapter for the call; another channel's may. */
export const notOffered: UpstreamFailure = {
  kind: 'body',
  upstreamStatus: 0,
  error: gatewayError(
    400,
    'invalid_api_type',
    'The provider of this channel does not offer this kind of call',
  ),
  retryable: true,
};

/** The channel cannot be asked: for the operator to mend from 500 on, for the caller below. */
export const notAsked = (error: ApiError): UpstreamFailure => ({
  kind: 'body',
  upstreamStatus: 0,
  error,
  // Another channel's body would be made by the same threads.
  retryable: error.status >= 500 && error.code !== 'gateway_busy',
});
