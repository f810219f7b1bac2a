import type { PersonalSeal } from '../../infra/ports/vault.ts';
import type { SignedInUser } from '../contract/second-factor.ts';
import type { KnownUser } from './find-user.ts';

const displayNameOf = (user: KnownUser, seal: PersonalSeal | null): string =>
  seal === null ? '' : seal.unseal(user.displayName, 'display-name');

/** The record in the answer of a sign-in: the user; balances and settings are read from `/self`. */
export const signedInUser = (user: KnownUser, seal: PersonalSeal | null): SignedInUser => ({
  id: user.userId,
  username: user.username,
  display_name: displayNameOf(user, seal),
  role: user.role,
  status: user.status === 'active' ? 1 : 2,
  group: user.group,
  password: '',
  email: '',
  github_id: '',
  oidc_id: '',
  wechat_id: '',
  telegram_id: '',
  linux_do_id: '',
  verification_code: '',
  access_token: null,
  quota: 0,
  used_quota: 0,
  request_count: 0,
  aff_code: '',
  aff_count: 0,
  aff_quota: 0,
  aff_history_quota: 0,
  inviter_id: 0,
  DeletedAt: null,
  setting: '',
});
