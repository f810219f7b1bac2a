/**
 * USD per 1,000 calls. `web_search_*` goes by the size of the context,
 * with `_premium` for gpt-4o and gpt-4.1 but their small ones.
 */
export const defaultToolPrices = {
  web_search_low: 25,
  web_search_medium: 27.5,
  web_search_high: 30,
  web_search_premium_low: 30,
  web_search_premium_medium: 35,
  web_search_premium_high: 50,
  web_search_claude: 10,
  file_search: 2.5,
} as const satisfies Readonly<Record<string, number>>;

export type ToolPriceName = keyof typeof defaultToolPrices;
