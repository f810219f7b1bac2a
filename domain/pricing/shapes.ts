import {
  byKind,
  decimal,
  flag,
  number,
  object,
  optional,
  type Shape,
  text,
  whole,
} from '../shared/shape.ts';
import type {
  BatchTerms,
  PictureTerms,
  PriceQuote,
  Quote,
  RatioQuote,
  ToolPrices,
  Usage,
  VideoTerms,
} from './types.ts';

export const usage = object<Usage>({
  promptTokens: whole,
  completionTokens: whole,
  cachedTokens: whole,
  cacheCreationTokens: whole,
  cacheApart: optional(flag),
  audioInputTokens: optional(whole),
  cachedAudioTokens: optional(whole),
  audioOutputTokens: optional(whole),
  imageInputTokens: optional(whole),
  pictures: optional(whole),
  videoSeconds: optional(whole),
  webSearches: optional(whole),
  fileSearches: optional(whole),
  batchRequests: optional(whole),
});

const extras = {
  picture: optional(
    object<PictureTerms>({
      size: text,
      quality: text,
      sizeRatio: decimal,
      qualityRatio: decimal,
      quotaPerUnit: number,
    }),
  ),
  tools: optional(
    object<ToolPrices>({ webSearch: decimal, fileSearch: decimal, quotaPerUnit: number }),
  ),
  batch: optional(object<BatchTerms>({ ratio: decimal })),
};

export const quote: Shape<Quote> = byKind<Quote>({
  ratio: object<RatioQuote>({
    kind: text,
    model: text,
    modelRatio: decimal,
    completionRatio: decimal,
    cacheRatio: decimal,
    cacheCreationRatio: decimal,
    groupRatio: decimal,
    audioRatio: optional(decimal),
    audioCompletionRatio: optional(decimal),
    imageRatio: optional(decimal),
    ...extras,
  }),
  price: object<PriceQuote>({
    kind: text,
    model: text,
    modelPrice: decimal,
    groupRatio: decimal,
    quotaPerUnit: number,
    flat: optional(flag),
    video: optional(object<VideoTerms>({ size: text })),
    ...extras,
  }),
});
