import type { TokenId, UserId } from '../../domain/shared/ids.ts';
import type { LeaseBook, ReserveResult } from './lease-book.ts';

export type FundingAsk = Readonly<{ userId: UserId; tokenId: TokenId; need: number }>;
export type Funded = ReserveResult | Readonly<{ kind: 'client-gone' }>;

/** For a call that the warm lease does not fund: asks the keeper, unless the client left meanwhile. */
export const fundCall = async (
  leaseBook: LeaseBook,
  { userId, tokenId, need }: FundingAsk,
  isClientGone: () => boolean,
): Promise<Funded> => {
  const result = await leaseBook.reserve(userId, tokenId, need);
  if (result.kind === 'refused' || !isClientGone()) return result;
  leaseBook.settle(result.reservation, 0);
  return { kind: 'client-gone' };
};
