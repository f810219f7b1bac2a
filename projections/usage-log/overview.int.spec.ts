import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RequestFailed } from '../../domain/relay/events.ts';
import type { ChannelCooling } from '../../domain/relay/messages.ts';
import { aRequestCharged } from '../../tests/support/account-events.ts';
import { type ReadApi, startReadApi } from '../../tests/support/read-api.ts';
import { testNow } from '../../tests/support/read-side.ts';
import { signedIn } from '../../tests/support/read-side-story.ts';

let api: ReadApi;
const root = 1;
const ada = 42;
const now = testNow.getTime() / 1_000;
const hour = 3_600;
/** Ten days before the story, which so leaves these figures alone. */
const end = now - 10 * 24 * hour;
const start = end - 2 * hour + 1;
const range = `start_timestamp=${start}&end_timestamp=${end}`;
const at = (seconds: number) => ({ occurredAt: new Date(seconds * 1_000).toISOString() });
const unitsOfOne = 3_625;

type Call = Parameters<typeof aRequestCharged>[0] extends infer C
  ? NonNullable<Exclude<C, undefined>> extends { call?: infer K }
    ? NonNullable<K>
    : never
  : never;
let made = 0;
const charge = async (seconds: number, call: Call, userId = ada): Promise<void> => {
  made += 1;
  const event = aRequestCharged({ userId, call: { requestId: `overview-${made}`, ...call } });
  await api.side.append(`account-${userId}`, [event, at(seconds)]);
};
const fail = async (seconds: number, call: Call): Promise<void> => {
  made += 1;
  const { call: facts } = aRequestCharged({
    call: { requestId: `overview-${made}`, ...call },
  }).data;
  const event: RequestFailed = {
    type: 'RequestFailed',
    data: {
      userId: ada,
      call: facts,
      statusCode: 502,
      errorType: 'upstream_error',
      errorCode: 'bad_response',
      message: '',
    },
  };
  await api.side.append('relay-a', [event, at(seconds)]);
};

beforeAll(async () => {
  api = await startReadApi();
  // This period: five calls of ada, one of root, two errors; the one before: two calls.
  for (const durationMs of [100, 200, 300, 400]) {
    await charge(end - 60, { durationMs, firstByteMs: durationMs / 2, model: 'gpt-4o' });
  }
  await charge(start, {
    durationMs: 9_000,
    firstByteMs: null,
    isStream: false,
    model: 'gpt-4o-mini',
  });
  await charge(end, { durationMs: 250, channelId: 8, tokenId: 0, model: 'gpt-4o-mini' }, root);
  await fail(end - 30, { channelId: 8 });
  await fail(end - 20, { channelId: 8 });
  await charge(start - 1, { durationMs: 50, firstByteMs: 20 });
  await charge(start - 2 * hour, { durationMs: 70, firstByteMs: 30 });
  // Just outside of both.
  await charge(end + 1, {});
  await charge(start - 2 * hour - 1, {});
  await api.side.settle();
});
afterAll(() => api.stop());

test('a period is summed to the second, next to the one before', async () => {
  const { current, previous } = await api.data('/api/data/self/overview', ada, `?${range}`);
  expect(current).toEqual({
    start,
    end,
    calls: 5,
    errors: 2,
    quota: 5 * unitsOfOne,
    tokens: 5 * 1_500,
    median_ms: 300,
    p95_ms: 9_000,
    first_token_ms: 100,
  });
  expect(previous).toMatchObject({
    start: start - 2 * hour,
    end: start - 1,
    calls: 2,
    errors: 0,
    quota: 2 * unitsOfOne,
    median_ms: 50,
  });
});

test('an administrator sees all users, or one', async () => {
  const all = await api.data('/api/data/overview', root, `?${range}`);
  expect(all.current).toMatchObject({ calls: 6, errors: 2, quota: 6 * unitsOfOne });
  expect(all.users).toEqual([
    {
      id: ada,
      name: 'ada',
      calls: expect.any(Number),
      errors: 2,
      quota: expect.any(Number),
      tokens: expect.any(Number),
    },
    { id: root, name: 'root', calls: 1, errors: 0, quota: unitsOfOne, tokens: 1_500 },
  ]);
  expect(all.tokens.map(({ id }) => id)).toEqual([7, 0]);
  const one = await api.data('/api/data/overview', root, `?${range}&username=root`);
  expect(one.current).toMatchObject({ calls: 1, errors: 0, median_ms: 250 });
  expect(one.models.map(({ name }) => name)).toEqual(['gpt-4o-mini']);
  const none = await api.data('/api/data/overview', root, `?${range}&username=nemo`);
  expect(none.current).toMatchObject({ calls: 0, quota: 0, median_ms: null });
});

