import type { ChannelId } from '../../domain/shared/ids.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { Tier } from '../feeds/channel-directory.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { chooseChannel } from '../routing/choose.ts';
import type { Submission } from './job.ts';

type Attempts = Readonly<{
  result: Submission;
  /** The one that gave this answer. */
  channel: UpstreamChannel;
  tried: readonly ChannelId[];
}>;

/** Where a submission goes: first to the channel, then to others of the tiers. */
export type Destination = Readonly<{ channel: UpstreamChannel; tiers: readonly Tier[] }>;

/** Submits a task to one channel after the other, until one accepts it or none may any more. */
export const tryChannels = async (
  { options, coolDowns }: Pick<RelayCore, 'options' | 'coolDowns'>,
  { channel: first, tiers }: Destination,
  submit: (channel: UpstreamChannel) => Promise<Submission>,
): Promise<Attempts> => {
  const max = options.current().retryTimes;
  const tried: ChannelId[] = [];
  for (let channel = first; ; ) {
    tried.push(channel.channelId);
    const result = await submit(channel);
    const isLast = result.kind === 'taken' || !result.mayRetry || tried.length > max;
    const next = isLast
      ? null
      : (chooseChannel(coolDowns.available(tiers), tried) ?? chooseChannel(tiers, tried));
    if (next === null) return { result, channel, tried };
    channel = next;
  }
};
