import { expect, test } from 'vitest';
import type { ChannelRow } from '../api/channels.ts';
import { idsOf, keyOf, summaryOf, tagEntries } from './channel-entries.ts';

const aChannel = (id: number, changes: Partial<ChannelRow> = {}): ChannelRow => ({
  id,
  type: 1,
  key: '',
  name: `channel ${id}`,
  status: 1,
  models: 'gpt-4o',
  group: 'default',
  base_url: '',
  other: '',
  openai_organization: '',
  test_model: '',
  tag: 'spare',
  model_mapping: '',
  status_code_mapping: '',
  setting: '',
  param_override: '',
  priority: 0,
  weight: 0,
  auto_ban: 1,
  balance: 0,
  used_quota: 0,
  response_time: 0,
  test_time: 0,
  created_time: 0,
  balance_updated_time: 0,
  other_info: '',
  max_input_tokens: 0,
  cost_ratio: '',
  ...changes,
});

test('a tag sums what its channels used and averages the times of those that were tested', () => {
  const summary = summaryOf([
    aChannel(1, { used_quota: 3, response_time: 1000, group: 'default,vip' }),
    aChannel(2, { used_quota: 4, response_time: 2000, status: 2, priority: 5 }),
    aChannel(3, { response_time: 0, status: 3 }),
  ]);
  expect(summary).toEqual({
    groups: 'default,vip',
    usedQuota: 7,
    responseMs: 1500,
    priority: null,
    weight: 0,
    isEnabled: true,
  });
});

test('a tag shows its channels when it is open, and represents them in a selection', () => {
  const rows = [aChannel(1), aChannel(2, { tag: 'main' }), aChannel(3)];
  expect(tagEntries(rows, new Set()).map(keyOf)).toEqual(['tag:spare', 'tag:main']);
  expect(tagEntries(rows, new Set(['spare'])).map(keyOf)).toEqual(['tag:spare', 1, 3, 'tag:main']);
  expect(idsOf(rows, new Set(['tag:spare']))).toEqual([1, 3]);
  expect(idsOf(rows, new Set([2]))).toEqual([2]);
});
