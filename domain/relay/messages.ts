import type { ChannelFeedEntry } from '../channel/feed.ts';
import type { ChannelId } from '../shared/ids.ts';

/*
 * Requests of the control plane to relays, and their reports. Subjects:
 *   request  `relay.test-channel`   ChannelTestRequest → ChannelTestReply
 *   request  `relay.channel-account` ChannelAccountRequest → ChannelAccountReply
 *   publish  `channel.failing`      ChannelFailing
 *   publish  `channel.cooling`      ChannelCooling
 */

/** A real call through the relay's own adapter; never charged. */
export type ChannelTestRequest = Readonly<{ channelId: ChannelId; model: string }>;
export type ChannelTestReply = Readonly<{
  success: boolean;
  message: string;
  /** Milliseconds from start to the whole answer. */
  responseTimeMs: number;
  model: string;
  /** The provider's error qualifies the channel for automatic disabling, as in `ChannelFailing`. */
  isFailing?: true;
}>;

/**
 * A provider's report of the account behind a channel. The channel is sent along, because it may be
 * newer than the relays' state, or not be saved at all.
 */
export type ChannelAccountRequest = Readonly<{
  channel: ChannelFeedEntry;
  wanted: 'models' | 'balance';
}>;
export type ChannelAccountReply =
  | Readonly<{ kind: 'models'; models: readonly string[] }>
  /** Decimal text, in the provider's own unit. */
  | Readonly<{ kind: 'balance'; balance: string }>
  /** Providers of this type do not report it. */
  | Readonly<{ kind: 'unsupported' }>
  | Readonly<{ kind: 'failed'; message: string }>;

/** A relay saw an error that qualifies a channel for automatic disabling. */
export type ChannelFailing = Readonly<{ channelId: ChannelId; reason: string; occurredAt: string }>;

/** A relay passes a channel over until this time (ISO-8601), because its provider requested it. */
export type ChannelCooling = Readonly<{ channelId: ChannelId; until: string }>;
