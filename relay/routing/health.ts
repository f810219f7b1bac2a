import type { ChannelFailing } from '../../domain/relay/messages.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { OptionBook, RelayOptions } from '../feeds/options.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { largeBytes } from '../protocol/large-body.ts';
import { providerOf } from '../providers/registry.ts';
import type { UpstreamFailure } from '../upstream/types.ts';

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

/** A caller who writes the phrase into a prompt must not be able to switch a channel off. */
const isEcho = (body: Buffer, keyword: string): boolean => {
  // A channel stays enabled so that a long body need not be scanned for each of its failures.
  if (body.length >= largeBytes) return true;
  return body.toString('utf8').toLowerCase().includes(keyword);
};

type Failed = Readonly<{
  failure: Pick<UpstreamFailure, 'kind' | 'upstreamStatus' | 'error'>;
  /** What the caller had sent. */
  body: Buffer;
}>;

/**
 * Does this answer show that the channel itself fails (infra/reference/protocols.md, section 11)? Failures to
 * connect never do.
 */
export const isChannelFailing = (
  options: RelayOptions,
  channel: UpstreamChannel,
  { failure, body }: Failed,
): boolean => {
  if (!options.automaticDisable || !channel.settings.autoBan) return false;
  if (failure.kind !== 'status') return false;
  if (failure.upstreamStatus === 401) return true;
  const cause = providerOf(channel.type)?.refusalCause?.(failure.error);
  if (cause === 'key' || cause === 'caller') return cause === 'key';
  if (deadCodes.has(failure.error.code) || deadTypes.has(failure.error.type)) return true;
  const message = failure.error.message.toLowerCase();
  return options.disableKeywords.some((word) => message.includes(word) && !isEcho(body, word));
};

/** Reports an unusable channel to the control plane, which decides. */
export const reportFailing = (
  {
    bus,
    clock,
    options,
  }: Readonly<{ bus: Pick<Bus, 'publish'>; clock: Clock; options: OptionBook }>,
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
