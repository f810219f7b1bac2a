import type { Tier } from '../feeds/channel-directory.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import type { TextCall } from '../protocol/calls.ts';
import { resolveTransport } from '../providers/transport.ts';

/** The channels that can serve; all of them where none does. */
export const tiersWith = (
  tiers: readonly Tier[],
  canServe: (channel: UpstreamChannel) => boolean,
): readonly Tier[] => {
  const capable = tiers
    .map(({ priority, channels }): Tier => ({ priority, channels: channels.filter(canServe) }))
    .filter(({ channels }) => channels.length > 0);
  return capable.length > 0 ? capable : tiers;
};

/** The channels whose providers offer this kind of call; all of them where none does. */
export const capableTiers = (tiers: readonly Tier[], call: TextCall): readonly Tier[] =>
  tiersWith(tiers, (channel) => resolveTransport(channel, call) !== null);
