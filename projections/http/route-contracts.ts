import { type ZodType, z } from 'zod';
import { auditPage } from '../contract/audit.ts';
import { billingSubscription, billingUsage } from '../contract/billing.ts';
import {
  catalogueModels,
  channelList,
  channelRow,
  channelTypes,
  modelsByType,
} from '../contract/channel.ts';
import { deadLetterPage, deadLetterRecord } from '../contract/dead-letter.ts';
import { balanceSeries, ledgerPage } from '../contract/ledger.ts';
import { dataRows, logPage, logRows, logStat } from '../contract/log.ts';
import { marginOverview } from '../contract/margin.ts';
import { optionList } from '../contract/option.ts';
import { channelHealthRows, usageOverview } from '../contract/overview.ts';
import { pricePreview, pricePreviewBody } from '../contract/price-preview.ts';
import { pricingAnswer } from '../contract/pricing.ts';
import { lagPoints, projectionRows } from '../contract/projection.ts';
import {
  auditQuery,
  balancesQuery,
  channelListQuery,
  channelSearchQuery,
  dataQuery,
  drawingListQuery,
  exportQuery,
  ledgerQuery,
  logExportQuery,
  logFilterQuery,
  logFindQuery,
  logPageQuery,
  pageQuery,
  redemptionSearchQuery,
  taskListQuery,
  tokenListQuery,
  tokenSearchQuery,
  topUpSearchQuery,
  userSearchQuery,
} from '../contract/query.ts';
import { redemptionPage, redemptionRow } from '../contract/redemption.ts';
import { repriceBody, repricing } from '../contract/reprice.ts';
import { pageText, publicStatus, setupStatus } from '../contract/status.ts';
import { drawingRows, taskRows } from '../contract/task.ts';
import { tokenList, tokenRow } from '../contract/token.ts';
import { reconciliation, topUpPage } from '../contract/topup.ts';
import {
  affCode,
  nameList,
  secondFactorList,
  selfRow,
  userGroups,
  userPage,
  userRow,
  userSessions,
} from '../contract/user.ts';
import { verifyState } from '../contract/verify.ts';
import type { RouteKey } from './route-access.ts';

/** What a route takes and answers, for the description of the API. */
export type RouteContract = Readonly<{
  query?: ZodType;
  body?: ZodType;
  /** Stands in the envelope. */
  data?: ZodType;
  /** The whole answer, without an envelope. */
  bare?: ZodType;
}>;

const subscription = { bare: billingSubscription };
const usage = { bare: billingUsage };

export const routeContracts: Readonly<Partial<Record<RouteKey, RouteContract>>> = {
  'GET /api/status': { data: publicStatus },
  'GET /api/setup': { data: setupStatus },
  'GET /api/status/test': { data: z.null() },
  'GET /api/notice': { data: pageText },
  'GET /api/about': { data: pageText },
  'GET /api/home_page_content': { data: pageText },
  'GET /api/pricing': { data: pricingAnswer },

  'GET /api/user/self': { data: selfRow },
  'GET /api/user/sessions': { data: userSessions },
  'GET /api/user/second_factors': { data: secondFactorList },
  'GET /api/user/models': { data: nameList },
  'GET /api/user/self/groups': { data: userGroups },
  'GET /api/user/aff': { data: affCode },
  'GET /api/user/': { query: pageQuery, data: userPage },
  'GET /api/user/search': { query: userSearchQuery, data: userPage },
  'GET /api/user/:id': { data: userRow },
  'GET /api/group/': { data: nameList },
  'GET /api/models': { data: modelsByType },

  'GET /api/channel/': { query: channelListQuery, data: channelList },
  'GET /api/channel/search': { query: channelSearchQuery, data: channelList },
  'GET /api/channel/models': { data: catalogueModels },
  'GET /api/channel/models_enabled': { data: nameList },
  'GET /api/channel/types': { data: channelTypes },
  'GET /api/channel/:id': { data: channelRow },

  'GET /api/token/': { query: tokenListQuery, data: tokenList },
  'GET /api/token/search': { query: tokenSearchQuery, data: tokenList },
  'GET /api/token/:id': { data: tokenRow },

  'GET /api/option/': { data: optionList },

  'GET /api/log/': { query: logPageQuery, data: logPage },
  'GET /api/log/export': { query: logExportQuery },
  'GET /api/log/self/export': { query: logExportQuery },
  'GET /api/log/stat': { query: logFilterQuery, data: logStat },
  'GET /api/log/self': { query: logPageQuery, data: logPage },
  'GET /api/log/self/stat': { query: logFilterQuery, data: logStat },
  'GET /api/log/find': { query: logFindQuery, data: logRows },
  'GET /api/log/self/find': { query: logFindQuery, data: logRows },
  'GET /api/log/token': { data: logRows },
  'GET /api/data/': { query: dataQuery, data: dataRows },
  'GET /api/data/self': { query: dataQuery, data: dataRows },
  'GET /api/data/overview': { query: dataQuery, data: usageOverview },
  'GET /api/data/self/overview': { query: dataQuery, data: usageOverview },
  'POST /api/data/price_preview': { body: pricePreviewBody, data: pricePreview },
  'GET /api/data/channels': { query: dataQuery, data: channelHealthRows },
  'GET /api/data/margin': { query: dataQuery, data: marginOverview },

  'GET /v1/dashboard/billing/subscription': subscription,
  'GET /dashboard/billing/subscription': subscription,
  'GET /v1/dashboard/billing/usage': usage,
  'GET /dashboard/billing/usage': usage,

  'GET /api/redemption/': { query: pageQuery, data: redemptionPage },
  'GET /api/redemption/search': { query: redemptionSearchQuery, data: redemptionPage },
  'GET /api/redemption/:id': { data: redemptionRow },

  'GET /api/topup/': { query: topUpSearchQuery, data: topUpPage },
  'GET /api/topup/self': { query: topUpSearchQuery, data: topUpPage },
  'GET /api/topup/reconciliation': { data: reconciliation },

  'GET /api/dead_letter/': { query: pageQuery, data: deadLetterPage },
  'GET /api/dead_letter/:id': { data: deadLetterRecord },

  'GET /api/mj/': { query: drawingListQuery, data: drawingRows },
  'GET /api/mj/self': { query: drawingListQuery, data: drawingRows },
  'GET /api/task/': { query: taskListQuery, data: taskRows },
  'GET /api/task/self': { query: taskListQuery, data: taskRows },

  'GET /api/ledger/self': { query: ledgerQuery, data: ledgerPage },
  'GET /api/ledger/self/export': { query: exportQuery },
  'GET /api/ledger/self/balances': { query: balancesQuery, data: balanceSeries },
  'GET /api/ledger/:userId': { query: ledgerQuery, data: ledgerPage },
  'GET /api/ledger/:userId/export': { query: exportQuery },

  'GET /api/audit': { query: auditQuery, data: auditPage },
  'GET /api/audit/self': { query: auditQuery, data: auditPage },
  'GET /api/audit/export': { query: exportQuery },
  'POST /api/audit/reprice': { body: repriceBody, data: repricing },

  'GET /api/verify': { data: verifyState },
  'GET /api/live': {},
  'GET /api/projections': { data: projectionRows },
  'GET /api/projections/lag': { data: lagPoints },
};
