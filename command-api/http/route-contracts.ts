import type { ZodType } from 'zod';
import { correctionBody, pruneQuery } from '../contract/audit.ts';
import {
  batchTagBody,
  changeChannelBody,
  channelIdsBody,
  createChannelBody,
  editTagBody,
  fetchModelsBody,
  tagBody,
  testQuery,
} from '../contract/channel.ts';
import { jobRows } from '../contract/job.ts';
import {
  loginReturnQuery,
  loginStateQuery,
  oidcDiscoveryBody,
  telegramQuery,
  wechatCodeQuery,
} from '../contract/login.ts';
import { optionBody } from '../contract/option.ts';
import {
  changeRedemptionBody,
  createRedemptionBody,
  redeemCodeBody,
} from '../contract/redemption.ts';
import {
  addPasskeyBody,
  confirmationBody,
  enrolTotpBody,
  factorProofBody,
  renamePasskeyBody,
} from '../contract/second-factor.ts';
import { setupBody } from '../contract/setup.ts';
import { changeTokenBody, createTokenBody, tokenChangeQuery } from '../contract/token.ts';
import {
  amountBody,
  notificationFields,
  payEpayBody,
  payLantuBody,
  tradeNoQuery,
} from '../contract/topup.ts';
import {
  addressQuery,
  affTransferBody,
  bindAddressQuery,
  changeSelfBody,
  confirmResetBody,
  createUserBody,
  editUserBody,
  endSessionsQuery,
  loginBody,
  manageUserBody,
  registerBody,
  userSettingBody,
} from '../contract/user.ts';
import type { RouteKey } from './route-access.ts';

/** What a route takes, for the description of the API. */
export type RouteContract = Readonly<{
  body?: ZodType;
  query?: ZodType;
  /** Stands in the envelope. */
  data?: ZodType;
}>;

/** Routes that take nothing but their path have no entry. */
export const routeContracts: Readonly<Partial<Record<RouteKey, RouteContract>>> = {
  'POST /api/setup': { body: setupBody },

  'POST /api/user/login': { body: loginBody },
  'POST /api/user/login/second_factor': { body: factorProofBody },
  'POST /api/user/second_factors/confirm': { body: confirmationBody },
  'PUT /api/user/second_factors/totp': { body: enrolTotpBody },
  'POST /api/user/second_factors/passkeys': { body: addPasskeyBody },
  'PUT /api/user/second_factors/passkeys/:id': { body: renamePasskeyBody },
  'POST /api/user/register': { body: registerBody },
  'GET /api/verification': { query: addressQuery },
  'GET /api/reset_password': { query: addressQuery },
  'POST /api/user/reset': { body: confirmResetBody },
  'GET /api/oauth/state': { query: loginStateQuery },
  'GET /api/oauth/github': { query: loginReturnQuery },
  'GET /api/oauth/oidc': { query: loginReturnQuery },
  'GET /api/oauth/linuxdo': { query: loginReturnQuery },
  'GET /api/oauth/wechat': { query: wechatCodeQuery },
  'GET /api/oauth/wechat/bind': { query: wechatCodeQuery },
  'GET /api/oauth/telegram/login': { query: telegramQuery },
  'GET /api/oauth/telegram/bind': { query: telegramQuery },
  'GET /api/oauth/email/bind': { query: bindAddressQuery },
  'PUT /api/user/self': { body: changeSelfBody },
  'DELETE /api/user/sessions': { query: endSessionsQuery },
  'PUT /api/user/setting': { body: userSettingBody },
  'POST /api/user/aff_transfer': { body: affTransferBody },
  'POST /api/user/topup': { body: redeemCodeBody },
  'POST /api/user/amount': { body: amountBody },
  'POST /api/user/pay_lantu': { body: payLantuBody },
  'POST /api/user/pay_lantu_h5': { body: payLantuBody },
  'POST /api/user/pay': { body: payEpayBody },
  'GET /api/user/lantu_status': { query: tradeNoQuery },
  'GET /api/user/hw_payment_status': { query: tradeNoQuery },
  'POST /api/user/lantu/notify': { body: notificationFields },
  'POST /api/user/epay/notify': { body: notificationFields },
  'POST /api/user/': { body: createUserBody },
  'PUT /api/user/': { body: editUserBody },
  'POST /api/user/manage': { body: manageUserBody },

  'PUT /api/option/': { body: optionBody },
  'POST /api/option/oidc_discovery': { body: oidcDiscoveryBody },

  'POST /api/channel/': { body: createChannelBody },
  'PUT /api/channel/': { body: changeChannelBody },
  'POST /api/channel/batch': { body: channelIdsBody },
  'POST /api/channel/batch/tag': { body: batchTagBody },
  'PUT /api/channel/tag': { body: editTagBody },
  'POST /api/channel/tag/enabled': { body: tagBody },
  'POST /api/channel/tag/disabled': { body: tagBody },
  'GET /api/channel/test/:id': { query: testQuery },
  'POST /api/channel/fetch_models': { body: fetchModelsBody },

  'POST /api/token/': { body: createTokenBody },
  'PUT /api/token/': { body: changeTokenBody, query: tokenChangeQuery },

  'DELETE /api/log/': { query: pruneQuery },
  'POST /api/audit/correction': { body: correctionBody },

  'GET /api/jobs': { data: jobRows },

  'POST /api/redemption/': { body: createRedemptionBody },
  'PUT /api/redemption/': { body: changeRedemptionBody, query: tokenChangeQuery },
};
