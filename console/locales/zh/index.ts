import { about } from './about.ts';
import { account } from './account.ts';
import { audit } from './audit.ts';
import { channel } from './channel.ts';
import { common } from './common.ts';
import { dashboard } from './dashboard.ts';
import { home } from './home.ts';
import { ledger } from './ledger.ts';
import { personal } from './personal.ts';
import { playground } from './playground.ts';
import { pricing } from './pricing.ts';
import { projections } from './projections.ts';
import { redemption } from './redemption.ts';
import { setting } from './setting.ts';
import { setup } from './setup.ts';
import { shell } from './shell.ts';
import { token } from './token.ts';
import { usageLog } from './usage-log.ts';
import { user } from './user.ts';
import { verify } from './verify.ts';
import { wallet } from './wallet.ts';

/** One namespace for each feature. */
export const texts = {
  about,
  account,
  audit,
  channel,
  common,
  dashboard,
  home,
  ledger,
  personal,
  playground,
  pricing,
  projections,
  redemption,
  setting,
  setup,
  shell,
  token,
  'usage-log': usageLog,
  user,
  verify,
  wallet,
};