test('points of whole hours add up to the period', async () => {
  const [first, after] = [Math.floor(start / hour) * hour, Math.ceil((end + 1) / hour) * hour];
  const whole = `start_timestamp=${first}&end_timestamp=${after - 1}`;
  const { points, current } = await api.data('/api/data/overview', root, `?${whole}`);
  const sum = (name: 'calls' | 'errors' | 'quota') =>
    points.reduce((total, point) => total + point[name], 0);
  expect([sum('calls'), sum('errors'), sum('quota')]).toEqual([
    current.calls,
    current.errors,
    current.quota,
  ]);
});

test('an ordinary user has no names of others, and no channels', async () => {
  const own = await api.data('/api/data/self/overview', ada, `?${range}`);
  expect(own.users).toEqual([]);
  expect(own.tokens.map(({ id }) => id)).toEqual([7]);
  for (const path of ['/api/data/overview', '/api/data/channels']) {
    expect((await api.get(`${path}?${range}`, signedIn(ada))).body.success).toBe(false);
  }
  const month = await api.get(
    `/api/data/self/overview?start_timestamp=${now - 40 * 24 * hour}`,
    signedIn(ada),
  );
  expect(month.body.success).toBe(false);
});

test('a channel shows how many of its calls failed, when, and how long the others took', async () => {
  const rows = await api.data('/api/data/channels', root, `?${range}`);
  const broken = rows.find(({ id }) => id === 8);
  expect(broken).toMatchObject({ calls: 1, errors: 2, median_ms: 250, p95_ms: 250 });
  const sums = broken?.hours.reduce((sum, { calls, errors }) => sum + calls + errors, 0);
  expect(sums).toBe(3);
  expect(broken?.hours.map(({ median_ms }) => median_ms)).toContain(250);
  expect(rows.find(({ id }) => id === 3)).toMatchObject({ errors: 0 });
});

test('a channel in cool-down shows until when', async () => {
  const until = new Date(testNow.getTime() + 60_000).toISOString();
  const reported = { channelId: 8, until };
  api.side.bus.publish<ChannelCooling>('channel.cooling', reported);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const rows = await api.data('/api/data/channels', root, `?${range}`);
  expect(rows.find(({ id }) => id === 8)?.cooling_until).toBe(now + 60);
  expect(rows.find(({ id }) => id === 3)?.cooling_until).toBe(0);
});

test('other prices are tried on the calls of a stretch, and nothing is written', async () => {
  const preview = (changes: readonly object[], to = end, as = root) =>
    api.post(
      '/api/data/price_preview',
      { start_timestamp: start, end_timestamp: to, changes },
      signedIn(as),
    );
  const before = api.side.eventStore.all.length;
  // Six calls of 2,900 prompt tokens' worth each: at a ratio of 2.5 they amount to 7,250 units.
  const doubled = [{ key: 'ModelRatio', value: '{"gpt-4o":2.5}' }];
  const amounts = { calls: 6, total: 6, charged: 6 * unitsOfOne, unpriced: 0 };
  expect((await preview(doubled)).data).toEqual({
    ...amounts,
    amount: 6 * 7_250,
    models: [{ model_name: 'gpt-4o', calls: 6, charged: 6 * unitsOfOne, amount: 6 * 7_250 }],
  });
  expect((await preview([])).data).toEqual({ ...amounts, amount: 6 * unitsOfOne, models: [] });
  // 0.01 USD a call, at 500,000 units per USD.
  const perCall = await preview([{ key: 'ModelPrice', value: '{"gpt-4o":0.01}' }]);
  expect(perCall.data).toMatchObject({ amount: 6 * 5_000 });
  const without = await preview([{ key: 'ModelRatio', value: '{}' }]);
  expect(without.data).toMatchObject({ amount: 0, unpriced: 6 });
  expect(api.side.eventStore.all.length).toBe(before);
  expect((await preview([{ key: 'ModelRatio', value: '{' }])).success).toBe(false);
  expect((await preview([{ key: 'RetryTimes', value: '1' }])).success).toBe(false);
  expect((await preview([], end + 30 * hour)).success).toBe(false);
  expect((await preview(doubled, end, ada)).success).toBe(false);
});
