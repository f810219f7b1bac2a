import { expect, test } from 'vitest';
import { optionApi } from '../contract/option.ts';
import { optionRows } from './rows.ts';

const rows = optionRows({ values: new Map(), secretsSet: new Set() });
const rowOf = (key: string) => rows.find((row) => row.key === key);

test('an option that is a number carries the bounds that a write has to keep', () => {
  expect(optionApi['GET /api/option/'].data.parse(rows)).toEqual(rows);
  expect(rowOf('SMTPPort')).toMatchObject({ min: 1, max: 65_535 });
  expect(rowOf('gemini.thinking_adapter_budget_tokens_percentage')).toMatchObject({
    min: 0.1,
    max: 1,
  });
});

test('other options have no bounds', () => {
  expect(rowOf('SystemName')).toEqual({ key: 'SystemName', value: 'Tollgate', writer: 10 });
});
