import type { Command } from '../shared/event.ts';
import type { ChannelId } from '../shared/ids.ts';
import type { WithReason } from '../shared/reason.ts';
import type { Sealed } from '../shared/sealed.ts';
import type { ChannelSettings } from './events.ts';

type OfChannel = Readonly<{ channelId: ChannelId }>;

/**
 * `enabled` false makes a copy that starts switched off, like the original. `keyFrom`: the key is
 * the stored one of a channel with these settings, not one that was entered.
 */
export type CreateChannel = Command<
  'CreateChannel',
  OfChannel &
    Readonly<{
      sealedKey: Sealed;
      settings: ChannelSettings;
      enabled: boolean;
      keyFrom?: ChannelSettings;
    }>
>;
/**
 * Whole settings; the route fills in what a partial update leaves out. `sealedKey` is the key that
 * was entered; without it the stored one stays, which settings that send it elsewhere refuse.
 */
export type ChangeChannel = Command<
  'ChangeChannel',
  OfChannel & Readonly<{ settings: ChannelSettings; sealedKey?: Sealed }> & WithReason
>;
export type EnableChannel = Command<'EnableChannel', OfChannel>;
export type DisableChannel = Command<'DisableChannel', OfChannel>;
/** The gateway itself gives up on a channel, with the provider's words. */
export type AutoDisableChannel = Command<
  'AutoDisableChannel',
  OfChannel & Readonly<{ reason: string }>
>;
export type AutoEnableChannel = Command<'AutoEnableChannel', OfChannel>;
export type RecordTest = Command<
  'RecordTest',
  OfChannel & Readonly<{ model: string; success: boolean; responseTimeMs: number; message: string }>
>;
/** Decimal string in the provider's own currency. */
export type RecordBalance = Command<'RecordBalance', OfChannel & Readonly<{ balance: string }>>;
/** "" takes the channel out of its tag. */
export type TagChannel = Command<'TagChannel', OfChannel & Readonly<{ tag: string }>>;
export type DeleteChannel = Command<'DeleteChannel', OfChannel>;

export type ChannelCommand =
  | CreateChannel
  | ChangeChannel
  | EnableChannel
  | DisableChannel
  | AutoDisableChannel
  | AutoEnableChannel
  | RecordTest
  | RecordBalance
  | TagChannel
  | DeleteChannel;
