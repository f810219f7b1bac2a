import { expect, test } from 'vitest';
import { lineFault, readTable, tableOf, writeTable } from './json-tables.ts';
import type { OptionKey } from './option-fields.ts';
import { settingTabs } from './option-fields.ts';

const of = (key: OptionKey) => {
  const table = tableOf(key);
  if (table === null) throw new Error(`${key} has no table`);
  return table;
};

const samples: Readonly<Partial<Record<OptionKey, unknown>>> = {
  ModelRatio: { 'gpt-4o': 1.25, free: 0, small: 0.075 },
  UserUsableGroups: { default: 'Everyone', vip: '' },
  ModelRequestRateLimitGroup: { default: [0, 1], vip: [200, 100] },
  'call_limits.users': {
    '7': { requests_per_minute: 3 },
    'group:vip': { tokens_per_minute: 1000, concurrent_requests: 2 },
    '*': { concurrent_requests: 1 },
  },
  'gemini.supported_imagine_models': ['a', 'b'],
  'claude.model_headers_settings': { 'claude-3': { 'anthropic-beta': 'x', other: 'y' } },
  'claude.default_max_tokens': { default: 8192 },
};

test('a table writes what it read', () => {
  for (const [key, value] of Object.entries(samples)) {
    const table = of(key as OptionKey);
    const lines = readTable(table, JSON.stringify(value));
    expect(lines, key).not.toBeNull();
    expect(JSON.parse(writeTable(table, lines ?? [])), key).toEqual(value);
    expect(lineFault(table, lines ?? []), key).toBeNull();
  }
});

test('every option that is JSON has a table', () => {
  const json = Object.values(settingTabs)
    .flatMap((cards) =>
      cards.flatMap(({ fields }): readonly (readonly [string, string])[] => fields),
    )
    .filter(([, kind]) => kind === 'json');
  expect(json.filter(([key]) => tableOf(key as OptionKey) === null)).toEqual([]);
});

test('an empty option is an empty table', () => {
  expect(readTable(of('ModelRatio'), '')).toEqual([]);
  expect(readTable(of('gemini.supported_imagine_models'), '')).toEqual([]);
});

test.each<[OptionKey, unknown]>([
  ['ModelRatio', [1]],
  ['gemini.supported_imagine_models', {}],
  ['ModelRequestRateLimitGroup', { vip: 3 }],
  ['call_limits.groups', { vip: { per_hour: 3 } }],
  ['claude.model_headers_settings', { m: { h: ['a', 'b'] } }],
])('%s is left to its JSON where it does not fit into a table', (key, value) =>
  expect(readTable(of(key), JSON.stringify(value))).toBeNull(),
);

test('a cell that cannot stay is named, with what belongs there', () => {
  const fault = (key: OptionKey, value: unknown) => {
    const table = of(key);
    return lineFault(table, readTable(table, JSON.stringify(value)) ?? []);
  };
  expect(fault('ModelRatio', { a: 1, b: 'x' })).toEqual({ line: 1, column: 1, text: 'cell-ratio' });
  expect(fault('ModelRatio', { a: -1 })).toMatchObject({ text: 'cell-ratio' });
  expect(fault('ModelRatio', { '': 1 })).toEqual({ line: 0, column: 0, text: 'cell-empty' });
  const rates = (pair: unknown) => fault('ModelRequestRateLimitGroup', { vip: pair });
  expect(rates([0, 0])).toEqual({ line: 0, column: 2, text: 'cell-limit' });
  expect(rates([1.5, 1])).toEqual({ line: 0, column: 1, text: 'cell-count' });
  expect(fault('claude.default_max_tokens', { a: 0 })).toMatchObject({ text: 'cell-limit' });
  expect(fault('call_limits.models', { a: {} })).toMatchObject({ line: 0, text: 'line-empty' });
});
