import { z } from 'zod';
import {
  characterCount,
  maxDisplayNameLength,
  maxReasonLength,
  maxUsernameLength,
  passwordLength,
} from './limits.ts';

/** Ids in bodies and paths: whole numbers above 0. Paths carry them as text. */
export const idField = z.number().int().min(1);
export const idInPath = z.object({ id: z.coerce.number().int().min(1) });

/** With `true` the call changes the status alone, and has another body. */
export const statusOnlyQuery = z.object({ status_only: z.string().optional() });
/** Of a token or a code: 1 enabled, 2 disabled. */
export const statusField = z.union([z.literal(1), z.literal(2)]);

/** Quota units: whole, at least 0, exact in a JavaScript number. */
export const quotaField = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** The reason as the caller entered it; part of the audit trail. */
export const reasonText = z.string().trim().max(maxReasonLength).nullish();

/**
 * 1 to 12 characters after trimming; no `@`, so that it cannot be confused with an e-mail address.
 */
export const usernameField = z
  .string()
  .trim()
  .min(1)
  .max(maxUsernameLength)
  .regex(/^[^@\s]+$/);

/** 8 to 128 characters as people count them, which is not as UTF-16 does. */
export const passwordField = z
  .string()
  .min(passwordLength.min)
  .max(2 * passwordLength.max)
  .check(({ value, issues }) => {
    const length = characterCount(value);
    const { min: minimum, max: maximum } = passwordLength;
    const issue = { origin: 'string', input: value, inclusive: true } as const;
    if (length < minimum) issues.push({ ...issue, code: 'too_small', minimum });
    if (length > maximum) issues.push({ ...issue, code: 'too_big', maximum });
  });

/** Up to 20 characters. */
export const displayNameField = z.string().trim().max(maxDisplayNameLength);

/** An e-mail address of up to 50 characters. */
export const emailField = z.email().max(50);
