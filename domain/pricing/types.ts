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
}>;

/** The price that was in force when the request began, frozen. Ratio 1 is 2 USD per 1M tokens. */
export type RatioQuote = Readonly<{
  kind: 'ratio';
  /** The model name that the client asked for; prices go by it (relay sheet, section 13). */
  model: string;
  modelRatio: DecimalText;
  completionRatio: DecimalText;
  cacheRatio: DecimalText;
  cacheCreationRatio: DecimalText;
  groupRatio: DecimalText;
}>;
export type PriceQuote = Readonly<{
  kind: 'price';
  model: string;
  /** USD per call. */
  modelPrice: DecimalText;
  groupRatio: DecimalText;
  /** Units per USD when the quote was made. */
  quotaPerUnit: number;
}>;
export type Quote = RatioQuote | PriceQuote;
