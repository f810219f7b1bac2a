import type { ChannelId } from '../shared/ids.ts';

/*
 * What the control plane asks of relays. Subjects:
 *   request  `relay.test-channel`   ChannelTestRequest → ChannelTestReply
 *   publish  `channel.failing`      ChannelFailing
 */

/** A real call through the relay's own adapter; never charged. */
export type ChannelTestRequest = Readonly<{ channelId: ChannelId; model: string }>;
export type ChannelTestReply = Readonly<{
  success: boolean;
  message: string;
  /** Milliseconds from start to the whole answer. */
  responseTimeMs: number;
  model: string;
}>;

/** A relay saw an error that qualifies a channel for automatic disabling (relay sheet, section 12). */
export type ChannelFailing = Readonly<{ channelId: ChannelId; reason: string; occurredAt: string }>;
