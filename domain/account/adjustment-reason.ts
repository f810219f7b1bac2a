import { type Infer, nullable, object, oneOf, text } from '../shared/shape.ts';

/**
 * `set-by-admin`: an administrator entered a new balance. `other`: the note is all there is. `note`: the text of the person who changed the balance; null where none was entered.
 */
export const adjustmentReason = object({
  kind: oneOf('set-by-admin', 'other'),
  note: nullable(text),
});
export type AdjustmentReason = Infer<typeof adjustmentReason>;
export type AdjustmentKind = AdjustmentReason['kind'];
