import { newPasswordAt, userNameAt } from '../../../shared/refusals.ts';

/** Which field of a user a refusal is about. */
export const userRefusals = {
  ...userNameAt('username'),
  ...newPasswordAt('password'),
  'user.reason-needed': 'reason',
  'account.invalid-amount': 'quota',
  'account.overflow': 'quota',
};
