import type { Tier } from '../feeds/channel-directory.ts';
import type { TextCall } from '../protocol/calls.ts';
import { resolveTransport } from '../providers/transport.ts';

/** The channels whose providers offer this kind of call; all of them where none does. */
export const capableTiers = (tiers: readonly Tier[], call: TextCall): readonly Tier[] => {
  const capable = tiers
    .map(
      ({ priority, channels }): Tier => ({
        priority,
        channels: channels.filter((channel) => resolveTransport(channel, call) !== null),
      }),
    )
    .filter(({ channels }) => channels.length > 0);
  return capable.length > 0 ? capable : tiers;
};
