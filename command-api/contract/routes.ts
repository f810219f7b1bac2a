import { auditApi } from './audit.ts';
import {
  channelApi,
  channelBalanceApi,
  channelBatchApi,
  channelModelsApi,
  channelTestApi,
} from './channel.ts';
import { jobApi } from './job.ts';
import { loginApi, oauthApi, telegramApi, wechatApi } from './login.ts';
import { redemptionApi } from './redemption.ts';
import { enrolApi, secondFactorApi } from './second-factor.ts';
import { siteApi } from './site.ts';
import { tokenApi } from './token.ts';
import { topUpApi, topUpNoticeApi } from './topup.ts';
import { emailApi, selfApi, sessionApi, userAdminApi } from './user.ts';

/** Every route of the write side, under `METHOD path`. Another one cannot be served. */
export const writeRoutes = {
  ...siteApi,
  ...sessionApi,
  ...secondFactorApi,
  ...enrolApi,
  ...emailApi,
  ...oauthApi,
  ...wechatApi,
  ...telegramApi,
  ...loginApi,
  ...selfApi,
  ...userAdminApi,
  ...topUpApi,
  ...topUpNoticeApi,
  ...channelApi,
  ...channelBatchApi,
  ...channelTestApi,
  ...channelBalanceApi,
  ...channelModelsApi,
  ...tokenApi,
  ...redemptionApi,
  ...auditApi,
  ...jobApi,
};
export type WriteRoutes = typeof writeRoutes;
export type RouteKey = keyof WriteRoutes;
