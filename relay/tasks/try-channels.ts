import type { ChannelId } from '../../domain/shared/ids.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { Tier } from '../feeds/channel-directory.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { chooseChannel } from '../routing/choose.ts';

/** What one provider answered to a submission. */
export type Submitted =
  | Readonly<{ kind: 'taken' }>
  /** `mayRetry`: it is certain that the provider did not accept it, and another one may. */
  | Readonly<{ kind: 'refused'; mayRetry: boolean }>;

export type Attempts<Result> = Readonly<{
  result: Result;
  /** The one that gave this answer. */
  channel: UpstreamChannel;
  tried: readonly ChannelId[];
}>;

/** Where a submission goes: first to the channel, then to others of the tiers. */
export type Destination = Readonly<{ channel: UpstreamChannel; tiers: readonly Tier[] }>;

/** Submits a task to one channel after the other, until one accepts it or none may any more. */
export const tryChannels = async <Result extends Submitted>(
  { options }: Pick<RelayCore, 'options'>,
  { channel: first, tiers }: Destination,
  submit: (channel: UpstreamChannel) => Promise<Result>,
): Promise<Attempts<Result>> => {
  const max = options.current().retryTimes;
  const tried: ChannelId[] = [];
  for (let channel = first; ; ) {
    tried.push(channel.channelId);
    const result = await submit(channel);
    const isLast = result.kind === 'taken' || !result.mayRetry || tried.length > max;
    const next = isLast ? null : chooseChannel(tiers, tried);
    if (next === null) return { result, channel, tried };
    channel = next;
  }
};
