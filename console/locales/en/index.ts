import type { texts as zh } from '../zh/index.ts';
import { about } from './about.ts';
import { account } from './account.ts';
import { audit } from './audit.ts';
import { channel } from './channel.ts';
import { chat } from './chat.ts';
import { common } from './common.ts';
import { connect } from './connect.ts';
import { dashboard } from './dashboard.ts';
import { drawing } from './drawing.ts';
import { factor } from './factor.ts';
import { home } from './home.ts';
import { job } from './job.ts';
import { ledger } from './ledger.ts';
import { login } from './login.ts';
import { personal } from './personal.ts';
import { playground } from './playground.ts';
import { pricing } from './pricing.ts';
import { projections } from './projections.ts';
import { reconciliation } from './reconciliation.ts';
import { redemption } from './redemption.ts';
import { setting } from './setting.ts';
import { setup } from './setup.ts';
import { shell } from './shell.ts';
import { task } from './task.ts';
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
  chat,
  common,
  connect,
  dashboard,
  drawing,
  factor,
  home,
  job,
  ledger,
  login,
  personal,
  playground,
  pricing,
  projections,
  reconciliation,
  redemption,
  setting,
  setup,
  shell,
  task,
  token,
  'usage-log': usageLog,
  user,
  verify,
  wallet,
} satisfies Record<keyof typeof zh, unknown>;
