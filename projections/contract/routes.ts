import { auditApi } from './audit.ts';
import { billingApi } from './billing.ts';
import { channelApi } from './channel.ts';
import { deadLetterApi } from './dead-letter.ts';
import { ledgerApi } from './ledger.ts';
import { logApi } from './log.ts';
import { marginApi } from './margin.ts';
import { optionApi } from './option.ts';
import { overviewApi } from './overview.ts';
import { pricePreviewApi } from './price-preview.ts';
import { pricingApi } from './pricing.ts';
import { liveApi, projectionApi } from './projection.ts';
import { redemptionApi } from './redemption.ts';
import { refusalApi } from './refusal.ts';
import { repriceApi } from './reprice.ts';
import { siteApi } from './status.ts';
import { taskApi } from './task.ts';
import { tokenApi } from './token.ts';
import { topUpApi } from './topup.ts';
import { secondFactorApi, sessionApi, userApi } from './user.ts';
import { verifyApi } from './verify.ts';

/** Every route of the read side, under `METHOD path`. Another one cannot be served. */
export const readRoutes = {
  ...siteApi,
  ...pricingApi,
  ...userApi,
  ...sessionApi,
  ...secondFactorApi,
  ...channelApi,
  ...tokenApi,
  ...optionApi,
  ...logApi,
  ...overviewApi,
  ...pricePreviewApi,
  ...marginApi,
  ...refusalApi,
  ...billingApi,
  ...redemptionApi,
  ...topUpApi,
  ...deadLetterApi,
  ...taskApi,
  ...ledgerApi,
  ...repriceApi,
  ...auditApi,
  ...verifyApi,
  ...liveApi,
  ...projectionApi,
};
export type ReadRoutes = typeof readRoutes;
export type RouteKey = keyof ReadRoutes;
