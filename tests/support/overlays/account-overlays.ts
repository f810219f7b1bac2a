import { paths } from '../../../console/shared/paths.ts';
import { dialog, type Overlay, popover } from './kinds.ts';
import { amend, answer, button, css, fill, lastButton } from './steps.ts';

const accepted = (data: unknown) => ({ success: true, message: '', data });
/** As the server lists them for a user who has one of each. */
const factors = accepted({
  required: false,
  totp: { added_at: 1_767_225_600, used_at: 0 },
  passkeys: [{ id: 'p1', name: 'laptop', added_at: 1_767_225_600, used_at: 0 }],
  recovery_codes_left: 8,
});
const order = accepted({
  trade_no: 'T20260101',
  code_url: 'weixin://wxpay/bizpayurl?pr=example',
  QRcode_url: '',
  expire_seconds: 300,
  money: '108.00',
});
const secondFactors = '**/api/user/second_factors';
const row = 'features/personal/components/factor-rows ConfirmPopover';
/** As text: a loader that names functions would refer to a helper that the page does not have. */
const refuseCopying = `
  Object.defineProperty(navigator, 'clipboard', {
    value: { writeText: () => Promise.reject(new Error('not allowed')) },
  });
  document.execCommand = () => false;
`;

/** Of a user's own account: sign-in, wallet, personal settings. */
export const accountOverlays: readonly Overlay[] = [
  {
    name: 'code of the WeChat account, to sign in',
    of: ['features/account/components/third-party WeChatDialog'],
    path: paths.login,
    by: 'visitor',
    steps: [css('.third-party-buttons button')],
    shown: dialog,
  },
  {
    name: 'help for the kinds of sites',
    of: ['features/setup/screens/setup Dialog'],
    path: paths.about,
    by: 'visitor',
    steps: [
      answer(
        '**/api/setup',
        accepted({ status: false, root_init: false, database_type: 'sqlite' }),
      ),
      (page) => page.evaluate((setup) => location.assign(setup), paths.setup),
      css('.form-section button'),
    ],
    shown: dialog,
  },
  {
    name: 'proof of the second factor',
    of: ['app/providers ConfirmHost'],
    path: paths.personal,
    steps: [
      answer('**/api/user/second_factors/challenge', accepted({ methods: ['totp'], token: 't' })),
      answer(
        '**/api/user/token',
        { success: false, message: '', code: 'auth.second-factor-required' },
        403,
      ),
      button('personal:access-token-issue'),
      lastButton('common:ok'),
    ],
    shown: '.proof-dialog input',
  },
  {
    name: 'text to copy by hand',
    of: ['app/providers ManualCopyDialog'],
    path: paths.token,
    steps: [(page) => page.evaluate(refuseCopying), css('tbody .token-key button')],
    shown: dialog,
  },
  {
    name: 'confirmation of a payment',
    of: ['features/wallet/components/top-up-card Dialog'],
    path: paths.wallet,
    steps: [
      amend('**/api/status', { enable_online_topup: true }),
      answer('**/api/user/amount', { ...accepted('108.00'), bonus_quota: 1_350_000 }),
      css('.topup-picks button'),
      css('.topup-card button[type=submit]'),
    ],
    shown: dialog,
  },
  {
    name: 'code to pay with',
    of: ['features/wallet/components/pay-dialog Dialog'],
    path: paths.wallet,
    steps: [
      amend('**/api/status', { enable_online_topup: true }),
      answer('**/api/user/amount', { ...accepted('108.00'), bonus_quota: 1_350_000 }),
      answer('**/api/user/pay_lantu', order),
      answer('**/api/user/lantu_status**', accepted({ status: 'pending' })),
      css('.topup-picks button'),
      css('.topup-card button[type=submit]'),
      lastButton('common:ok'),
    ],
    shown: `${dialog} .pay-number`,
  },
  {
    name: 'receipt of a code',
    of: ['features/wallet/screens/wallet Dialog'],
    path: paths.wallet,
    steps: [
      answer('**/api/user/topup', accepted(500_000)),
      fill('wallet:code', 'a'.repeat(32)),
      button('wallet:redeem'),
    ],
    shown: dialog,
  },
  {
    name: 'transfer of rewards',
    of: ['features/personal/components/invite-card Dialog'],
    path: paths.personal,
    steps: [amend('**/api/user/self', { aff_quota: 900_000 }), button('personal:transfer')],
    shown: dialog,
  },
  {
    name: 'new access token',
    of: ['features/personal/components/access-token-card ConfirmPopover'],
    path: paths.personal,
    steps: [button('personal:access-token-issue')],
    shown: popover,
  },
  {
    name: 'address of mail',
    of: ['features/personal/components/email-dialog Dialog'],
    path: paths.personal,
    steps: [css('.bindings li button')],
    shown: dialog,
  },
  {
    name: 'code of the WeChat account, to bind',
    of: ['features/personal/components/bindings-card WeChatDialog'],
    path: paths.personal,
    steps: [button('personal:bind')],
    shown: dialog,
  },
  {
    name: 'binding that is let go',
    of: ['features/personal/components/binding-row ConfirmPopover'],
    path: paths.personal,
    steps: [amend('**/api/user/self', { github_id: 'ada' }), button('personal:unbind')],
    shown: popover,
  },
  {
    name: 'session of another device',
    of: ['features/personal/components/session-row ConfirmPopover'],
    path: paths.personal,
    steps: [button('personal:device-end')],
    shown: popover,
  },
  {
    name: 'sign-out everywhere',
    of: ['features/personal/components/sessions-card Dialog'],
    path: paths.personal,
    steps: [css('.devices-everywhere')],
    shown: dialog,
  },
  {
    name: 'deletion of the account',
    of: ['features/personal/components/delete-card Dialog'],
    path: paths.personal,
    steps: [button('personal:delete-title')],
    shown: dialog,
  },
  {
    name: 'new authenticator',
    of: ['features/personal/components/totp-dialog Dialog'],
    path: paths.personal,
    steps: [
      answer(
        '**/api/user/second_factors/totp',
        accepted({ token: 't', secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/site:root' }),
      ),
      button('factor:totp-add'),
    ],
    shown: `${dialog} svg`,
  },
  {
    name: 'new passkey',
    of: ['features/personal/components/passkey-dialog Dialog'],
    path: paths.personal,
    steps: [button('factor:passkey-add')],
    shown: dialog,
  },
  {
    name: 'removal of an authenticator',
    of: [row],
    path: paths.personal,
    steps: [answer(secondFactors, factors), (page) => page.reload(), button('factor:remove')],
    shown: popover,
  },
  {
    name: 'new recovery codes',
    of: [
      'features/personal/components/second-factor-card ConfirmPopover',
      'features/personal/components/recovery-codes-dialog Dialog',
    ],
    path: paths.personal,
    steps: [
      answer(secondFactors, factors),
      answer(
        '**/api/user/second_factors/recovery_codes',
        accepted({ recovery_codes: ['abcd-efgh-1234', 'ijkl-mnop-5678'] }),
      ),
      (page) => page.reload(),
      button('factor:codes-renew'),
      lastButton('common:ok'),
    ],
    shown: dialog,
  },
];
