import type { Quote, Usage } from './types.ts';

/** Every token that the provider reports, counted once. */
export const totalTokens = (usage: Usage): number =>
  usage.promptTokens +
  usage.completionTokens +
  (usage.cacheApart ? usage.cachedTokens + usage.cacheCreationTokens : 0);

/**
 * Prompt tokens at the full price: the cache counts are part of the prompt, or separate from it.
 */
export const plainPromptTokens = (usage: Usage): number =>
  usage.cacheApart
    ? usage.promptTokens
    : usage.promptTokens - usage.cachedTokens - usage.cacheCreationTokens;

const pieces = ({
  pictures = 0,
  videoSeconds = 0,
  webSearches = 0,
  fileSearches = 0,
  batchRequests = 0,
}: Usage): number => pictures + videoSeconds + webSearches + fileSearches + batchRequests;

/** Something was used: tokens, pictures, video, tools or a batch. A call that used nothing is free and no request. */
export const usedAnything = (usage: Usage): boolean => totalTokens(usage) > 0 || pieces(usage) > 0;

/** Pictures without reported tokens. */
export const picturesAlone = (usage: Usage): boolean =>
  (usage.pictures ?? 0) > 0 && totalTokens(usage) <= 0;

/** Nothing was used, and the price depends on use. */
export const isFree = (usage: Usage, quote: Quote): boolean =>
  !usedAnything(usage) && !(quote.kind === 'price' && quote.flat === true);

/** More than a text: sound, pictures, video, tools or a batch. Such calls are priced line by line. */
export const hasExtras = (usage: Usage): boolean =>
  usage.audioInputTokens !== undefined ||
  usage.audioOutputTokens !== undefined ||
  usage.imageInputTokens !== undefined ||
  usage.pictures !== undefined ||
  usage.videoSeconds !== undefined ||
  usage.webSearches !== undefined ||
  usage.fileSearches !== undefined ||
  usage.batchRequests !== undefined;
