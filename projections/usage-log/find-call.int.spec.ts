import { afterAll, beforeAll, expect, test } from 'vitest';
import { aRequestCharged } from '../../tests/support/account-events.ts';
import { type ReadApi, startReadApi } from '../../tests/support/read-api.ts';
import { signedIn } from '../../tests/support/read-side-story.ts';

let api: ReadApi;
const root = 1;
const ada = 42;
const first = '20260212080000MarkMark0000001';
const second = '20260212080000MarkMark0000002';
/** Began in one month and ended an hour into the next. */
const long = '20260228233000MarkMark0000003';

const charge = async (requestId: string, occurredAt: string, userId = ada): Promise<void> => {
  const event = aRequestCharged({ userId, call: { requestId } });
  await api.side.append(`account-${userId}`, [event, { occurredAt }]);
};

beforeAll(async () => {
  api = await startReadApi();
  await charge(first, '2026-02-12T08:00:02.000Z');
  await charge(second, '2026-02-12T08:00:03.000Z', root);
  await charge(long, '2026-03-01T00:30:00.000Z');
  await api.side.settle();
});
afterAll(() => api.stop());

type FindUrl = '/api/log/find' | '/api/log/self/find';
const found = async (url: FindUrl, requestId: string, as: number) => {
  const rows = await api.data(url, as, `?request_id=${encodeURIComponent(requestId)}`);
  return rows.map(({ request_id }) => request_id);
};

test('an administrator finds every call by its id or its beginning', async () => {
  expect(await found('/api/log/find', first, root)).toEqual([first]);
  expect(await found('/api/log/find', '20260212080000', root)).toEqual([first, second]);
  expect(await found('/api/log/find', long, root)).toEqual([long]);
});

test('a user finds their own calls alone', async () => {
  expect(await found('/api/log/self/find', '20260212080000Mark', ada)).toEqual([first]);
  expect(await found('/api/log/self/find', second, ada)).toEqual([]);
  const refused = await api.get(`/api/log/find?request_id=${first}`, signedIn(ada));
  expect(refused.body.success).toBe(false);
});

test.each(['', '2026', '20260212', 'not-an-id', '20260212080000%', `${first}x`])(
  'nothing is found by %j',
  async (text) => expect(await found('/api/log/find', text, root)).toEqual([]),
);
