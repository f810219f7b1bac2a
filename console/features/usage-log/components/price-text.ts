import type { TFunction } from 'i18next';
import type { LogOther, LogRow } from '../api/logs.ts';

type Translate = TFunction<'usage-log'>;

const perMillion = 1_000_000;
/** A model ratio of 1 is this many USD for a million input tokens. */
const usdPerRatio = 2;

/** As many decimals as needed, at most six. */
const plain = (value: number): string => String(Number(value.toFixed(6)));

/** A price in USD, in its shortest form. */
const usd = (value: number): string => `$${plain(value)}`;

const isFixed = (other: LogOther) => other.model_price !== undefined && other.model_price !== -1;

/** One line for the details column. */
export const shortPrice = (other: LogOther, t: Translate): string => {
  const group = plain(other.group_ratio ?? 1);
  if (isFixed(other)) return t('short-fixed', { price: usd(other.model_price ?? 0), group });
  if (other.model_ratio === undefined) return '';
  const base = t('short-ratio', { model: plain(other.model_ratio), group });
  if (!other.cache_tokens) return base;
  return base + t('short-cache', { cache: plain(other.cache_ratio ?? 1) });
};

/** The factors of the price. */
export const longPrice = (other: LogOther, t: Translate): string => {
  const group = plain(other.group_ratio ?? 1);
  if (isFixed(other)) return t('long-fixed', { price: usd(other.model_price ?? 0), group });
  const text = t('long-ratio', {
    model: plain(other.model_ratio ?? 0),
    completion: plain(other.completion_ratio ?? 1),
    group,
  });
  if (!other.claude) return text;
  return (
    text +
    t('long-claude', {
      cache: plain(other.cache_ratio ?? 1),
      creation: plain(other.cache_creation_ratio ?? 1),
    })
  );
};

const dollars = (value: number) => `$${value.toFixed(6)}`;

/** Sound and pictures in the prompt and in the answer, each at its own price. */
const mediaLines = (other: LogOther, input: number, t: Translate) => {
  const audioTokens = other.audio_input ?? 0;
  const audioOutputTokens = other.audio_output ?? 0;
  const imageTokens = other.image_output ?? 0;
  const audioFactor = input * (other.audio_ratio ?? 1);
  const priced = [
    ['line-audio-input', audioFactor, audioTokens],
    ['line-audio-output', audioFactor * (other.audio_completion_ratio ?? 1), audioOutputTokens],
    ['line-image', input * (other.image_ratio ?? 1), imageTokens],
  ] as const;
  return {
    lines: priced
      .filter(([, , tokens]) => tokens > 0)
      .map(([key, price, tokens]) => t(key, { price: usd(price), tokens, count: tokens })),
    input: audioTokens + imageTokens,
    output: audioOutputTokens,
    cost: priced.reduce((sum, [, price, tokens]) => sum + price * tokens, 0) / perMillion,
  };
};

/** Calls of the provider's own tools. */
const toolLines = (other: LogOther, t: Translate) => {
  const called = [
    ['line-web-search', other.web_search_price ?? 0, other.web_search_call_count ?? 0],
    ['line-file-search', other.file_search_price ?? 0, other.file_search_call_count ?? 0],
  ] as const;
  return {
    lines: called
      .filter(([, , calls]) => calls > 0)
      .map(([key, price, calls]) => t(key, { price: usd(price), calls, count: calls })),
    cost: called.reduce((sum, [, price, calls]) => sum + price * calls, 0) / 1_000,
  };
};

/** Tokens read from the provider's cache, and tokens written to it. */
const cacheLines = (other: LogOther, input: number, t: Translate) => {
  const counted = [
    ['line-cache', other.cache_tokens ?? 0, other.cache_ratio ?? 1],
    ['line-creation', other.cache_creation_tokens ?? 0, other.cache_creation_ratio ?? 1],
  ] as const;
  return {
    lines: counted
      .filter(([, tokens]) => tokens > 0)
      .map(([key, tokens, ratio]) => t(key, { price: usd(input * ratio), tokens, count: tokens })),
    tokens: counted.reduce((sum, [, tokens]) => sum + tokens, 0),
    weighted: counted.reduce((sum, [, tokens, ratio]) => sum + tokens * ratio, 0),
  };
};

/** The prices behind a charge in USD, for reading; what was charged is counted in units. */
export const priceLines = (row: LogRow, other: LogOther, t: Translate): readonly string[] => {
  const group = other.group_ratio ?? 1;
  // Pictures, videos and batches have multipliers of their own; the steps above show them.
  if (other.image_count || other.video_seconds || other.batch_ratio !== undefined) return [];
  if (isFixed(other)) {
    const price = other.model_price ?? 0;
    return [
      t('line-fixed', { price: usd(price), group: plain(group), total: dollars(price * group) }),
    ];
  }
  const input = (other.model_ratio ?? 0) * usdPerRatio;
  const output = input * (other.completion_ratio ?? 1);
  const cache = cacheLines(other, input, t);
  const media = mediaLines(other, input, t);
  const tools = toolLines(other, t);
  const prompt = other.claude ? row.prompt_tokens : row.prompt_tokens - cache.tokens;
  const weighted = prompt - media.input + cache.weighted;
  const written = (row.completion_tokens - media.output) * output;
  const total = ((weighted * input + written) / perMillion + media.cost + tools.cost) * group;
  return [
    t('line-input', { price: usd(input) }),
    t('line-output', { price: usd(output) }),
    ...cache.lines,
    ...media.lines,
    ...tools.lines,
    t('line-sum', {
      input: row.prompt_tokens,
      output: row.completion_tokens,
      group: plain(group),
      total: dollars(total),
    }),
  ];
};
