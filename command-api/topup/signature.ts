import { hash, timingSafeEqual } from 'node:crypto';

export type Fields = Readonly<Record<string, string>>;

/** `name=value` joined by `&`, in the byte order of names; empty values take no part. */
export const signedText = (fields: Fields): string =>
  Object.entries(fields)
    .filter(([, value]) => value !== '')
    .toSorted(([left], [right]) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');

/** The providers of this trade sign by MD5; that is theirs to change. */
export const md5Hex = (text: string): string => hash('md5', text, 'hex');

/** Takes as long whatever the first difference is. Providers disagree about the case of the letters. */
export const isSameSignature = (received: string, expected: string): boolean => {
  const left = Buffer.from(received.toLowerCase());
  const right = Buffer.from(expected.toLowerCase());
  return left.length === right.length && timingSafeEqual(left, right);
};
