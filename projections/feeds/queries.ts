import type { Kysely } from 'kysely';
import type { FeedSchema } from './table.ts';

/** The token of a key, by the key's SHA-256 (hex), which only the feed of the relays holds. */
export const tokenIdWithHash = async (
  db: Kysely<FeedSchema>,
  hash: string,
): Promise<number | null> => {
  const row = await db
    .selectFrom('relay_feeds.tokens')
    .select('token_id')
    .where('key_hash', '=', hash)
    .where('deleted', '=', false)
    .executeTakeFirst();
  return row?.token_id ?? null;
};
