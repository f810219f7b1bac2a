import { tableOf } from '../runtime/table.ts';
import { type PersonalKeyRow, personalKeyTable } from '../shared/personal-data.ts';

/**
 * Names and addresses are in the clear here: administrators search them by any part. All of it is
 * removed from the row when the person is deleted.
 */
export type UserListRow = Readonly<{
  id: number;
  /** "" once the person has left. */
  username: string;
  display_name: string;
  role: number;
  /** 1 active, 2 banned. */
  status: number;
  email: string;
  github_id: string;
  oidc_id: string;
  wechat_id: string;
  telegram_id: string;
  linux_do_id: string;
  /** Quota units: the balance of the account; below, spent in its life. */
  quota: number;
  used_quota: number;
  request_count: number;
  group: string;
  aff_code: string;
  aff_count: number;
  aff_quota: number;
  aff_history_quota: number;
  inviter_id: number;
  /** RFC 3339; null for existing users. */
  deleted_at: string | null;
  /** JSON text. */
  setting: string;
  session_epoch: number;
  /** SHA-256, hex. */
  access_token_hash: string | null;
  /** JSON text of what there is; "" for nothing. Names within stay sealed. */
  second_factors: string;
  has_second_factor: boolean;
}>;

/** A session that is open. What is personal stays sealed until it is shown. */
export type UserSessionRow = Readonly<{
  session_id: string;
  user_id: number;
  /** Unix milliseconds. */
  opened_at: number;
  method: string;
  device: string;
  address: string;
}>;

export const userListTables = {
  users: tableOf<UserListRow>()({
    name: 'users',
    columns: {
      id: 'int8',
      username: 'text',
      display_name: 'text',
      role: 'int8',
      status: 'int8',
      email: 'text',
      github_id: 'text',
      oidc_id: 'text',
      wechat_id: 'text',
      telegram_id: 'text',
      linux_do_id: 'text',
      quota: 'int8',
      used_quota: 'int8',
      request_count: 'int8',
      group: 'text',
      aff_code: 'text',
      aff_count: 'int8',
      aff_quota: 'int8',
      aff_history_quota: 'int8',
      inviter_id: 'int8',
      deleted_at: 'text?',
      setting: 'text',
      session_epoch: 'int8',
      access_token_hash: 'text?',
      second_factors: 'text',
      has_second_factor: 'bool',
    },
    key: ['id'],
    indexes: ['(access_token_hash)', '(username)', '(aff_code)'],
  }),
  sessions: tableOf<UserSessionRow>()({
    name: 'sessions',
    columns: {
      session_id: 'text',
      user_id: 'int8',
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
export type UserListSchema = {
  'user_list.users': UserListRow;
  'user_list.personal_keys': PersonalKeyRow;
  'user_list.sessions': UserSessionRow;
};
