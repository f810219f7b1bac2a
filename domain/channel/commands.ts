import type { Command } from '../shared/event.ts';
import type { ChannelId } from '../shared/ids.ts';
import type { Sealed } from '../shared/sealed.ts';
import type { ChannelSettings } from './events.ts';

type OfChannel = Readonly<{ channelId: ChannelId }>;

/** `enabled` false makes a copy that starts switched off, like the original. */
export type CreateChannel = Command<
  'CreateChannel',
  OfChannel & Readonly<{ sealedKey: Sealed; settings: ChannelSettings; enabled: boolean }>
>;
/** Whole settings; the route fills in what a partial update leaves out. */
export type ChangeChannel = Command<
  'ChangeChannel',
  OfChannel & Readonly<{ settings: ChannelSettings }>
>;
export type ReplaceChannelKey = Command<
  'ReplaceChannelKey',
  OfChannel & Readonly<{ sealedKey: Sealed }>
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
  | ReplaceChannelKey
  | EnableChannel
  | DisableChannel
  | AutoDisableChannel
  | AutoEnableChannel
  | RecordTest
  | RecordBalance
  | TagChannel
  | DeleteChannel;
