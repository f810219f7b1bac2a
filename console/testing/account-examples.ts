import { aUser } from './render-console.tsx';

/** The answer of GET /api/user/self for Ada; quota in units. */
export const aSelf = {
  ...aUser,
  email: '',
  github_id: '',
  oidc_id: '',
  wechat_id: '',
  telegram_id: '',
  linux_do_id: '',
  quota: 750_000,
  used_quota: 250_000,
  request_count: 12,
  aff_code: 'aDa1',
  aff_quota: 600_000,
  aff_history_quota: 900_000,
  aff_count: 3,
  inviter_id: 0,
  setting: '',
  quota_remind_threshold: 1_000,
};

/** The status of a site whose operator has switched every other login on. */
export const everyLogin = {
  github_oauth: true,
  oidc_enabled: true,
  linuxdo_oauth: true,
  wechat_login: true,
  wechat_qrcode: 'https://gate.test/qr.png',
  telegram_oauth: true,
  telegram_bot_name: 'gate_bot',
};
