import { expect, test } from 'vitest';
import { covers } from '../../../../tests/support/checklist/covers.ts';
import { isDomain, problemOf, wireValue } from './option-rules.ts';

test('numbers keep to their bounds', () => {
  covers('operation-21', 'operation-25', 'operation-26', 'ratelimit-3', 'ratelimit-5');
  covers('ratelimit-7', 'models-4', 'models-9', 'models-15');
  expect(problemOf(['DataExportInterval', 'number'], '0')).toEqual({ text: 'number-low', min: 1 });
  expect(problemOf(['ChannelDisableThreshold', 'number'], '-1')?.text).toBe('number-low');
  expect(problemOf(['QuotaRemindThreshold', 'number'], '-1')?.text).toBe('number-low');
  expect(problemOf(['ModelRequestRateLimitDurationMinutes', 'number'], '0')).toBeNull();
  expect(problemOf(['ModelRequestRateLimitCount', 'number'], '0')).toBeNull();
  expect(problemOf(['ModelRequestRateLimitCount', 'number'], '-1')?.text).toBe('number-low');
  expect(problemOf(['ModelRequestRateLimitSuccessCount', 'number'], '0')?.min).toBe(1);
  expect(problemOf(['general_setting.ping_interval_seconds', 'number'], '0')?.min).toBe(1);
  for (const provider of ['gemini', 'claude'] as const) {
    const field = [`${provider}.thinking_adapter_budget_tokens_percentage`, 'number'] as const;
    expect(problemOf(field, '0.05')).toEqual({ text: 'number-range', min: 0.1, max: 1 });
    expect(problemOf(field, '1')).toBeNull();
  }
  expect(problemOf(['SMTPPort', 'number'], 'many')?.text).toBe('number-wrong');
});

test('a JSON option is JSON, and of the shape that is read later', () => {
  covers('setting-7', 'ratelimit-9', 'ratelimit-10', 'ratelimit-11', 'operation-31');
  covers('operation-32', 'operation-34', 'operation-38', 'models-6', 'models-12', 'system-9');
  const keys = ['GroupRatio', 'UserUsableGroups', 'ModelRatio', 'TopupGroupRatio'] as const;
  for (const key of keys) expect(problemOf([key, 'json'], '{')).toEqual({ text: 'json-wrong' });
  expect(problemOf(['gemini.safety_settings', 'json'], 'x')?.text).toBe('json-wrong');
  expect(problemOf(['claude.default_max_tokens', 'json'], 'x')?.text).toBe('json-wrong');
  const rates = (text: string) => problemOf(['ModelRequestRateLimitGroup', 'json'], text)?.text;
  expect(rates('{"vip":[0,1]}')).toBeUndefined();
  expect(rates('{"vip":[-1,1]}')).toBe('rates-wrong');
  expect(rates('{"vip":[0,0]}')).toBe('rates-wrong');
  expect(rates('{')).toBe('json-wrong');
  const chats = (text: string) => problemOf(['Chats', 'chats'], text)?.text;
  expect(chats('[{"Next":"https://chat.test/{key}"}]')).toBeUndefined();
  expect(chats('{"Next":"https://chat.test"}')).toBe('chats-wrong');
  expect(chats('[')).toBe('json-wrong');
  expect(problemOf(['Chats', 'chats'], '[{"Next":""}]')).toEqual({
    text: 'chat-address-missing',
    at: 1,
  });
});

test('an address goes to the server without a slash at its end', () => {
  covers('system-2', 'system-4', 'system-7');
  expect(wireValue('ServerAddress', ' https://a.test/ ')).toBe('https://a.test');
  expect(wireValue('WorkerUrl', 'https://a.test//')).toBe('https://a.test');
  expect(wireValue('PayAddress', 'https://a.test/pay/')).toBe('https://a.test/pay');
  expect(wireValue('Footer', 'a/')).toBe('a/');
});

test('a mail domain looks like one', () => {
  expect(['a.com', 'mail.example.org', 'x-y.co'].every(isDomain)).toBe(true);
  expect(['a', 'a b.com', '-a.com', 'a.c', '@a.com', 'a..com'].some(isDomain)).toBe(false);
});
