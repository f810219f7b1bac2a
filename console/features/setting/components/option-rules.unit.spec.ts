import { expect, test } from 'vitest';
import { isDomain, problemOf } from './option-rules.ts';

test('numbers keep to their bounds', () => {
  const port = { min: 1, max: 65_535 };
  const inPort = (text: string) => problemOf(['SMTPPort', 'number'], text, port);
  expect(inPort('0')).toEqual({ text: 'number-low', min: 1 });
  expect(inPort('65536')).toEqual({ text: 'number-range', min: 1, max: 65_535 });
  expect([inPort('1'), inPort('65535')]).toEqual([null, null]);
  const share = ['gemini.thinking_adapter_budget_tokens_percentage', 'number'] as const;
  expect(problemOf(share, '0.05', { min: 0.1, max: 1 })?.text).toBe('number-low');
  expect(problemOf(share, '-5')).toBeNull();
  expect(problemOf(['SMTPPort', 'number'], 'many')?.text).toBe('number-wrong');
});

test('a JSON option is JSON, and of the shape that is read later', () => {
  const keys = ['GroupRatio', 'UserUsableGroups', 'ModelRatio', 'TopupGroupRatio'] as const;
  for (const key of keys)
    expect(problemOf([key, 'json'], '{')).toMatchObject({
      text: 'json-wrong',
      line: 1,
      expected: 'name',
    });
  expect(problemOf(['gemini.safety_settings', 'json'], 'x')?.text).toBe('json-wrong');
  expect(problemOf(['claude.default_max_tokens', 'json'], 'x')?.text).toBe('json-wrong');
  const rates = (text: string) => problemOf(['ModelRequestRateLimitGroup', 'json'], text)?.text;
  expect(rates('{"vip":[0,1]}')).toBeUndefined();
  expect(rates('{"vip":[-1,1]}')).toBe('cell-count');
  expect(rates('{"vip":[0,0]}')).toBe('cell-limit');
  expect(rates('{"vip":1}')).toBe('rates-wrong');
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

test('the limit of requests is 0 for none, although the server also takes -1', () => {
  const field = ['ModelRequestRateLimitCount', 'number'] as const;
  expect(problemOf(field, '-1', { min: -1, max: 9 })).toEqual({ text: 'number-low', min: 0 });
  expect(problemOf(field, '0', { min: -1, max: 9 })).toBeNull();
});

test('a mail domain has the form of one', () => {
  expect(['a.com', 'mail.example.org', 'x-y.co'].every(isDomain)).toBe(true);
  expect(['a', 'a b.com', '-a.com', 'a.c', '@a.com', 'a..com'].some(isDomain)).toBe(false);
});

test.each([
  ['ServerAddress', 'http://127.0.0.1:4300x', 'address-wrong'],
  ['ServerAddress', 'gate.example.org', 'address-wrong'],
  ['ServerAddress', 'https://gate.example.org', undefined],
  ['ServerAddress', '', undefined],
  ['SMTPServer', 'https://mail.example.org', 'host-wrong'],
  ['SMTPServer', 'mail.example.org:587', 'host-wrong'],
  ['SMTPServer', 'mail.example.org', undefined],
  ['SMTPServer', '192.0.2.7', undefined],
] as const)('%s "%s" is checked next to the field: %s', (key, text, problem) => {
  expect(problemOf([key, 'text'], text)?.text).toBe(problem);
});
