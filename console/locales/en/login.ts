import type { English } from '../english.ts';
import type { login as zh } from '../zh/login.ts';

export const login: English<typeof zh> = {
  'third-party': 'Or continue with',
  'sign-in-by': 'Continue with {{name}}',
  wechat: 'WeChat',
  'wechat-title': 'Sign in by WeChat',
  'wechat-bind-title': 'Bind a WeChat account',
  'wechat-picture': 'QR code of the account',
  'wechat-hint':
    'Scan the code, follow the account and send it the word {{word}}. The code it answers is valid for 3 minutes.',
  'wechat-code': 'Verification code',
  'wechat-submit': 'Sign in',
  'wechat-bind-submit': 'Bind',
  'wechat-code-missing': 'Please enter the verification code!',
  telegram: 'Sign in by Telegram',
  'telegram-failed': 'The Telegram button could not be loaded, check the network',
  'human-check': 'Human check',
  'human-wait': 'Please retry in a few seconds, Turnstile is checking your browser!',
  'human-failed': 'The human check could not be loaded, check the network and reload',
  'signed-in': 'Signed in!',
  processing: 'Processing…',
  bound: 'Account bound!',
  failed: 'That failed, leading you back to sign-in…',
  'bad-address': 'The sign-in address is not valid, tell the administrator',
};
