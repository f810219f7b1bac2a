import type { RelayOptions } from '../feeds/options.ts';
import type { UpstreamFailure } from '../providers/types.ts';
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
const isEcho = (body: Buffer, keyword: string): boolean =>
  body.toString('utf8').toLowerCase().includes(keyword);

/**
 * Does this answer say that the channel itself is of no use (relay sheet, section 12)? Failures to
 * connect never do.
 */
export const isChannelFailing = (
  options: RelayOptions,
  channel: UpstreamChannel,
  { failure, body }: Readonly<{ failure: UpstreamFailure; body: Buffer }>,
): boolean => {
  if (!options.automaticDisable || !channel.settings.autoBan) return false;
  if (failure.kind !== 'status') return false;
  if (failure.upstreamStatus === 401) return true;
  if (failure.upstreamStatus === 403 && channel.type === geminiType) return true;
  if (deadCodes.has(failure.error.code) || deadTypes.has(failure.error.type)) return true;
  const message = failure.error.message.toLowerCase();
  return options.disableKeywords.some((word) => message.includes(word) && !isEcho(body, word));
};
