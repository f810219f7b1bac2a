/** Exact decimal as text, e.g. "0.075". Never a float in an event. */
export type DecimalText = string;

/**
 * What one call used, all in tokens and validated: whole, never negative, within the bound of the
 * request. `promptTokens` includes `cachedTokens` and `cacheCreationTokens` unless `cacheApart`.
 */
export type Usage = Readonly<{
  promptTokens: number;
  completionTokens: number;
  /** Read from the provider's prompt cache. */
  cachedTokens: number;
  /** Written to the provider's prompt cache. */
  cacheCreationTokens: number;
  /** Anthropic's way: cache counts stand beside `promptTokens`, not inside. */
  cacheApart?: true;
  /** Audio input; inside `promptTokens`. This and what follows count 0 when absent. */
  audioInputTokens?: number;
  /** Inside both `audioInputTokens` and `cachedTokens`. */
  cachedAudioTokens?: number;
  /** Sound that was made; inside `completionTokens`. */
  audioOutputTokens?: number;
  /** Picture input; inside `promptTokens`. */
  imageInputTokens?: number;
  /** Pictures that were asked for; paid by the piece where no tokens are reported. */
  pictures?: number;
  /** Seconds of video that were asked for; paid by the second. */
  videoSeconds?: number;
  /** Calls of tools that the provider runs itself. */
  webSearches?: number;
  fileSearches?: number;
  /** Of a batch: its requests, which a price for the call is paid for. Tokens are those of all of them. */
  batchRequests?: number;
}>;

/** What tools of the provider's own cost when the quote was made; USD per 1,000 calls. */
export type ToolPrices = Readonly<{
  webSearch: DecimalText;
  fileSearch: DecimalText;
  /** Units per USD. */
  quotaPerUnit: number;
}>;
/** What the pictures of one call are multiplied by. */
export type PictureTerms = Readonly<{
  /** As asked for, e.g. "1024x1024"; "" where none was given. */
  size: string;
  quality: string;
  sizeRatio: DecimalText;
  qualityRatio: DecimalText;
  /** Units per USD. */
  quotaPerUnit: number;
}>;
/** A video is paid by its seconds; `modelPrice` is USD per second at this size. */
export type VideoTerms = Readonly<{
  /** As it is made, e.g. "1280x720". */
  size: string;
}>;
/** Work that is done within a day, at a discount. */
export type BatchTerms = Readonly<{
  /** What the price of a single call is multiplied by. */
  ratio: DecimalText;
}>;
type Extras = Readonly<{ picture?: PictureTerms; tools?: ToolPrices; batch?: BatchTerms }>;

/** The price that was in force when the request began, frozen. Ratio 1 is 2 USD per 1M tokens. */
export type RatioQuote = Readonly<{
  kind: 'ratio';
  /** The model name that the client asked for; prices go by it. */
  model: string;
  modelRatio: DecimalText;
  completionRatio: DecimalText;
  cacheRatio: DecimalText;
  cacheCreationRatio: DecimalText;
  groupRatio: DecimalText;
  /** What a token of sound costs, in prompt tokens; sound costs as much as text when absent. */
  audioRatio?: DecimalText;
  /** On top of `audioRatio`, for sound that was made. */
  audioCompletionRatio?: DecimalText;
  /** What a token of a picture costs, in prompt tokens; as much as text when absent. */
  imageRatio?: DecimalText;
}> &
  Extras;
export type PriceQuote = Readonly<{
  kind: 'price';
  model: string;
  /** USD per call, or per second of a video. */
  modelPrice: DecimalText;
  groupRatio: DecimalText;
  /** Units per USD when the quote was made. */
  quotaPerUnit: number;
  /** Paid for the call as such: tasks are priced by what is asked for and report no tokens. */
  flat?: true;
  /** Set for a video, whose price is for one second instead of for the call. */
  video?: VideoTerms;
}> &
  Extras;
export type Quote = RatioQuote | PriceQuote;
