import { expect, test } from 'vitest';
import { z } from 'zod';
import { languageOf } from '../../domain/access/language.ts';
import { invalidInputMessage } from './invalid-input.ts';
import { messageOf, rejectionMessages } from './rejection-messages.ts';

test('every refusal has a text in Chinese and in English, with the same values in both', () => {
  const places = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();
  for (const [code, { zh, en }] of Object.entries(rejectionMessages)) {
    expect(zh, code).toMatch(/[\u4e00-\u9fff]/);
    expect(en, code).not.toMatch(/[\u4e00-\u9fff]/);
    expect(places(zh), code).toEqual(places(en));
  }
});

test('values of a refusal are part of its text', () => {
  const refusal = { code: 'token.name-length', details: { max: 30 } } as const;
  expect(messageOf(refusal, 'en')).toBe('The token name must have 1 to 30 characters');
});

test('texts are Chinese unless the caller reads English first', () => {
  expect([languageOf(undefined), languageOf('zh-CN,en;q=0.8')]).toEqual(['zh', 'zh']);
  expect([languageOf('en'), languageOf('en-US,zh;q=0.5')]).toEqual(['en', 'en']);
});

test('bad input names the field and what would be right', () => {
  const schema = z.object({ name: z.string().min(3), size: z.enum(['big', 'small']) });
  const messageFor = (value: unknown, language: 'zh' | 'en') => {
    const { error } = schema.safeParse(value);
    return error ? invalidInputMessage(error, language) : '';
  };
  expect(messageFor({ name: 7, size: 'big' }, 'en')).toBe('Invalid parameters: name must be text');
  expect(messageFor({ name: 'ab', size: 'big' }, 'zh')).toBe('无效的参数：name 不能小于 3 个字符');
  expect(messageFor({ name: 'abc', size: 'x' }, 'en')).toBe(
    'Invalid parameters: size must be one of: big, small',
  );
  expect(messageFor('text', 'en')).toBe('Invalid parameters: the body must be an object');
});
