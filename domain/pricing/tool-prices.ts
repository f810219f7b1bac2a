import { decimalTextOf } from '../shared/decimal.ts';
import { defaultToolPrices, type ToolPriceName } from './defaults/tool-prices.ts';
import type { DecimalText, ToolPrices } from './types.ts';

/** How much of its findings a search passes to the model; `medium` by default. */
export type SearchContext = 'low' | 'medium' | 'high';

type Table = Readonly<{ toolPrice: ReadonlyMap<string, DecimalText>; quotaPerUnit: number }>;

const isPremium = (model: string): boolean =>
  (model.startsWith('gpt-4o') || model.startsWith('gpt-4.1')) && !model.includes('mini');

const searchName = (model: string, context: SearchContext): ToolPriceName => {
  if (model.startsWith('claude')) return 'web_search_claude';
  return isPremium(model) ? `web_search_premium_${context}` : `web_search_${context}`;
};

/** What the tools of a provider cost with this model; a missing entry has its default. */
export const toolPricesOf = (
  { toolPrice, quotaPerUnit }: Table,
  model: string,
  context: SearchContext,
): ToolPrices => {
  const priceOf = (name: ToolPriceName): DecimalText =>
    toolPrice.get(name) ?? decimalTextOf(defaultToolPrices[name]);
  return {
    webSearch: priceOf(searchName(model, context)),
    fileSearch: priceOf('file_search'),
    quotaPerUnit,
  };
};

/** Models whose every chat is one search. */
export const searchesAlways = (model: string): boolean => model.includes('-search-preview');
