/** Multiplier on every price of the group; also the list of existing groups. */
export const defaultGroupRatios: Readonly<Record<string, number>> = {
  default: 1,
  vip: 1,
  svip: 1,
};

/** Multiplier on the price of a top-up. */
export const defaultTopupGroupRatios: Readonly<Record<string, number>> = {
  default: 1,
  vip: 1,
  svip: 1,
};

/** Groups that anybody may pick for a token: name to description. */
export const defaultUsableGroups: Readonly<Record<string, string>> = {
  default: '默认分组',
  vip: 'vip分组',
};
