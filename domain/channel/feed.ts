import type { ChannelId } from '../shared/ids.ts';
import type { Sealed } from '../shared/sealed.ts';
import type { ChannelSettings, ChannelStatus } from './events.ts';

/** The facts of a channel for a relay. Feed `channels`, key = channel id. */
export type ChannelFeedEntry = Readonly<{
  channelId: ChannelId;
  status: ChannelStatus;
  /** The relay opens it with the vault, once for each change. */
  sealedKey: Sealed;
  settings: ChannelSettings;
}>;
