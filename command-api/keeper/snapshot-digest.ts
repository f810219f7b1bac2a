import { hash } from 'node:crypto';
import type { AccountSnapshot, AccountSnapshotContent } from '../../domain/account/snapshot.ts';

/** With the keys of every object in order: stores are free to give them back in another. */
const canonical = (_key: string, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
};

const digestOf = (content: AccountSnapshotContent): string =>
  hash('sha256', JSON.stringify(content, canonical), 'base64url');

export const withDigest = (content: AccountSnapshotContent): AccountSnapshot => ({
  ...content,
  digest: digestOf(content),
});

/** Is it as it was written? */
export const isIntact = ({ digest, ...content }: AccountSnapshot): boolean =>
  digest === digestOf(content);
