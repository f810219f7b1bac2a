import type { ChannelId } from '../../domain/shared/ids.ts';
import type { Admitted } from '../admission/admitted.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { capableTiers } from '../routing/capable.ts';
import { chooseChannel } from '../routing/choose.ts';
import type { CoolDowns } from '../routing/cool-down.ts';
import type { UpstreamFailure } from '../upstream/types.ts';

type Failed = Readonly<{
  channel: UpstreamChannel;
  failure: UpstreamFailure;
  tried: readonly ChannelId[];
}>;

/** The channel of the next attempt after one that may be repeated; null: no channel is left. */
export const nextChannel = (
  coolDowns: CoolDowns,
  { route, call }: Pick<Admitted, 'route' | 'call'>,
  { channel, failure, tried }: Failed,
): UpstreamChannel | null => {
  const capable = capableTiers(route.tiers, call);
  const next = chooseChannel(coolDowns.available(capable), tried) ?? chooseChannel(capable, tried);
  // A single channel whose connection broke is called once more: the first attempt had no effect.
  const mayRepeat = failure.kind === 'connect' && tried.length === 1;
  return next ?? (mayRepeat ? channel : null);
};
