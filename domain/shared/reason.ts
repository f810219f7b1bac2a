import { type InferFields, optional, text } from './shape.ts';

/** Why a person did it, in that person's own words; absent where none was entered. */
export const withReason = { reason: optional(text) };
export type WithReason = InferFields<typeof withReason>;

/** Characters. */
const reasonLimit = 500;

/** The field of an event: left out when it is empty. */
export const reasonField = (reason: string | null | undefined): WithReason => {
  const text = reason?.trim() ?? '';
  return text === '' ? {} : { reason: text.slice(0, reasonLimit) };
};
