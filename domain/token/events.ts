import type { CallLimits } from '../relay/call-limits.ts';
import type { Event } from '../shared/event.ts';
import type { TokenId, UserId } from '../shared/ids.ts';
import type { WithPersonal } from '../shared/personal.ts';
import type { QuotaUnits } from '../shared/quota.ts';
import type { Sealed } from '../shared/sealed.ts';

/** What the owner may set. `group` "" follows the owner's group; `allowIps` empty allows all. */
export type TokenTerms = CallLimits &
  Readonly<{
    name: string;
    /** Unix seconds; -1 never. */
    expiredTime: number;
    unlimitedQuota: boolean;
    /** Quota units the token may still spend, as set by the owner. */
    remainQuota: QuotaUnits;
    modelLimitsEnabled: boolean;
    modelLimits: readonly string[];
    allowIps: readonly string[];
    group: string;
  }>;

/** An owner made an API token. `keyHash` is SHA-256 of the 48-character key, hex. */
export type TokenCreated = Event<
  'TokenCreated',
  {
    tokenId: TokenId;
    userId: UserId;
    sealedKey: Sealed;
    keyHash: string;
    terms: TokenTerms;
  } & WithPersonal
>;
/**
 * `keyHash` and `userId` stand here so that feeds need not read the creating event. `setsBudget`:
 * the owner entered a new figure, perhaps the same as once before, and the account follows it.
 */
export type TokenChanged = Event<
  'TokenChanged',
  {
    tokenId: TokenId;
    userId: UserId;
    keyHash: string;
    terms: TokenTerms;
    previous: TokenTerms;
    setsBudget?: true;
  } & WithPersonal
>;
export type TokenEnabled = Event<
  'TokenEnabled',
  { tokenId: TokenId; userId: UserId; keyHash: string }
>;
export type TokenDisabled = Event<
  'TokenDisabled',
  { tokenId: TokenId; userId: UserId; keyHash: string }
>;
export type TokenDeleted = Event<
  'TokenDeleted',
  { tokenId: TokenId; userId: UserId; keyHash: string }
>;
export type TokenEvent = TokenCreated | TokenChanged | TokenEnabled | TokenDisabled | TokenDeleted;
