import { createHash } from 'node:crypto';

/** Namespace of every id that Tollgate derives; fixed for ever. */
const namespace = Buffer.from('7b0c5a52c0d94c0f9a3df2a8a1c9e6d4', 'hex');

/** UUID version 5 (RFC 9562): the same name gives the same id, on every machine and each retry. */
export const uuidFrom = (name: string): string => {
  const hash = createHash('sha1').update(namespace).update(name).digest().subarray(0, 16);
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};
