import { defineTable, type RowOf, type SchemaOf } from '../runtime/table.ts';
import { personalKeyTable } from '../shared/personal-data.ts';

export const userListTables = {
  /**
   * Names and addresses stand here in the clear: administrators search them by any part. All of it goes
   * from the row when the person leaves.
   */
  users: defineTable({
    name: 'users',
    columns: {
      id: 'int8',
      /** "" once the person has left. */
      username: 'text',
      display_name: 'text',
      role: 'int8',
      /** 1 active, 2 banned. */
      status: 'int8',
      email: 'text',
      github_id: 'text',
      oidc_id: 'text',
      wechat_id: 'text',
      telegram_id: 'text',
      linux_do_id: 'text',
      /** Quota units: the balance of the account; below, spent in its life. */
      quota: 'int8',
      used_quota: 'int8',
      request_count: 'int8',
      group: 'text',
      aff_code: 'text',
      aff_count: 'int8',
      aff_quota: 'int8',
      aff_history_quota: 'int8',
      inviter_id: 'int8',
      /** RFC 3339; null for existing users. */
      deleted_at: 'text?',
      /** JSON text. */
      setting: 'text',
      session_epoch: 'int8',
      /** SHA-256, hex. */
      access_token_hash: 'text?',
      /** JSON text of what there is; "" for nothing. Names within stay sealed. */
      second_factors: 'text',
      has_second_factor: 'bool',
    },
    key: ['id'],
    indexes: ['(access_token_hash)', '(username)', '(aff_code)'],
  }),
  /** A session that is open. What is personal stays sealed until it is shown. */
  sessions: defineTable({
    name: 'sessions',
    columns: {
      session_id: 'text',
      user_id: 'int8',
      /** Unix milliseconds. */
      opened_at: 'int8',
      method: 'text',
      device: 'text',
      address: 'text',
    },
    key: ['session_id'],
    writeIndexes: ['(user_id)'],
  }),
  keys: personalKeyTable,
};

export type UserListRow = RowOf<typeof userListTables.users>;
export type UserSessionRow = RowOf<typeof userListTables.sessions>;
export type UserListSchema = SchemaOf<'user_list', typeof userListTables>;
