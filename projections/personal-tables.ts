/*
 * Tables that contain something of people in the clear, or the key to it, and lose it when they leave.
 * PostgreSQL keeps the bytes of rows that were replaced until the table is vacuumed.
 */

/** One row for each person, token or key: small, and in the clear where it has to be. */
export const personalTables = [
  'user_list.users',
  'user_list.personal_keys',
  'token_list.tokens',
  'token_list.names',
  'token_list.personal_keys',
  'relay_feeds.tokens',
  'relay_feeds.personal_keys',
] as const;
