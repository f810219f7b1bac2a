import { expect, test } from 'vitest';
import { chatFault, moved, readChats, writeChats } from './chat-list.ts';

const one = { name: 'One', address: 'https://one.test/?k={key}' };
const two = { name: 'Two', address: 'two://open?server={address}' };

test('chats are written as they are read, in their order', () => {
  expect(readChats(writeChats([two, one]))).toEqual([two, one]);
  expect(JSON.parse(writeChats([one]))).toEqual([{ One: one.address }]);
  expect(readChats('')).toEqual([]);
  const odd = { name: '__proto__', address: 'https://odd.test' };
  expect(readChats(writeChats([odd]))).toEqual([odd]);
});

test.each(['[', '{"One":"https://one.test"}', '[{"A":"a://","B":"b://"}]', '[{"A":1}]', '["A"]'])(
  '%s is no list of chats',
  (text) => expect(readChats(text)).toBeNull(),
);

test.each([
  ['[{"A":"https://a.test"},{"B":1}]', { at: 2, part: 'entry', text: 'chat-entry-wrong' }],
  ['[{" ":"https://a.test"}]', { at: 1, part: 'name', text: 'chat-name-missing' }],
  [
    '[{"A":"https://a.test"},{"A":"https://b.test"}]',
    { at: 2, part: 'name', text: 'chat-name-twice' },
  ],
  ['[{"A":""}]', { at: 1, part: 'address', text: 'chat-address-missing' }],
  ['[{"A":"a.test/{key}"}]', { at: 1, part: 'address', text: 'chat-address-wrong' }],
  ['[{"A":"javascript:alert(1)"}]', { at: 1, part: 'address', text: 'chat-address-wrong' }],
  ['[{"A":"https://a.test/{key}"},{"B":"b://{address}"}]', null],
])('an error in %s is reported at the wrong entry', (text, fault) =>
  expect(chatFault(text)).toEqual(fault),
);

test('an entry changes its place, and the others keep their order', () => {
  const three = { name: 'Three', address: 'https://three.test' };
  expect(moved([one, two, three], 2, 0)).toEqual([three, one, two]);
  expect(moved([one, two, three], 0, 1)).toEqual([two, one, three]);
});
