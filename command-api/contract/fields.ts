import { z } from 'zod';

/** Ids in bodies and paths: whole numbers above 0. Paths carry them as text. */
export const idField = z.number().int().min(1);
export const idInPath = z.object({ id: z.coerce.number().int().min(1) });

/** Quota units: whole, at least 0, exact in a JavaScript number. */
export const quotaField = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** Why, in the caller's own words; stands in the audit trail. */
export const reasonText = z.string().trim().max(500).nullish();

/** 1 to 12 characters after trimming; no `@`, which would look like somebody's address. */
export const usernameField = z
  .string()
  .trim()
  .min(1)
  .max(12)
  .regex(/^[^@\s]+$/);

/** 8 to 20 characters. */
export const passwordField = z.string().min(8).max(20);

/** Up to 20 characters. */
export const displayNameField = z.string().trim().max(20);

/** An e-mail address of up to 50 characters. */
export const emailField = z.email().max(50);
