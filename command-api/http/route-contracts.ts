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
import { optionBody } from '../contract/option.ts';
import {
  changeRedemptionBody,
  createRedemptionBody,
  redeemCodeBody,
} from '../contract/redemption.ts';
import { setupBody } from '../contract/setup.ts';
import { changeTokenBody, createTokenBody, tokenChangeQuery } from '../contract/token.ts';
import {
  addressQuery,
  affTransferBody,
  bindAddressQuery,
  changeSelfBody,
  confirmResetBody,
  createUserBody,
  editUserBody,
  loginBody,
  manageUserBody,
  registerBody,
  userSettingBody,
} from '../contract/user.ts';
import type { RouteKey } from './route-access.ts';

/** What a route takes, for the description of the API. */
export type RouteContract = Readonly<{ body?: ZodType; query?: ZodType }>;

/** Routes that take nothing but their path have no entry. */
export const routeContracts: Readonly<Partial<Record<RouteKey, RouteContract>>> = {
  'POST /api/setup': { body: setupBody },

  'POST /api/user/login': { body: loginBody },
  'POST /api/user/register': { body: registerBody },
  'GET /api/verification': { query: addressQuery },
  'GET /api/reset_password': { query: addressQuery },
  'POST /api/user/reset': { body: confirmResetBody },
  'GET /api/oauth/email/bind': { query: bindAddressQuery },
  'PUT /api/user/self': { body: changeSelfBody },
  'PUT /api/user/setting': { body: userSettingBody },
  'POST /api/user/aff_transfer': { body: affTransferBody },
  'POST /api/user/topup': { body: redeemCodeBody },
  'POST /api/user/': { body: createUserBody },
  'PUT /api/user/': { body: editUserBody },
  'POST /api/user/manage': { body: manageUserBody },

  'PUT /api/option/': { body: optionBody },

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

  'POST /api/redemption/': { body: createRedemptionBody },
  'PUT /api/redemption/': { body: changeRedemptionBody, query: tokenChangeQuery },
};
