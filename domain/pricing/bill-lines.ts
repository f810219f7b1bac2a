import {
  add,
  type Decimal,
  formatDecimal,
  multiply,
  parseDecimal,
  wholeDecimal,
} from '../shared/decimal.ts';
import { picturesAlone, plainPromptTokens } from './counts.ts';
import { pictureUsd } from './defaults/fallbacks.ts';
import type { DecimalText, PriceQuote, Quote, RatioQuote, Usage } from './types.ts';

type PriceFactorKey =
  | 'model-ratio'
  | 'completion-ratio'
  | 'cache-ratio'
  | 'cache-creation-ratio'
  | 'audio-ratio'
  | 'audio-completion-ratio'
  | 'image-ratio'
  | 'group-ratio'
  | 'batch-ratio'
  | 'model-price'
  | 'second-price'
  | 'picture-price'
  | 'size-ratio'
  | 'quality-ratio'
  | 'tool-price'
  | 'per-call'
  | 'quota-per-unit';
export type PriceFactor = Readonly<{ key: PriceFactorKey; value: DecimalText }>;

export type BillLineKey =
  | 'prompt'
  | 'cache-read'
  | 'cache-creation'
  | 'completion'
  | 'audio-input'
  | 'audio-cache-read'
  | 'audio-output'
  | 'image-input'
  | 'pictures'
  | 'video-seconds'
  | 'batch-requests'
  | 'web-search'
  | 'file-search'
  | 'call';

/** `count × factors`; the sum of all lines, rounded once, is the charge. */
export type BillLine = Readonly<{
  key: BillLineKey;
  /** Tokens, pictures, seconds, requests of a batch or calls of a tool; null: the call itself. */
  count: number | null;
  factors: readonly PriceFactor[];
}>;

const isUsed = ({ count }: BillLine): boolean => count !== 0;

const perUsd = (quotaPerUnit: number): PriceFactor => ({
  key: 'quota-per-unit',
  value: formatDecimal(parseDecimal(String(quotaPerUnit))),
});

const toolLines = (usage: Usage, { tools, groupRatio }: Quote): readonly BillLine[] => {
  if (tools === undefined) return [];
  const line = (key: BillLineKey, count: number, price: DecimalText): BillLine => ({
    key,
    count,
    factors: [
      { key: 'tool-price', value: price },
      { key: 'per-call', value: '0.001' },
      perUsd(tools.quotaPerUnit),
      { key: 'group-ratio', value: groupRatio },
    ],
  });
  return [
    line('web-search', usage.webSearches ?? 0, tools.webSearch),
    line('file-search', usage.fileSearches ?? 0, tools.fileSearch),
  ];
};

/** Sound is priced apart where the quote has a ratio for it; otherwise it is text. */
const audioLines = (usage: Usage, quote: RatioQuote): readonly BillLine[] => {
  const { audioRatio } = quote;
  if (audioRatio === undefined) return [];
  const { audioInputTokens = 0, cachedAudioTokens = 0, audioOutputTokens = 0 } = usage;
  const audio: PriceFactor = { key: 'audio-ratio', value: audioRatio };
  const model: PriceFactor = { key: 'model-ratio', value: quote.modelRatio };
  const group: PriceFactor = { key: 'group-ratio', value: quote.groupRatio };
  const made: PriceFactor = {
    key: 'audio-completion-ratio',
    value: quote.audioCompletionRatio ?? '1',
  };
  const cache: PriceFactor = { key: 'cache-ratio', value: quote.cacheRatio };
  return [
    {
      key: 'audio-input',
      count: audioInputTokens - cachedAudioTokens,
      factors: [audio, model, group],
    },
    { key: 'audio-cache-read', count: cachedAudioTokens, factors: [audio, cache, model, group] },
    { key: 'audio-output', count: audioOutputTokens, factors: [audio, made, model, group] },
  ];
};

