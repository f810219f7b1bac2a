import { callLimits } from '../relay/call-limits.ts';
import { defineEvents, type EventsOf } from '../shared/catalogue.ts';
import { tokenId, userId } from '../shared/ids.ts';
import { withPersonal } from '../shared/personal.ts';
import { quotaUnits } from '../shared/quota.ts';
import { sealed } from '../shared/sealed.ts';
import { flag, type Infer, list, object, optionalTrue, text, whole } from '../shared/shape.ts';

/** What the owner may set. `group` "" follows the owner's group; `allowIps` empty allows all. */
const terms = object({
  name: text,
  /** Unix seconds; -1 never. */
  expiredTime: whole,
  unlimitedQuota: flag,
  /** Quota units the token may still spend, as set by the owner. */
  remainQuota: quotaUnits,
  modelLimitsEnabled: flag,
  modelLimits: list(text),
  allowIps: list(text),
  group: text,
  ...callLimits,
});
export type TokenTerms = Infer<typeof terms>;

const ofToken = { tokenId, userId, keyHash: text };
const audited = defineEvents('token', 'token');

export const tokenEvents = {
  /** An owner made an API token. `keyHash` is SHA-256 of the 48-character key, hex. */
  TokenCreated: audited({
    ...ofToken,
    sealedKey: sealed,
    terms,
    ...withPersonal,
  }),
  /**
   * `keyHash` and `userId` are in each event so that feeds need not read the creating event. `setsBudget`:
   * the owner entered a new figure, perhaps the same as once before, and the account follows it.
   */
  TokenChanged: audited({
    ...ofToken,
    terms,
    previous: terms,
    setsBudget: optionalTrue,
    ...withPersonal,
  }),
  TokenEnabled: audited(ofToken),
  TokenDisabled: audited(ofToken),
  TokenDeleted: audited(ofToken),
};

type Events = EventsOf<typeof tokenEvents>;
export type TokenCreated = Events['TokenCreated'];
export type TokenChanged = Events['TokenChanged'];
export type TokenEnabled = Events['TokenEnabled'];
export type TokenDisabled = Events['TokenDisabled'];
export type TokenDeleted = Events['TokenDeleted'];
export type TokenEvent = Events[keyof Events];
