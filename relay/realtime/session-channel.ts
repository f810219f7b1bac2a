import type { ChannelId } from '../../domain/shared/ids.ts';
import type { Tier } from '../feeds/channel-directory.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { providerOf } from '../providers/registry.ts';
import { tiersWith } from '../routing/capable.ts';
import { chooseChannel } from '../routing/choose.ts';
import type { CoolDowns } from '../routing/cool-down.ts';

const takesSessions = ({ type }: UpstreamChannel): boolean =>
  providerOf(type)?.realtime !== undefined;

/** The channel for the next attempt to open a session; null: none is left. */
export const sessionChannel = (
  coolDowns: CoolDowns,
  tiers: readonly Tier[],
  tried: readonly ChannelId[],
): UpstreamChannel | null => {
  const capable = tiersWith(tiers, takesSessions);
  return chooseChannel(coolDowns.available(capable), tried) ?? chooseChannel(capable, tried);
};
