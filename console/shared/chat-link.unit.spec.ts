import { expect, test } from 'vitest';
import { chatLink, chatSites, isSafeLink, isWebAddress, legacyChatLink } from './chat-link.ts';

test('a chat address gets the encoded server and the key with its prefix, wherever they are', () => {
  const template = 'https://chat.test/?a={address}&k={key}&again={key}';
  expect(chatLink(template, 'abc', 'https://me.test/')).toBe(
    'https://chat.test/?a=https%3A%2F%2Fme.test&k=sk-abc&again=sk-abc',
  );
  expect(legacyChatLink('https://old.test/', 'abc', 'https://me.test')).toBe(
    'https://old.test/#/?settings={"key":"sk-abc","url":"https%3A%2F%2Fme.test"}',
  );
});

test('an entry is one name and one address, and an address never runs in our page', () => {
  expect(chatSites([{ Next: 'https://a.test' }, {}])).toEqual([
    { name: 'Next', template: 'https://a.test' },
  ]);
  expect(isWebAddress('opencat://team')).toBe(false);
  expect(isSafeLink('opencat://team')).toBe(true);
  expect(isSafeLink('javascript:alert(1)')).toBe(false);
  expect(isSafeLink(' javascript:alert(1)')).toBe(false);
  expect(isSafeLink('/relative')).toBe(false);
});
