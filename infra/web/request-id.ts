import { randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Text of letters and digits from a secure source; every character is equally likely. */
export const randomText = (length: number): string => {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 in a byte; what is above would favour some characters.
      if (byte < 248 && text.length < length) text += alphabet[byte % 62];
    }
  }
  return text;
};

/** Time to the millisecond in digits and eight random characters, in the form of other gateways. */
export const newRequestId = (now: Date): string =>
  `${now.toISOString().replace(/\D/g, '')}${randomText(8)}`;
