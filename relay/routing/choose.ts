import type { ChannelId } from '../../domain/shared/ids.ts';
import type { Tier } from '../feeds/channel-directory.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';

/** Keeps a channel of weight 0 from being starved. */
const baseWeight = 10;

const drawn = (
  channels: readonly UpstreamChannel[],
  random: () => number,
): UpstreamChannel | null => {
  if (channels.length <= 1) return channels[0] ?? null;
  let total = 0;
  for (const channel of channels) total += channel.settings.weight + baseWeight;
  let left = Math.floor(random() * total);
  for (const channel of channels) {
    left -= channel.settings.weight + baseWeight;
    if (left < 0) return channel;
  }
  return channels[channels.length - 1] ?? null;
};

/**
 * The channel for attempt `tried.length` (0 first): the tier of that number, else the last, with
 * channels already tried left out; when a tier is used up, the next below, then those above.
 */
export const chooseChannel = (
  tiers: readonly Tier[],
  tried: readonly ChannelId[],
  random: () => number = Math.random,
): UpstreamChannel | null => {
  const [first] = tiers;
  if (first === undefined) return null;
  if (tried.length === 0) return drawn(first.channels, random);
  const start = Math.min(tried.length, tiers.length - 1);
  for (const tier of [...tiers.slice(start), ...tiers.slice(0, start).reverse()]) {
    const fresh = tier.channels.filter((channel) => !tried.includes(channel.channelId));
    const channel = drawn(fresh, random);
    if (channel !== null) return channel;
  }
  return null;
};
