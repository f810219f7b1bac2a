import { hash } from 'node:crypto';

/** Namespace of every id that Tollgate derives; fixed for ever. */
const namespace = Buffer.from('7b0c5a52c0d94c0f9a3df2a8a1c9e6d4', 'hex');

/** UUID version 5 (RFC 9562): the same name gives the same id, on every machine and each retry. */
export const uuidFrom = (name: string): string => {
  const digest = hash('sha1', Buffer.concat([namespace, Buffer.from(name)]), 'buffer');
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x50, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = digest.toString('hex', 0, 16);
  const start = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}`;
  return `${start}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};
