import { decimalTextOf } from '../shared/decimal.ts';
import { defaultPreConsumedTokens, defaultQuotaPerUnit } from './defaults/fallbacks.ts';
import { defaultGroupRatios, defaultUsableGroups } from './defaults/groups.ts';
import {
  defaultAudioCompletionRatios,
  defaultAudioRatios,
  defaultImageRatios,
} from './defaults/media-ratios.ts';
import { defaultModelPrices } from './defaults/model-prices.ts';
import { defaultModelRatios } from './defaults/model-ratios.ts';
import { defaultCacheRatios, defaultCompletionRatios } from './defaults/token-ratios.ts';
import { defaultToolPrices } from './defaults/tool-prices.ts';
import type { DecimalText, Quote } from './types.ts';

type Prices = ReadonlyMap<string, DecimalText>;

/** All that a price needs, read out of the options once for each change of one. */
export type PriceTable = Readonly<{
  /** USD per call; beats a ratio. */
  modelPrice: Prices;
  modelRatio: Prices;
  completionRatio: Prices;
  cacheRatio: Prices;
  /** What sound and pictures cost, in prompt tokens of the same model. */
  audioRatio: Prices;
  audioCompletionRatio: Prices;
  imageRatio: Prices;
  /** USD per 1,000 calls of a provider's own tools, by tool and size of context. */
  toolPrice: Prices;
  /** Also the list of existing groups. */
  groupRatio: Prices;
  /** Groups that anybody may pick: name to description. */
  usableGroups: ReadonlyMap<string, string>;
  /** Units per USD. */
  quotaPerUnit: number;
  /** Output tokens reserved for a call that names no limit. */
  preConsumedTokens: number;
  /** Calls of unpriced models are accepted from everybody. */
  selfUseMode: boolean;
  /** Quotes made before: group, then model. */
  quotes: Map<string, Map<string, Quote>>;
}>;

const entriesOf = (key: string, text: string): readonly (readonly [string, unknown])[] => {
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new RangeError(`option ${key} is no JSON object`);
  }
  return Object.entries(parsed);
};

type Options = ReadonlyMap<string, string>;

const priceMap = (
  options: Options,
  key: string,
  defaults: Readonly<Record<string, number>>,
): Prices => {
  const text = options.get(key);
  const entries = text === undefined ? Object.entries(defaults) : entriesOf(key, text);
  return new Map(
    entries.map(([name, value]) => {
      if (typeof value !== 'number') throw new RangeError(`option ${key}: ${name} is no number`);
      return [name, decimalTextOf(value)];
    }),
  );
};

const numberOption = (options: Options, key: string, fallback: number): number => {
  const text = options.get(key);
  if (text === undefined) return fallback;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) {
    throw new RangeError(`option ${key} is no number`);
  }
  return value;
};

const usableGroups = (options: Options): ReadonlyMap<string, string> => {
  const text = options.get('UserUsableGroups');
  const entries =
    text === undefined ? Object.entries(defaultUsableGroups) : entriesOf('UserUsableGroups', text);
  return new Map(entries.map(([name, label]) => [name, String(label)]));
};

/**
 * The price table of these options; an absent option has its default.
 * @throws RangeError, SyntaxError when a text is not what `validateOption` lets through
 */
export const compilePrices = (options: Options): PriceTable => ({
  modelPrice: priceMap(options, 'ModelPrice', defaultModelPrices),
  modelRatio: priceMap(options, 'ModelRatio', defaultModelRatios),
  completionRatio: priceMap(options, 'CompletionRatio', defaultCompletionRatios),
  cacheRatio: priceMap(options, 'CacheRatio', defaultCacheRatios),
  audioRatio: priceMap(options, 'AudioRatio', defaultAudioRatios),
  audioCompletionRatio: priceMap(options, 'AudioCompletionRatio', defaultAudioCompletionRatios),
  imageRatio: priceMap(options, 'ImageRatio', defaultImageRatios),
  toolPrice: priceMap(options, 'ToolPrice', defaultToolPrices),
  groupRatio: priceMap(options, 'GroupRatio', defaultGroupRatios),
  usableGroups: usableGroups(options),
  quotaPerUnit: numberOption(options, 'QuotaPerUnit', defaultQuotaPerUnit),
  preConsumedTokens: numberOption(options, 'PreConsumedQuota', defaultPreConsumedTokens),
  selfUseMode: options.get('SelfUseModeEnabled') === 'true',
  quotes: new Map(),
});
