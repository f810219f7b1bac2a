import { type ApiError, gatewayError } from '../protocol/api-error.ts';
import type { ReserveResult } from './lease-book.ts';

export const unpriced = (model: string): ApiError =>
  gatewayError(
    500,
    'model_price_error',
    `Model ${model} has no price; the administrator has to set one`,
  );

/** No channel is left that can serve a call. */
export const noChannel = (model: string, group: string): ApiError =>
  gatewayError(503, 'model_not_found', `No channel serves model ${model} to group ${group}`);

export const quotaBusy: ApiError = {
  ...gatewayError(503, 'quota_unavailable', 'Quota cannot be reserved now, try again'),
  retryAfterSeconds: 1,
};

/** Usage can neither be journalled nor be settled in time: what is served now could not be charged. */
export const usageNotRecordable: ApiError = {
  ...gatewayError(503, 'usage_not_recordable', 'Usage cannot be recorded now, try again later'),
  retryAfterSeconds: 5,
};

type Refused = Extract<ReserveResult, { kind: 'refused' }>;

export const refusalError = (
  { refusal, balance, tokenRemain }: Refused,
  need: number,
): ApiError => {
  switch (refusal) {
    case 'no-account':
    case 'balance-exhausted':
      return gatewayError(
        403,
        'insufficient_user_quota',
        `The balance of ${balance} units does not cover this call, which needs up to ${need}`,
      );
    case 'token-exhausted':
      return gatewayError(
        tokenRemain !== null && tokenRemain > 0 ? 403 : 401,
        'pre_consume_token_quota_failed',
        `The ${tokenRemain ?? 0} units left on this API key do not cover this call, which needs up to ${need}`,
      );
    case 'usage-pending':
    case 'lease-closed':
    case 'keeper-unavailable':
      return quotaBusy;
  }
};
