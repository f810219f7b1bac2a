import { randomBytes } from 'node:crypto';

/** Time in digits and random characters, as clients of the field know it. */
export const newRequestId = (now: Date): string =>
  `${now.toISOString().replace(/\D/g, '')}${randomBytes(4).toString('hex')}`;
