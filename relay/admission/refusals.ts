import type { ApiError } from '../protocol/api-error.ts';
import { relayError } from '../protocol/relay-errors.ts';
import type { ReserveResult } from './lease-book.ts';

export const unpriced = (model: string): ApiError =>
  relayError('model_price_error', `Model ${model} has no price; the administrator has to set one`);

/** No channel is left that can serve a call. */
export const noChannel = (model: string, group: string): ApiError =>
  relayError('model_not_found', `No channel serves model ${model} to group ${group}`);

export const quotaBusy: ApiError = relayError('quota_unavailable');

/** Usage can neither be journalled nor be settled in time: what is served now could not be charged. */
export const usageNotRecordable: ApiError = relayError('usage_not_recordable');

type Refused = Extract<ReserveResult, { kind: 'refused' }>;

export const refusalError = (
  { refusal, balance, tokenRemain }: Refused,
  need: number,
): ApiError => {
  switch (refusal) {
    case 'no-account':
    case 'balance-exhausted':
      return relayError(
        'insufficient_quota',
        `The balance of ${balance} units does not cover this call, which needs up to ${need}`,
      );
    case 'token-exhausted':
      return relayError(
        'insufficient_quota',
        `The ${tokenRemain ?? 0} units left on this API key do not cover this call, which needs up to ${need}`,
      );
    case 'usage-pending':
    case 'lease-closed':
    case 'keeper-unavailable':
      return quotaBusy;
  }
};
