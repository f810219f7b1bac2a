import type { Quote } from '../../domain/pricing/types.ts';
import type { LogOther } from '../contract/log.ts';
import { priceSteps } from '../shared/price-steps.ts';
import type { ConsumeDetails, FailureDetails, LogDetails } from './details.ts';

const ratiosOf = (quote: Quote): LogOther =>
  quote.kind === 'price'
    ? { model_price: Number(quote.modelPrice), group_ratio: Number(quote.groupRatio) }
    : {
        model_price: -1,
        model_ratio: Number(quote.modelRatio),
        completion_ratio: Number(quote.completionRatio),
        group_ratio: Number(quote.groupRatio),
        cache_ratio: Number(quote.cacheRatio),
        cache_creation_ratio: Number(quote.cacheCreationRatio),
      };

const mapping = (upstreamModel: string | null): LogOther =>
  upstreamModel === null ? {} : { is_model_mapped: true, upstream_model_name: upstreamModel };

const attempts = (channels: readonly number[], forAdmin: boolean): LogOther =>
  forAdmin ? { admin_info: { use_channel: channels.map(String) } } : {};

const consume = (details: ConsumeDetails, forAdmin: boolean): LogOther => ({
  ...ratiosOf(details.quote),
  cache_tokens: details.usage.cachedTokens,
  cache_creation_tokens: details.usage.cacheCreationTokens,
  frt: details.firstByteMs ?? -1000,
  ...(details.usage.cacheApart ? { claude: true } : {}),
  ...mapping(details.upstreamModel),
  ...(details.end === 'complete' ? {} : { end: details.end }),
  ...(details.usageSource === 'counted' ? { usage_source: 'counted' } : {}),
  ...(details.usageNote === null ? {} : { usage_note: details.usageNote }),
  price_steps: priceSteps(details.usage, details.quote),
  ...attempts(details.channelsTried, forAdmin),
});

const failure = (details: FailureDetails, forAdmin: boolean): LogOther => ({
  status_code: details.statusCode,
  error_type: details.errorType,
  error_code: details.errorCode,
  ...mapping(details.upstreamModel),
  ...attempts(details.channelsTried, forAdmin),
});

/** The member `other` of an entry, as JSON text; who is no admin sees no channels. */
export const otherOf = (details: LogDetails, forAdmin: boolean): string => {
  switch (details.kind) {
    case 'consume':
      return JSON.stringify(consume(details, forAdmin));
    case 'failure':
      return JSON.stringify(failure(details, forAdmin));
    case 'movement':
      return JSON.stringify({ amount: details.delta });
    case 'manage':
      return forAdmin ? JSON.stringify({ operator_id: details.actorId }) : '';
  }
};
