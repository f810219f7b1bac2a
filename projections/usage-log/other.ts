import type { Quote, RatioQuote, Usage } from '../../domain/pricing/types.ts';
import type { LogOther } from '../contract/log.ts';
import { priceSteps } from '../shared/price-steps.ts';
import type { ConsumeDetails, FailureDetails, LogDetails, MovementDetails } from './details.ts';

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

/** Audio tokens, apart from text. */
const soundOf = (usage: Usage, quote: Quote): LogOther => {
  const { audioInputTokens = 0, audioOutputTokens = 0 } = usage;
  if (audioInputTokens + audioOutputTokens === 0) return {};
  const ratios: Partial<RatioQuote> = quote.kind === 'ratio' ? quote : {};
  return {
    audio: true,
    audio_input: audioInputTokens,
    audio_output: audioOutputTokens,
    text_input: usage.promptTokens - audioInputTokens,
    text_output: usage.completionTokens - audioOutputTokens,
    audio_ratio: Number(ratios.audioRatio ?? 1),
    audio_completion_ratio: Number(ratios.audioCompletionRatio ?? 1),
  };
};

/** Image tokens of the input, and generated images. */
const picturesOf = ({ imageInputTokens = 0, pictures = 0 }: Usage, quote: Quote): LogOther => ({
  ...(imageInputTokens === 0
    ? {}
    : {
        image: true,
        image_output: imageInputTokens,
        image_ratio: Number((quote.kind === 'ratio' ? quote.imageRatio : undefined) ?? 1),
      }),
  ...(pictures === 0
    ? {}
    : {
        image_count: pictures,
        image_size: quote.picture?.size ?? '',
        image_quality: quote.picture?.quality ?? '',
      }),
});

/** Seconds of video, at the price of one second. */
const videosOf = ({ videoSeconds = 0 }: Usage, quote: Quote): LogOther =>
  videoSeconds === 0
    ? {}
    : {
        video_seconds: videoSeconds,
        video_size: (quote.kind === 'price' ? quote.video?.size : undefined) ?? '',
      };

/** Calls of the provider's own tools; prices in USD per 1,000 calls. */
const searchesOf = ({ webSearches = 0, fileSearches = 0 }: Usage, { tools }: Quote): LogOther => ({
  ...(webSearches === 0
    ? {}
    : {
        web_search: true,
        web_search_call_count: webSearches,
        web_search_price: Number(tools?.webSearch ?? 0),
      }),
  ...(fileSearches === 0
    ? {}
    : {
        file_search: true,
        file_search_call_count: fileSearches,
        file_search_price: Number(tools?.fileSearch ?? 0),
      }),
});

const batchOf = ({ batch }: Quote): LogOther =>
  batch === undefined ? {} : { batch_ratio: Number(batch.ratio) };

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
  ...soundOf(details.usage, details.quote),
  ...(details.ws === true ? { ws: true } : {}),
  ...picturesOf(details.usage, details.quote),
  ...videosOf(details.usage, details.quote),
  ...searchesOf(details.usage, details.quote),
  ...batchOf(details.quote),
  ...(details.reasoningEffort === undefined ? {} : { reasoning_effort: details.reasoningEffort }),
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

const operator = (actorId: string | undefined, forAdmin: boolean): LogOther =>
  forAdmin && actorId !== undefined ? { operator_id: actorId } : {};

const moved = ({ delta, actorId }: MovementDetails, forAdmin: boolean): LogOther => ({
  amount: delta,
  ...operator(actorId, forAdmin),
});

/** The member `other` of an entry, as JSON text; who is no admin sees no channels. */
export const otherOf = (details: LogDetails, forAdmin: boolean): string => {
  switch (details.kind) {
    case 'consume':
      return JSON.stringify(consume(details, forAdmin));
    case 'failure':
      return JSON.stringify(failure(details, forAdmin));
    case 'movement':
      return JSON.stringify(moved(details, forAdmin));
    case 'manage':
      return forAdmin ? JSON.stringify(operator(details.actorId, forAdmin)) : '';
  }
};
