import { describe, expect, test } from 'vitest';
import { aRatioQuote } from '../../tests/support/pricing-examples.ts';
import { audioTermsOf } from './audio-ratio.ts';
import { compilePrices } from './compile-prices.ts';
import { completionRatioOf } from './completion-ratio.ts';
import { mayUseGroup, usableGroupsOf } from './groups.ts';
import { pictureTerms } from './picture-terms.ts';
import { isPriced, listedPrice, quoteFor, withExtras } from './quote.ts';
import { searchesAlways, toolPricesOf } from './tool-prices.ts';

const withOptions = (options: Readonly<Record<string, string>>) =>
  compilePrices(new Map(Object.entries(options)));
const defaults = withOptions({});

describe('each option fills its own map', () => {
  const all = withOptions({
    ModelPrice: '{"m":1}',
    ModelRatio: '{"m":2}',
    CompletionRatio: '{"m":3}',
    CacheRatio: '{"m":4}',
    AudioRatio: '{"m":5}',
    AudioCompletionRatio: '{"m":6}',
    ImageRatio: '{"m":7}',
    ToolPrice: '{"file_search":8}',
    GroupRatio: '{"m":9}',
    UserUsableGroups: '{"m":"ten"}',
    QuotaPerUnit: '11',
    PreConsumedQuota: '0',
  });
  test.each([
    ['modelPrice', '1'],
    ['modelRatio', '2'],
    ['completionRatio', '3'],
    ['cacheRatio', '4'],
    ['audioRatio', '5'],
    ['audioCompletionRatio', '6'],
    ['imageRatio', '7'],
    ['groupRatio', '9'],
    ['usableGroups', 'ten'],
  ] as const)('%s', (map, value) => {
    expect(all[map].get('m')).toBe(value);
    expect(all[map].size).toBe(1);
  });
  test('tool prices and numbers', () => {
    expect(all.toolPrice.get('file_search')).toBe('8');
    expect([all.quotaPerUnit, all.preConsumedTokens]).toEqual([11, 0]);
    expect([defaults.quotaPerUnit, defaults.preConsumedTokens]).toEqual([500_000, 500]);
  });
  test.each(['null', '[]', '5', '"text"', '{"m":"5"}', '{"m":true}', '{"m":null}'])(
    'a map that reads %s is refused',
    (text) => expect(() => withOptions({ ModelRatio: text })).toThrow(RangeError),
  );
  test.each(['', ' ', '-1', 'Infinity', 'many'])('a number that reads %j is refused', (text) =>
    expect(() => withOptions({ QuotaPerUnit: text })).toThrow(RangeError),
  );
});

describe('what sound costs', () => {
  const none = { audioRatio: new Map(), audioCompletionRatio: new Map() };
  test.each([
    ['gpt-4o-realtime-preview-2024-12-17', '8'],
    ['gpt-9-mini-realtime', '16.666666666666668'],
    ['gpt-4o-realtime-preview-2024-12-17-next', '20'],
    ['gpt-9-realtime', '20'],
    ['gpt-4o-audio-preview-2024-12-17', '16'],
    ['gpt-9-mini-audio', '66.66666666666667'],
    ['gpt-4o-audio-preview-2024-12-17-next', '40'],
    ['gpt-9-audio', '40'],
  ])('%s, by its family: %s', (name, audioRatio) =>
    expect(audioTermsOf(name, none)).toEqual({ audioRatio, audioCompletionRatio: '2' }),
  );
  test.each(['gpt-4o', 'home-made-audio', 'home-made-realtime'])('as much as text: %s', (name) =>
    expect(audioTermsOf(name, none)).toEqual({}),
  );
  test("by the operator's setting where there is one", () => {
    const own = {
      audioRatio: new Map([['gpt-9-audio', '7']]),
      audioCompletionRatio: new Map([['gpt-9-audio', '3']]),
    };
    expect(audioTermsOf('gpt-9-audio', own)).toEqual({
      audioRatio: '7',
      audioCompletionRatio: '3',
    });
  });
});

