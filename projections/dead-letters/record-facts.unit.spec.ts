import { expect, test } from 'vitest';
import { aCall, aStartedRecord, aUsedRecord } from '../../tests/support/account-examples.ts';
import { factsOf } from './record-facts.ts';

test('a record shows what was served, for whom and for how much', () => {
  const facts = factsOf(JSON.stringify(aUsedRecord({ amount: 120 })));
  expect(facts).toMatchObject({
    kind: 'used',
    relay_id: 'relay-a',
    request_id: 'req-1',
    user_id: 7,
    model_name: 'gpt-4o',
    amount: 120,
  });
  expect(JSON.parse(facts.record)).toEqual(
    JSON.parse(JSON.stringify(aUsedRecord({ amount: 120 }))),
  );
});

test('a request that was lost has its id, and nothing that it would have cost', () => {
  const lost = { ...aStartedRecord(), kind: 'lost' };
  expect(factsOf(JSON.stringify(lost))).toMatchObject({
    kind: 'lost',
    request_id: lost.requestId,
    amount: null,
  });
});

test('what a person wrote is in no column and not in the record', () => {
  const secret = 'a letter to my doctor';
  const call = { ...aCall(), username: 'ada', ip: '192.0.2.1', tokenName: secret };
  const odd = {
    ...aUsedRecord(),
    call,
    message: secret,
    task: { facts: { prompt: secret, state: secret }, outcome: { description: secret } },
    unknown: [secret, { deep: { deeper: secret } }],
    [secret]: 1,
  };
  const facts = JSON.stringify(factsOf(JSON.stringify(odd)));
  for (const text of [secret, 'ada', '192.0.2.1']) expect(facts).not.toContain(text);
  expect(JSON.stringify(factsOf(`{"prompt":"${secret}"`))).not.toContain(secret);
  expect(JSON.stringify(factsOf(JSON.stringify(secret)))).not.toContain(secret);
});

test('a user that cannot be is none', () => {
  const odd = JSON.stringify({ ...aUsedRecord(), userId: 2 ** 60 });
  expect(factsOf(odd)).toMatchObject({ user_id: 0, request_id: 'req-1' });
});

test.each([
  '',
  'null',
  '[]',
  '{',
  '{"call":7,"usage":null,"kind":"used"}',
  '{"userId":"7"}',
  JSON.stringify({ ...aUsedRecord(), quote: { kind: 'ratio', modelRatio: 'x' } }),
])('whatever is wrong with a record, it is listed: %s', (text) => {
  const facts = factsOf(text);
  expect(facts.amount).toBeNull();
  expect(typeof JSON.parse(facts.record)).toBe('object');
});
