/*
 * Numbers that represent roles, states and kinds on the wire. Free of packages: the schemas of this
 * folder use them, and the console, which does not include the schemas.
 */

export const roles = { user: 1, admin: 10, root: 100 } as const;
export const userStates = { active: 1, banned: 2 } as const;
export const tokenStates = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const;
export const redemptionStates = { unused: 1, disabled: 2, used: 3 } as const;
export const logTypes = { topUp: 1, consume: 2, manage: 3, system: 4, error: 5 } as const;
/** How a model is priced. */
export const quotaTypes = { byRatio: 0, byCall: 1 } as const;
