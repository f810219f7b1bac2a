import type { Tier } from '../feeds/channel-directory.ts';

/** The tiers with those channels alone that can do the work. */
export const fitTiers = (
  tiers: readonly Tier[],
  isFit: (channelType: number) => boolean,
): readonly Tier[] =>
  tiers
    .map(({ priority, channels }) => ({
      priority,
      channels: channels.filter(({ type }) => isFit(type)),
    }))
    .filter(({ channels }) => channels.length > 0);