const tokenLines = (usage: Usage, quote: RatioQuote): readonly BillLine[] => {
  const hasAudio = quote.audioRatio !== undefined;
  const cachedAudio = hasAudio ? (usage.cachedAudioTokens ?? 0) : 0;
  const audioInput = hasAudio ? (usage.audioInputTokens ?? 0) - cachedAudio : 0;
  const made = hasAudio ? (usage.audioOutputTokens ?? 0) : 0;
  const seen = quote.imageRatio === undefined ? 0 : (usage.imageInputTokens ?? 0);
  const model: PriceFactor = { key: 'model-ratio', value: quote.modelRatio };
  const group: PriceFactor = { key: 'group-ratio', value: quote.groupRatio };
  const line = (key: BillLineKey, count: number, factor: PriceFactor): BillLine => ({
    key,
    count,
    factors: [factor, model, group],
  });
  return [
    {
      key: 'prompt',
      count: plainPromptTokens(usage) - audioInput - seen,
      factors: [model, group],
    },
    line('cache-read', usage.cachedTokens - cachedAudio, {
      key: 'cache-ratio',
      value: quote.cacheRatio,
    }),
    line('cache-creation', usage.cacheCreationTokens, {
      key: 'cache-creation-ratio',
      value: quote.cacheCreationRatio,
    }),
    line('image-input', seen, { key: 'image-ratio', value: quote.imageRatio ?? '1' }),
    line('completion', usage.completionTokens - made, {
      key: 'completion-ratio',
      value: quote.completionRatio,
    }),
    ...audioLines(usage, quote),
  ];
};

const pictureLine = (usage: Usage, quote: Quote, price: readonly PriceFactor[]): BillLine => {
  const { picture, groupRatio } = quote;
  const ratios: readonly PriceFactor[] =
    picture === undefined
      ? []
      : [
          { key: 'size-ratio', value: picture.sizeRatio },
          { key: 'quality-ratio', value: picture.qualityRatio },
          perUsd(picture.quotaPerUnit),
        ];
  const factors = [...price, ...ratios, { key: 'group-ratio' as const, value: groupRatio }];
  return { key: 'pictures', count: usage.pictures ?? 0, factors };
};

const ratioLines = (usage: Usage, quote: RatioQuote): readonly BillLine[] => {
  if (!picturesAlone(usage) || quote.picture === undefined) return tokenLines(usage, quote);
  return [
    pictureLine(usage, quote, [
      { key: 'picture-price', value: pictureUsd },
      { key: 'model-ratio', value: quote.modelRatio },
    ]),
  ];
};

/** Seconds × price of a second × units per USD × group ratio (infra/reference/money-rules.md). */
const videoLine = (usage: Usage, quote: PriceQuote): BillLine => ({
  key: 'video-seconds',
  count: usage.videoSeconds ?? 0,
  factors: [
    { key: 'second-price', value: quote.modelPrice },
    perUsd(quote.quotaPerUnit),
    { key: 'group-ratio', value: quote.groupRatio },
  ],
});

const callLine = (usage: Usage, quote: PriceQuote): BillLine => {
  if (quote.video !== undefined) return videoLine(usage, quote);
  const price: PriceFactor = { key: 'model-price', value: quote.modelPrice };
  if (quote.picture !== undefined) return pictureLine(usage, quote, [price]);
  const group: PriceFactor = { key: 'group-ratio', value: quote.groupRatio };
  const factors = [price, perUsd(quote.quotaPerUnit), group];
  if (quote.batch === undefined) return { key: 'call', count: null, factors };
  return { key: 'batch-requests', count: usage.batchRequests ?? 0, factors };
};

/** What is paid for, one line for each kind; lines of nothing are left out. */
export const billLines = (usage: Usage, quote: Quote): readonly BillLine[] => {
  const own = quote.kind === 'price' ? [callLine(usage, quote)] : ratioLines(usage, quote);
  const lines = [...own, ...toolLines(usage, quote)].filter(isUsed);
  const { batch } = quote;
  if (batch === undefined) return lines;
  const discount: PriceFactor = { key: 'batch-ratio', value: batch.ratio };
  return lines.map((line) => ({ ...line, factors: [...line.factors, discount] }));
};

const zero: Decimal = { digits: 0n, scale: 0 };

/** Quota units of one line, exact. */
export const unitsOf = ({ count, factors }: BillLine): Decimal =>
  factors.reduce(
    (product, { value }) => multiply(product, parseDecimal(value)),
    wholeDecimal(count ?? 1),
  );

export const sumOf = (lines: readonly BillLine[]): Decimal =>
  lines.reduce((sum, line) => add(sum, unitsOf(line)), zero);