describe('what output costs', () => {
  const none = new Map<string, string>();
  test.each([
    ['gpt-3.5-turbo-0125', '3'],
    ['gpt-3.5-turbo-1106', '2'],
    ['home-made-0125', '1'],
    ['home-made-1106', '1'],
    ['command-r-08-2024', '4'],
    ['command-r-plus-08-2024', '4'],
    ['DeepSeek-Reasoner', '4'],
    ['llama3-8b-8192', '2'],
    ['org/home-made', '1'],
    ['org/claude-3-opus', '5'],
  ])('%s: %s', (name, ratio) => expect(completionRatioOf(name, none)).toBe(ratio));
  test('the operator decides for names with a slash, whatever the family', () =>
    expect(completionRatioOf('org/claude-3-opus', new Map([['org/claude-3-opus', '7']]))).toBe(
      '7',
    ));
  test.each([
    ['command-r-08-2024', '4'],
    ['command-r-plus-08-2024', '4'],
    ['deepseek-reasoner', '4'],
  ])('the family of %s wins over the map', (name, ratio) =>
    expect(completionRatioOf(name, new Map([[name, '9']]))).toBe(ratio),
  );
});

describe('groups', () => {
  test('that are open to all keep their description for their own members', () =>
    expect(usableGroupsOf(defaults, 'vip').get('vip')).toBe('vip分组'));
  test('of a user alone are open to that user', () => {
    expect(usableGroupsOf(defaults, 'staff').get('staff')).toBe('用户分组');
    expect(mayUseGroup(defaults, 'staff', 'staff')).toBe(true);
    expect(mayUseGroup(defaults, 'staff', 'vip')).toBe(true);
    expect(mayUseGroup(defaults, 'staff', 'other')).toBe(false);
  });
  test('of a user without one are the default group', () => {
    const closed = withOptions({ UserUsableGroups: '{"vip":"v"}' });
    expect([...usableGroupsOf(closed, '').keys()]).toEqual(['vip', 'default']);
  });
});

test('a high-quality picture that is not square costs half as much again', () =>
  expect(
    pictureTerms({ size: '1792x1024', quality: 'hd', upstreamModel: 'dall-e-3' }, 1),
  ).toMatchObject({ sizeRatio: '2', qualityRatio: '1.5' }));

describe('quotes', () => {
  const ask = { model: 'gpt-4o', group: 'default', acceptUnpriced: false };
  test('of assistants of one family share a price and are not kept', () => {
    const table = withOptions({ ModelPrice: '{}', ModelRatio: '{"gpt-4-gizmo-*":15}' });
    expect(quoteFor(table, { ...ask, model: 'gpt-4-gizmo-abc' })).toMatchObject({
      modelRatio: '15',
    });
    expect(table.quotes.get('default')?.has('gpt-4-gizmo-abc') ?? false).toBe(false);
  });
  test('of one group are kept separately', () => {
    const table = withOptions({});
    const first = quoteFor(table, ask);
    quoteFor(table, { ...ask, model: 'gpt-4o-mini' });
    expect(quoteFor(table, ask)).toBe(first);
  });
  test('name no ratio for pictures where there is none', () =>
    expect(quoteFor(withOptions({}), ask)).toStrictEqual(aRatioQuote()));
  test('stay the same object where nothing but text is requested', () => {
    const quote = aRatioQuote();
    expect(withExtras(defaults, quote, {})).toBe(quote);
    expect(withExtras(defaults, quote, { searchContext: 'low' })).toEqual({
      ...quote,
      tools: { webSearch: '30', fileSearch: '2.5', quotaPerUnit: 500_000 },
    });
  });
  test('are listed with their ratios', () =>
    expect(listedPrice(defaults, 'gpt-4o')).toEqual({
      kind: 'ratio',
      modelRatio: '1.25',
      completionRatio: '4',
    }));
  test('exist for a price, for a ratio, and not for neither', () => {
    const table = withOptions({ ModelPrice: '{"a":1}', ModelRatio: '{"b":1}' });
    expect(['a', 'b', 'c'].map((model) => isPriced(table, model))).toEqual([true, true, false]);
  });
});

describe('tools of a provider', () => {
  const table = { toolPrice: new Map([['web_search_low', '9']]), quotaPerUnit: 100 };
  test.each([
    ['gpt-4.1-2025-04-14', 'high', '50'],
    ['gpt-4.1-mini', 'high', '30'],
    ['claude-sonnet-4', 'high', '10'],
    ['home-made', 'low', '9'],
    ['home-made', 'medium', '27.5'],
  ] as const)('%s with a %s context: %s', (model, context, webSearch) =>
    expect(toolPricesOf(table, model, context)).toEqual({
      webSearch,
      fileSearch: '2.5',
      quotaPerUnit: 100,
    }),
  );
  test('are called in every chat with a search model', () => {
    expect(searchesAlways('gpt-4o-search-preview')).toBe(true);
    expect(searchesAlways('gpt-4o')).toBe(false);
  });
});
