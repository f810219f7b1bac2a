import { type ApiError, gatewayError } from '../protocol/api-error.ts';
import type { ReserveResult } from './lease-book.ts';

export const unpriced = (model: string): ApiError =>
  gatewayError(
    500,
    'model_price_error',
    `Model ${model} has no price; the administrator has to set one`,
  );

export const quotaBusy: ApiError = {
  ...gatewayError(503, 'quota_unavailable', 'Quota cannot be reserved now, try again'),
  retryAfterSeconds: 1,
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
    case 'keeper-unavailable':
      return quotaBusy;
  }
};
