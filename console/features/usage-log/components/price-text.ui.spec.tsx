import i18next from 'i18next';
import { beforeAll, expect, test } from 'vitest';
import { startI18n } from '../../../app/i18n.ts';
import type { LogOther, LogRow } from '../api/logs.ts';
import { longPrice, priceLines, shortPrice } from './price-text.ts';

beforeAll(() => startI18n('en'));

const row: LogRow = {
  id: 1,
  user_id: 7,
  created_at: 0,
  type: 2,
  content: '',
  username: 'ada',
  token_name: '',
  token_id: 0,
  model_name: 'm',
  quota: 0,
  prompt_tokens: 1_000_000,
  completion_tokens: 500_000,
  use_time: 1,
  duration_ms: 1_000,
  is_stream: false,
  channel: 0,
  channel_name: '',
  group: '',
  request_id: '',
  other: '',
};
const base: LogOther = { model_ratio: 1.25, model_price: -1, completion_ratio: 4, group_ratio: 2 };
const lines = (changes: LogOther) =>
  priceLines(row, { ...base, ...changes }, i18next.getFixedT('en', 'usage-log'));
const t = () => i18next.getFixedT('en', 'usage-log');

test('a price for tokens is the ratio times two, and the sum has the ratio of the group in it', () => {
  expect(lines({})).toEqual([
    'Prompt price: $2.5 / 1M tokens',
    'Completion price: $10 / 1M tokens',
    'Prompt 1000000 tokens + completion 500000 tokens, group ratio 2 = $15.000000',
  ]);
});

test('a video is explained by its steps, which include its seconds', () => {
  expect(lines({ model_price: 0.5, video_seconds: 8, video_size: '1792x1024' })).toEqual([]);
});

test('a fixed price is multiplied by the ratio of the group and by nothing else', () => {
  expect(lines({ model_price: 0.04 })).toEqual(['model price $0.04 × group ratio 2 = $0.080000']);
  expect(shortPrice({ ...base, model_price: 0.04 }, t())).toBe('price $0.04 × group 2');
});

test('what was read from the cache is shown and counted at its own ratio', () => {
  const text = lines({ cache_tokens: 400_000, cache_ratio: 0.5 });
  expect(text).toContain('Cache price: $1.25 / 1M tokens (400000 tokens)');
  expect(text.at(-1)).toContain('$14.000000');
  expect(shortPrice({ ...base, cache_tokens: 4, cache_ratio: 0.5 }, t())).toMatch(/cache 0\.5$/);
  const claude = { ...base, claude: true, cache_ratio: 0.1, cache_creation_ratio: 1.25 };
  expect(longPrice(claude, t())).toContain('cache ratio 0.1, cache creation ratio 1.25');
});

test('pictures and sound are shown and counted at theirs', () => {
  const picture = lines({ image: true, image_output: 100_000, image_ratio: 2 });
  expect(picture).toContain('Image input price: $5 / 1M tokens (100000 tokens)');
  expect(picture.at(-1)).toContain('$15.500000');
  const sound = lines({
    audio: true,
    audio_input: 100_000,
    audio_output: 100_000,
    audio_ratio: 8,
    audio_completion_ratio: 2,
  });
  expect(sound).toContain('Audio input price: $20 / 1M tokens (100000 tokens)');
  expect(sound).toContain('Audio output price: $40 / 1M tokens (100000 tokens)');
});

test('searches are priced by the thousand', () => {
  const text = lines({
    web_search_call_count: 2,
    web_search_price: 25,
    file_search_call_count: 1,
    file_search_price: 2.5,
  });
  expect(text).toContain('Web search: $25 / 1K calls (2 calls)');
  expect(text).toContain('File search: $2.5 / 1K calls (1 call)');
  expect(text.at(-1)).toContain('$15.105000');
});
