import { afterAll, beforeAll, expect, test } from 'vitest';
import { aUsedRecord } from '../../tests/support/account-examples.ts';
import { people, type ReadApi, startReadApi } from '../../tests/support/read-api.ts';
import { signedIn } from '../../tests/support/read-side-story.ts';

let api: ReadApi;
const { root, ada } = people;
const used = aUsedRecord({ userId: 42, amount: 120, call: { requestId: 'req-lost' } });

const aDeadLetter = (reason: string, record: string) => ({
  type: 'UsageRecordSetAside' as const,
  data: { reason, record },
});

beforeAll(async () => {
  api = await startReadApi();
  const { append } = api.side;
  await append('usageSetAside-42', aDeadLetter('account.not-open', JSON.stringify(used)));
  await append('usageSetAside-7', aDeadLetter('unreadable', '{"prompt":"a letter'));
  await api.side.settle();
});
afterAll(() => api.stop());

const list = (query = '') => api.data('/api/dead_letter/', root, query);

test('what could not be settled is listed, newest first, with what it would have cost', async () => {
  const { items, total } = await list();
  expect(total).toBe(2);
  expect(items[0]).toMatchObject({ reason: 'unreadable', user_id: 0, username: '', amount: null });
  expect(items[1]).toMatchObject({
    reason: 'account.not-open',
    kind: 'used',
    relay_id: 'relay-a',
    request_id: 'req-lost',
    user_id: 42,
    username: 'ada',
    model_name: 'gpt-4o',
    amount: 120,
  });
  expect(await list('?p=2&page_size=1')).toMatchObject({ items: [items[1]], total: 2 });
});

test('the record of one is there on demand', async () => {
  const { items } = await list();
  const recordOf = (id = 0) => api.data('/api/dead_letter/:id', root, `${id}`);
  expect((await recordOf(items[1]?.id)).record).toEqual(JSON.parse(JSON.stringify(used)));
  expect(JSON.stringify(await recordOf(items[0]?.id))).not.toContain('letter');
  const unknown = await api.get('/api/dead_letter/1', signedIn(root));
  expect(unknown.body).toMatchObject({ success: false, code: 'dead-letter.unknown' });
});

test('it is a matter of administrators', async () => {
  for (const url of ['/api/dead_letter/', '/api/dead_letter/1']) {
    expect((await api.get(url, signedIn(ada))).body).toMatchObject({ code: 'auth.not-allowed' });
  }
});
