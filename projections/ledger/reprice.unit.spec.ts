import { describe, expect, test } from 'vitest';
import { price } from '../../domain/pricing/price.ts';
import type { Quote, Usage } from '../../domain/pricing/types.ts';
import { aPriceQuote, aRatioQuote, aUsage } from '../../tests/support/pricing-examples.ts';
import { repriceBody } from '../contract/reprice.ts';
import { repriceAll } from './reprice.ts';
import type { LedgerRow } from './table.ts';

const aRow = (usage: Usage, quote: Quote): LedgerRow =>
  ({
    event_id: 'e1',
    request_id: 'r1',
    at: 0,
    model_name: quote.model,
    delta: -price(usage, quote),
    price: JSON.stringify({ usage, quote }),
  }) as LedgerRow;

const under = (row: LedgerRow, overrides: object) =>
  repriceAll([row], repriceBody.parse({ user_id: 1, event_ids: ['e1'], overrides }), 500_000);

const tools = { webSearch: '35', fileSearch: '2.5', quotaPerUnit: 500_000 };
const picture = { size: '', quality: '', sizeRatio: '2', qualityRatio: '1', quotaPerUnit: 500_000 };
const heard = aUsage({ audioInputTokens: 400, audioOutputTokens: 100, webSearches: 1 });
const audio = aRatioQuote({ audioRatio: '40', audioCompletionRatio: '2', imageRatio: '2', tools });
const drawn = aUsage({ promptTokens: 0, completionTokens: 0, pictures: 3 });

describe('charges under other prices', () => {
  test.each([
    ['sound and searches', aRow(heard, audio)],
    ['pictures by the piece', aRow(drawn, aPriceQuote({ picture }))],
    ['pictures by ratio', aRow(drawn, aRatioQuote({ picture }))],
  ])('come to the same for %s where nothing is changed', (_name, row) => {
    expect(under(row, {}).difference).toBe(0);
  });

  test('keep what was agreed of sound, pictures and tools', () => {
    const half = under(aRow(heard, audio), { group_ratio: 0.5 });
    expect(half.new_amount).toBe(Math.round(half.old_amount / 2));
    const dearer = under(aRow(drawn, aRatioQuote({ picture })), { model_price: 0.04 });
    expect(dearer.new_amount).toBe(0.04 * 2 * 3 * 500_000);
  });

  test('are refused for usage whose parts are more than the whole', () => {
    for (const usage of [{ prompt_tokens: 399 }, { completion_tokens: 99 }]) {
      expect(() => under(aRow(heard, audio), { usage })).toThrow();
    }
  });
});
