import type { CallLimits } from '../relay/call-limits.ts';
import type { TokenId, UserId } from '../shared/ids.ts';

/** The facts of a token for a relay. Feed `tokens`, key = SHA-256 of the key, hex. */
export type TokenFeedEntry = Readonly<{
  tokenId: TokenId;
  userId: UserId;
  /** 1 enabled, 2 disabled. Expiry and exhaustion are read off time and budget. */
  status: 1 | 2;
  /** Unix seconds; -1 never. */
  expiredTime: number;
  unlimitedQuota: boolean;
  /** null: every model. */
  modelLimits: readonly string[] | null;
  /** Empty: every address. */
  allowIps: readonly string[];
  group: string;
  /** Absent: no separate one. */
  limits?: CallLimits;
}>;
