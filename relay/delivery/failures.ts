import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import type { ApiError } from '../protocol/api-error.ts';
import type { Protocol } from '../protocol/caller-protocol.ts';
import { relayError } from '../protocol/relay-errors.ts';
import { isRetryableRefusal, isRetryableStatus } from '../routing/retry.ts';
import type { UpstreamFailure } from '../upstream/types.ts';
import { maskedError } from './answer-secrets.ts';
import { channelKeyForms } from './key-forms.ts';
import { redactText } from './redaction.ts';

export const clientGoneError = relayError('client_closed_request');
export const internalError = relayError('internal_error');

const saturated = 'The upstream of this group is saturated, please try again later';

/**
 * The error of the last attempt as the caller gets it: a provider's 429 is reworded, but on the
 * Messages API, whose clients read the provider's own words.
 */
export const lastError = ({ kind, error }: UpstreamFailure, protocol: Protocol): ApiError =>
  kind === 'status' && error.status === 429 && protocol !== 'claude'
    ? { ...error, message: saturated }
    : error;

/** An error without what its provider gives away about the channel. */
const redactError = (channel: UpstreamChannel, error: ApiError): ApiError => ({
  ...maskedError(error, channelKeyForms(channel)),
  message: redactText(channel, error.message),
});

/** An error response, after the channel's mapping of statuses. */
export const refusedAnswer = (
  channel: UpstreamChannel,
  status: number,
  error: ApiError,
): UpstreamFailure => {
  const mapped = channel.statusMapping.get(status) ?? status;
  return {
    kind: status >= 300 ? 'status' : 'body',
    upstreamStatus: status,
    error: { ...redactError(channel, error), status: mapped < 400 ? 502 : mapped },
    retryable: isRetryableRefusal({ ...error, status: mapped }, channel.type),
  };
};

/** A response with a success status that contains an error. */
export const unusableAnswer = (channel: UpstreamChannel, error: ApiError): UpstreamFailure => {
  const status = error.status < 400 ? 502 : error.status;
  const retryable = isRetryableStatus(status, channel.type);
  const redacted = { ...redactError(channel, error), status };
  return { kind: 'body', upstreamStatus: 200, error: redacted, retryable };
};

/** The provider of a channel has no adapter for the call; another channel's may. */
export const notOffered: UpstreamFailure = {
  kind: 'body',
  upstreamStatus: 0,
  error: relayError(
    'invalid_api_type',
    'The provider of this channel does not offer this kind of call',
  ),
  retryable: true,
};

/** The channel cannot be called: the operator has to fix it from 500 on, the caller below. */
export const notAsked = (channel: UpstreamChannel, error: ApiError): UpstreamFailure => ({
  kind: 'body',
  upstreamStatus: 0,
  error: redactError(channel, error),
  // Another channel's body would be made by the same threads.
  retryable: error.status >= 500 && error.code !== 'gateway_busy',
});
