import type { Event } from '../shared/event.ts';
import type { ChannelId } from '../shared/ids.ts';
import type { WithReason } from '../shared/reason.ts';
import type { Sealed } from '../shared/sealed.ts';

/** What an operator sets on a channel. JSON-valued fields are JSON text, "" when unset. */
export type ChannelSettings = Readonly<{
  /** Number in the provider catalogue. */
  type: number;
  name: string;
  models: readonly string[];
  groups: readonly string[];
  /** "" means the provider's default address. No trailing slash. */
  baseUrl: string;
  /** Meaning depends on the type: API version, region, account id, agent id. */
  other: string;
  organization: string;
  testModel: string;
  tag: string;
  modelMapping: string;
  statusCodeMapping: string;
  setting: string;
  paramOverride: string;
  /** Higher first; may be negative. */
  priority: number;
  /** At least 0; the choice adds 10. */
  weight: number;
  /** May the gateway disable it by itself? */
  autoBan: boolean;
  /** Prompt tokens of the longest request that it is given; absent: no limit. */
  maxInputTokens?: number;
  /** What the provider charges, as a ratio of the list price ("0.8"); absent: unknown. */
  costRatio?: string;
}>;

/** 1 enabled, 2 disabled by hand, 3 disabled automatically. */
export type ChannelStatus = 1 | 2 | 3;

export type ChannelCreated = Event<
  'ChannelCreated',
  { channelId: ChannelId; sealedKey: Sealed; settings: ChannelSettings; status: ChannelStatus }
>;
/**
 * Whole settings before and after, so that the audit trail needs no look-up. A key that came along
 * stands in the same event, so that no reader ever pairs a key with the wrong address.
 */
export type ChannelChanged = Event<
  'ChannelChanged',
  {
    channelId: ChannelId;
    settings: ChannelSettings;
    previous: ChannelSettings;
    sealedKey?: Sealed;
  } & WithReason
>;
/** Another key, all else as it was. */
export type ChannelKeyReplaced = Event<
  'ChannelKeyReplaced',
  { channelId: ChannelId; sealedKey: Sealed } & WithReason
>;
export type ChannelEnabled = Event<'ChannelEnabled', { channelId: ChannelId }>;
export type ChannelDisabled = Event<'ChannelDisabled', { channelId: ChannelId }>;
export type ChannelAutoDisabled = Event<
  'ChannelAutoDisabled',
  { channelId: ChannelId; reason: string }
>;
export type ChannelAutoEnabled = Event<'ChannelAutoEnabled', { channelId: ChannelId }>;
/** A test call was made; never charged. */
export type ChannelTested = Event<
  'ChannelTested',
  {
    channelId: ChannelId;
    model: string;
    success: boolean;
    /** Milliseconds from start to the whole answer. */
    responseTimeMs: number;
    message: string;
  }
>;
/** What the provider says is left, in the provider's own currency, decimal string. */
export type ChannelBalanceRead = Event<
  'ChannelBalanceRead',
  { channelId: ChannelId; balance: string }
>;
export type ChannelTagged = Event<
  'ChannelTagged',
  { channelId: ChannelId; tag: string; previous: string }
>;
export type ChannelDeleted = Event<'ChannelDeleted', { channelId: ChannelId }>;

export type ChannelEvent =
  | ChannelCreated
  | ChannelChanged
  | ChannelKeyReplaced
  | ChannelEnabled
  | ChannelDisabled
  | ChannelAutoDisabled
  | ChannelAutoEnabled
  | ChannelTested
  | ChannelBalanceRead
  | ChannelTagged
  | ChannelDeleted;
