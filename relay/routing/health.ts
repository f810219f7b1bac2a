import type { ChannelFailing } from '../../domain/relay/messages.ts';
import type { RelayOptions } from '../feeds/options.ts';
import { largeBytes } from '../offload/sizes.ts';
import type { UpstreamFailure } from '../providers/types.ts';
import type { RelayCore } from '../relay-core.ts';
import type { UpstreamChannel } from './upstream-channel.ts';

const deadCodes = new Set<unknown>([
  'invalid_api_key',
  'account_deactivated',
  'billing_not_active',
]);
const deadTypes = new Set([
  'insufficient_quota',
  'insufficient_user_quota',
  'authentication_error',
  'permission_error',
  'forbidden',
]);
const geminiType = 24;

/** A caller who writes the phrase into a prompt must not be able to switch a channel off. */
const isEcho = (body: Buffer, keyword: string): boolean => {
  // A channel stays on rather than that a long body is looked through for each of its failures.
  if (body.length >= largeBytes) return true;
  return body.toString('utf8').toLowerCase().includes(keyword);
};

type Failed = Readonly<{
  failure: UpstreamFailure;
  /** What the caller had sent. */
  body: Buffer;
}>;

/**
 * Does this answer say that the channel itself is of no use (relay sheet, section 12)? Failures to
 * connect never do.
 */
const isChannelFailing = (
  options: RelayOptions,
  channel: UpstreamChannel,
  { failure, body }: Failed,
): boolean => {
  if (!options.automaticDisable || !channel.settings.autoBan) return false;
  if (failure.kind !== 'status') return false;
  if (failure.upstreamStatus === 401) return true;
  if (failure.upstreamStatus === 403 && channel.type === geminiType) return true;
  if (deadCodes.has(failure.error.code) || deadTypes.has(failure.error.type)) return true;
  const message = failure.error.message.toLowerCase();
  return options.disableKeywords.some((word) => message.includes(word) && !isEcho(body, word));
};

/** Tells the control plane of a channel that is of no use; it decides. */
export const reportFailing = (
  { bus, clock, options }: RelayCore,
  channel: UpstreamChannel,
  failed: Failed,
): void => {
  if (!isChannelFailing(options.current(), channel, failed)) return;
  bus.publish<ChannelFailing>('channel.failing', {
    channelId: channel.channelId,
    reason: failed.failure.error.message,
    occurredAt: clock().toISOString(),
  });
};
