import { defineEvents, type EventsOf } from '../shared/catalogue.ts';
import { channelId } from '../shared/ids.ts';
import { withReason } from '../shared/reason.ts';
import { sealed } from '../shared/sealed.ts';
import {
  flag,
  type Infer,
  list,
  number,
  object,
  optional,
  text,
  whole,
  wholeOf,
} from '../shared/shape.ts';

/** What an operator sets on a channel. JSON-valued fields are JSON text, "" when unset. */
const settings = object({
  /** Number in the provider catalogue. */
  type: whole,
  name: text,
  models: list(text),
  groups: list(text),
  /** "" means the provider's default address. No trailing slash. */
  baseUrl: text,
  /** Meaning depends on the type: API version, region, account id, agent id. */
  other: text,
  organization: text,
  testModel: text,
  tag: text,
  modelMapping: text,
  statusCodeMapping: text,
  setting: text,
  paramOverride: text,
  /** Higher first; may be negative. */
  priority: whole,
  /** At least 0; the choice adds 10. */
  weight: whole,
  /** May the gateway disable it by itself? */
  autoBan: flag,
  /** Prompt tokens of the longest request that is sent to it; absent: no limit. */
  maxInputTokens: optional(whole),
  /** What the provider charges, as a ratio of the list price ("0.8"); absent: unknown. */
  costRatio: optional(text),
});
export type ChannelSettings = Infer<typeof settings>;

/** 1 enabled, 2 disabled by a person, 3 disabled automatically. */
export type ChannelStatus = 1 | 2 | 3;

const audited = defineEvents('channel', 'channel');
const unaudited = defineEvents('channel', null);

export const channelEvents = {
  ChannelCreated: audited({
    channelId,
    sealedKey: sealed,
    settings,
    status: wholeOf<ChannelStatus>(),
  }),
  /**
   * Whole settings before and after, so that the audit trail needs no look-up. A key that was sent
   * with them is in the same event, so that no reader ever pairs a key with the wrong address.
   */
  ChannelChanged: audited({
    channelId,
    settings,
    previous: settings,
    sealedKey: optional(sealed),
    ...withReason,
  }),
  /** Another key, all else unchanged. */
  ChannelKeyReplaced: audited({ channelId, sealedKey: sealed, ...withReason }),
  ChannelEnabled: audited({ channelId }),
  ChannelDisabled: audited({ channelId }),
  ChannelAutoDisabled: audited({ channelId, reason: text }),
  ChannelAutoEnabled: audited({ channelId }),
  /** A test call was made; never charged. */
  ChannelTested: unaudited({
    channelId,
    model: text,
    success: flag,
    /** Milliseconds from start to the whole answer. */
    responseTimeMs: number,
    message: text,
  }),
  /** What the provider reports as left, in the provider's own currency, decimal string. */
  ChannelBalanceRead: unaudited({ channelId, balance: text }),
  ChannelTagged: audited({ channelId, tag: text, previous: text }),
  ChannelDeleted: audited({ channelId }),
};

type Events = EventsOf<typeof channelEvents>;
export type ChannelAutoDisabled = Events['ChannelAutoDisabled'];
export type ChannelAutoEnabled = Events['ChannelAutoEnabled'];
export type ChannelEvent = Events[keyof Events];
