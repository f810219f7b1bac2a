import { afterAll, beforeAll, expect, test } from 'vitest';
import { people, type ReadApi, startReadApi } from '../../tests/support/read-api.ts';
import { signedIn } from '../../tests/support/read-side-story.ts';
import { aCallsRefused, aQuarter, aRefusal } from '../../tests/support/refusal-examples.ts';

let api: ReadApi;
const { root, ada } = people;
const nextQuarter = aQuarter + 900;
const unknownKey = aRefusal({ reason: 'invalid_api_key', userId: 0, tokenId: 0, model: '' });

const ids = (first: string, last: string) => ({ firstRequestId: first, lastRequestId: last });

beforeAll(async () => {
  api = await startReadApi();
  const { append } = api.side;
  await append(
    'refusals-relay-a',
    aCallsRefused(aRefusal({ count: 2, ...ids('a-1', 'a-2') }), { ...unknownKey, count: 9 }),
  );
  await append('refusals-relay-b', aCallsRefused(aRefusal({ count: 5, ...ids('b-1', 'b-9') })));
  await api.side.settle();
  await append(
    'refusals-relay-a',
    aCallsRefused(
      aRefusal({ count: 1, ...ids('a-3', 'a-3') }),
      aRefusal({ quarter: nextQuarter, ...ids('a-4', 'a-4') }),
    ),
  );
  await api.side.settle();
});
afterAll(() => api.stop());

const list = (query = '') => api.data('/api/data/refusals', root, query);
const kind = {
  quarter: aQuarter,
  reason: 'model_not_found',
  user_id: 42,
  username: 'ada',
  token_id: 1,
  model_name: 'gpt-none',
};

test('refused calls of all relays are added up by kind and quarter, newest first', async () => {
  const { items, total, calls } = await list();
  expect({ total, calls }).toEqual({ total: 3, calls: 18 });
  expect(items).toMatchObject([
    { ...kind, quarter: nextQuarter, count: 1, first_request_id: 'a-4', last_request_id: 'a-4' },
    { quarter: aQuarter, reason: 'invalid_api_key', user_id: 0, username: '', count: 9 },
    { ...kind, count: 8, first_request_id: 'a-1', last_request_id: 'a-3' },
  ]);
});

test('they are found by time, user, key, model and reason', async () => {
  const totals = async (query: string) => {
    const { total, calls } = await list(`?${query}`);
    return [total, calls];
  };
  expect(await totals(`start_timestamp=${aQuarter + 600}&end_timestamp=${aQuarter + 700}`)).toEqual(
    [2, 17],
  );
  expect(await totals(`start_timestamp=${nextQuarter}`)).toEqual([1, 1]);
  expect(await totals('username=ada')).toEqual([2, 9]);
  expect(await totals('username=nobody-of-this-name')).toEqual([0, 0]);
  expect(await totals('token_name=no-such-key')).toEqual([0, 0]);
  expect(await totals('model_name=gpt-none')).toEqual([2, 9]);
  expect(await totals('reason=invalid_api_key')).toEqual([1, 9]);
  const { items } = await list('?p=2&page_size=1');
  expect(items).toMatchObject([{ reason: 'invalid_api_key' }]);
});

test('a rebuild gives the same rows', async () => {
  const rows = () => api.side.rows('SELECT * FROM refusals.kinds ORDER BY kind');
  const before = await rows();
  expect(before).toHaveLength(3);
  await api.side.projections.rebuild('refusals', () => undefined);
  expect(await rows()).toEqual(before);
});

test('they are a matter of administrators', async () => {
  const { body } = await api.get('/api/data/refusals', signedIn(ada));
  expect(body).toMatchObject({ code: 'auth.not-allowed' });
});
