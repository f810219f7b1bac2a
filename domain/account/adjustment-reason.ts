/**
 * `set-by-admin`: an administrator entered a new balance. `other`: a text of an earlier release that
 * does not say more.
 */
export type AdjustmentKind = 'set-by-admin' | 'other';

/** `note`: the words of the person who changed the balance; null where none were given. */
export type AdjustmentReason = Readonly<{ kind: AdjustmentKind; note: string | null }>;
