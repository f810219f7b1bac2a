import {
  byKind,
  decimal,
  type Infer,
  number,
  object,
  optional,
  optionalTrue,
  text,
  textOf,
  whole,
} from '../shared/shape.ts';

/** Exact decimal as text, e.g. "0.075". Never a float in an event. */
export type DecimalText = string;

/**
 * What one call used, all in tokens and validated: whole, never negative, within the bound of the
 * request. `promptTokens` includes `cachedTokens` and `cacheCreationTokens` unless `cacheApart`.
 */
export const usage = object({
  promptTokens: whole,
  completionTokens: whole,
  /** Read from the provider's prompt cache. */
  cachedTokens: whole,
  /** Written to the provider's prompt cache. */
  cacheCreationTokens: whole,
  /** Anthropic's way: cache counts are in addition to `promptTokens`, not inside. */
  cacheApart: optionalTrue,
  /** Audio input; inside `promptTokens`. This and what follows count 0 when absent. */
  audioInputTokens: optional(whole),
  /** Inside both `audioInputTokens` and `cachedTokens`. */
  cachedAudioTokens: optional(whole),
  /** Generated audio; inside `completionTokens`. */
  audioOutputTokens: optional(whole),
  /** Picture input; inside `promptTokens`. */
  imageInputTokens: optional(whole),
  /** Number of pictures in the request; paid by the piece where no tokens are reported. */
  pictures: optional(whole),
  /** Seconds of video in the request; paid by the second. */
  videoSeconds: optional(whole),
  /** Calls of tools that the provider runs itself. */
  webSearches: optional(whole),
  fileSearches: optional(whole),
  /** Of a batch: its requests, which a price for the call is paid for. Tokens are those of all of them. */
  batchRequests: optional(whole),
});
export type Usage = Infer<typeof usage>;

/** What the pictures of one call are multiplied by. */
const pictureTerms = object({
  /** As in the request, e.g. "1024x1024"; "" where it has none. */
  size: text,
  quality: text,
  sizeRatio: decimal,
  qualityRatio: decimal,
  /** Units per USD. */
  quotaPerUnit: number,
});
export type PictureTerms = Infer<typeof pictureTerms>;
/** What tools of the provider's own cost when the quote was made; USD per 1,000 calls. */
const toolPrices = object({
  webSearch: decimal,
  fileSearch: decimal,
  /** Units per USD. */
  quotaPerUnit: number,
});
export type ToolPrices = Infer<typeof toolPrices>;

const extras = {
  picture: optional(pictureTerms),
  tools: optional(toolPrices),
  /** Work that is done within a day, at a discount: what the price of a single call is multiplied by. */
  batch: optional(object({ ratio: decimal })),
};

/** The price that was in force when the request began, frozen. Ratio 1 is 2 USD per 1M tokens. */
const ratioQuote = object({
  kind: textOf<'ratio'>(),
  /** The model name in the client's request; prices go by it. */
  model: text,
  modelRatio: decimal,
  completionRatio: decimal,
  cacheRatio: decimal,
  cacheCreationRatio: decimal,
  groupRatio: decimal,
  /** What a token of sound costs, in prompt tokens; sound costs as much as text when absent. */
  audioRatio: optional(decimal),
  /** On top of `audioRatio`, for generated sound. */
  audioCompletionRatio: optional(decimal),
  /** What a token of a picture costs, in prompt tokens; as much as text when absent. */
  imageRatio: optional(decimal),
  ...extras,
});
const priceQuote = object({
  kind: textOf<'price'>(),
  model: text,
  /** USD per call, or per second of a video. */
  modelPrice: decimal,
  groupRatio: decimal,
  /** Units per USD when the quote was made. */
  quotaPerUnit: number,
  /** Paid for the call as such: tasks are priced by their request and report no tokens. */
  flat: optionalTrue,
  /**
   * Set for a video, whose price is for one second of this size (as it is made, e.g. "1280x720") instead of
   * for the call.
   */
  video: optional(object({ size: text })),
  ...extras,
});
export const quote = byKind({ ratio: ratioQuote, price: priceQuote });
export type RatioQuote = Infer<typeof ratioQuote>;
export type PriceQuote = Infer<typeof priceQuote>;
export type Quote = Infer<typeof quote>;
