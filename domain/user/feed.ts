import type { Role } from '../access/roles.ts';
import type { SessionId, UserId } from '../shared/ids.ts';

/** The facts of an account holder for a relay. Feed `accounts`, key = user id. */
export type AccountFeedEntry = Readonly<{
  userId: UserId;
  role: Role;
  /** 1 active, 2 banned, 3 deleted. */
  status: 1 | 2 | 3;
  group: string;
  /** Sessions opened under a smaller epoch are over. */
  sessionEpoch: number;
  /** Open sessions, at most `maxLiveSessions`. */
  sessionIds: readonly SessionId[];
  /** Calls of models without a price are accepted at the fallback ratio. */
  acceptUnsetModelRatioModel: boolean;
}>;
