/*
 * Tables that hold something of people, and lose it when they leave. PostgreSQL keeps the bytes of
 * rows that were replaced until the table is vacuumed.
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

/** Rows of earlier versions hold words in the clear; later ones hold them sealed. */
export const largePersonalTables = [
  'audit_trail.entries',
  'audit_trail.things',
  'task_list.tasks',
  'usage_log.entries',
] as const;
