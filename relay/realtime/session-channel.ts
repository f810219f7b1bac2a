import type { ChannelId } from '../../domain/shared/ids.ts';
import type { Tier } from '../feeds/channel-directory.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { providerOf } from '../providers/registry.ts';
import type { RealtimeAdapter } from '../providers/shared/realtime.ts';
import { tiersWith } from '../routing/capable.ts';
import { chooseChannel } from '../routing/choose.ts';
import type { CoolDowns } from '../routing/cool-down.ts';

/** The protocols of sessions; a provider offers its own alone. */
export type SessionProtocol = 'openai' | 'gemini';

export const sessionAdapter = (
  { type }: UpstreamChannel,
  protocol: SessionProtocol,
): RealtimeAdapter | null => {
  const provider = providerOf(type);
  return (protocol === 'gemini' ? provider?.live : provider?.realtime) ?? null;
};

type Choice = Readonly<{
  tiers: readonly Tier[];
  protocol: SessionProtocol;
  tried: readonly ChannelId[];
}>;

/** The channel for the next attempt to open a session; null: none is left. */
export const sessionChannel = (
  coolDowns: CoolDowns,
  { tiers, protocol, tried }: Choice,
): UpstreamChannel | null => {
  const capable = tiersWith(tiers, (channel) => sessionAdapter(channel, protocol) !== null);
  return chooseChannel(coolDowns.available(capable), tried) ?? chooseChannel(capable, tried);
};
