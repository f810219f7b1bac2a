import type { PriceTable } from './compile-prices.ts';

/** Shown for a user's own group when the operator gave it no description. */
const ownGroupLabel = '用户分组';

/** Groups that a user may pick for a token: those open to all and the user's own. */
export const usableGroupsOf = (
  prices: PriceTable,
  userGroup: string,
): ReadonlyMap<string, string> => {
  const own = userGroup === '' ? 'default' : userGroup;
  if (prices.usableGroups.has(own)) return prices.usableGroups;
  return new Map([...prices.usableGroups, [own, ownGroupLabel]]);
};

export const mayUseGroup = (prices: PriceTable, userGroup: string, group: string): boolean =>
  group === userGroup || usableGroupsOf(prices, userGroup).has(group);

/** A group exists when it has a ratio. */
export const groupExists = (prices: PriceTable, group: string): boolean =>
  prices.groupRatio.has(group);
