import type { texts as zh } from '../zh/index.ts';
import about from './about.json' with { type: 'json' };
import account from './account.json' with { type: 'json' };
import audit from './audit.json' with { type: 'json' };
import channel from './channel.json' with { type: 'json' };
import chat from './chat.json' with { type: 'json' };
import common from './common.json' with { type: 'json' };
import connect from './connect.json' with { type: 'json' };
import dashboard from './dashboard.json' with { type: 'json' };
import drawing from './drawing.json' with { type: 'json' };
import factor from './factor.json' with { type: 'json' };
import home from './home.json' with { type: 'json' };
import job from './job.json' with { type: 'json' };
import ledger from './ledger.json' with { type: 'json' };
import login from './login.json' with { type: 'json' };
import personal from './personal.json' with { type: 'json' };
import playground from './playground.json' with { type: 'json' };
import pricing from './pricing.json' with { type: 'json' };
import projections from './projections.json' with { type: 'json' };
import reconciliation from './reconciliation.json' with { type: 'json' };
import redemption from './redemption.json' with { type: 'json' };
import setting from './setting.json' with { type: 'json' };
import setup from './setup.json' with { type: 'json' };
import shell from './shell.json' with { type: 'json' };
import task from './task.json' with { type: 'json' };
import token from './token.json' with { type: 'json' };
import usageLog from './usage-log.json' with { type: 'json' };
import user from './user.json' with { type: 'json' };
import verify from './verify.json' with { type: 'json' };
import wallet from './wallet.json' with { type: 'json' };

/** One namespace for each feature, with every text that Chinese has. */
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
} satisfies {
  [Name in keyof typeof zh]: Readonly<Record<keyof (typeof zh)[Name], string>>;
};
