/*
 * Bounds of text input, in characters by default. Free of packages: the schemas of this folder use
 * them, and the forms of the console, which do not include the schemas.
 */

export const passwordLength = { min: 8, max: 128 } as const;
export const maxUsernameLength = 12;
export const maxDisplayNameLength = 20;
export const maxGroupLength = 64;
/** Why something was done. */
export const maxReasonLength = 500;
export const maxPasskeyNameLength = 40;
export const maxRedemptionNameLength = 20;
/** Of the list price: what a channel costs. */
export const maxCostRatio = 1_000;
/** Codes made by one call. */
export const maxRedemptionCount = 100;
/** The contract takes longer names, which the rules of tokens then refuse by name. */
export const maxTokenNameLength = 30;

/** Characters as people count them: a code point outside of the basic plane is one, not two. */
export const characterCount = (text: string): number => [...text].length;
