import type { Command } from '../shared/event.ts';
import type { TokenId, UserId } from '../shared/ids.ts';
import type { Sealed } from '../shared/sealed.ts';
import type { TokenTerms } from './events.ts';

/** `userId` is the caller: only the owner may change a token. */
type ByOwner = Readonly<{ tokenId: TokenId; userId: UserId }>;

export type CreateToken = Command<
  'CreateToken',
  ByOwner & Readonly<{ sealedKey: Sealed; keyHash: string; terms: TokenTerms }>
>;
/**
 * `setsBudget` false leaves the budget of the token unchanged, whatever `terms.remainQuota` is: a
 * form sends back the figure it was opened with, and spending has continued since.
 */
export type ChangeToken = Command<
  'ChangeToken',
  ByOwner & Readonly<{ terms: TokenTerms; setsBudget: boolean }>
>;
/** The decider has no clock and no account: the route passes the time and what is left. */
export type EnableToken = Command<
  'EnableToken',
  ByOwner & Readonly<{ nowSeconds: number; exhausted?: boolean }>
>;
export type DisableToken = Command<'DisableToken', ByOwner>;
export type DeleteToken = Command<'DeleteToken', ByOwner>;

export type TokenCommand = CreateToken | ChangeToken | EnableToken | DisableToken | DeleteToken;
