import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ChannelFeedEntry } from '../domain/channel/feed.ts';
import { aRequestCharged } from '../tests/support/account-events.ts';
import {
  aChannelAutoDisabled,
  aChannelCreated,
  aChannelEvent,
  someSettings,
} from '../tests/support/channel-examples.ts';
import {
  type ReadSide,
  readModels,
  startReadSide,
  startTestPostgres,
  type TestPostgres,
} from '../tests/support/read-side.ts';
import { tellStory } from '../tests/support/read-side-story.ts';
import { aTaskAccepted, aTaskSubmitted } from '../tests/support/task-examples.ts';
import { aTokenChanged, aTokenCreated, aTokenEvent } from '../tests/support/token-examples.ts';
import { aUserDeleted, aUserDisabled } from '../tests/support/user-examples.ts';

let postgres: TestPostgres;
let side: ReadSide;

beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterAll(() => postgres.stop());
beforeEach(async () => {
  side = await startReadSide(postgres);
});
afterEach(() => side.stop());

const tables = [
  'user_list.users',
  'token_list.tokens',
  'channel_list.channels',
  'option_list.options',
  'ledger.entries',
  'ledger.accounts',
  'ledger.days',
  'usage_log.entries',
  'usage_log.hours',
  'usage_log.user_hours',
  'usage_log.site_hours',
  'usage_log.facet_hours',
  'usage_log.group_minutes',
  'topup_list.orders',
  'topup_list.credits',
  'task_list.tasks',
  'channel_costs.ratios',
  'channel_costs.hours',
  'channel_costs.task_charges',
  'relay_feeds.tokens',
  'relay_feeds.accounts',
  'relay_feeds.channels',
  'relay_feeds.options',
];
const everything = async (from: ReadSide) => {
  const found: Record<string, unknown[]> = {};
  for (const table of tables) {
    found[table] = await from.rows(
      `SELECT to_jsonb(t) AS row FROM ${table} t ORDER BY to_jsonb(t)::text`,
    );
  }
  return found;
};
const only = async (text: string): Promise<Record<string, unknown>> =>
  (await side.rows<Record<string, unknown>>(text))[0] ?? {};

test('another, empty PostgreSQL gets the same rows from the log', async () => {
  await tellStory(side);
  await side.append('task-1', aTaskSubmitted(), aTaskAccepted());
  await side.settle();
  const second = await startReadSide(postgres, { eventStore: side.eventStore });
  await second.settle();
  expect(await everything(second)).toEqual(await everything(side));
  await second.stop();
});

test('every read model is the same after a rebuild', async () => {
  await tellStory(side);
  await side.append('task-1', aTaskSubmitted(), aTaskAccepted());
  await side.settle();
  const before = await everything(side);
  for (const name of readModels) await side.projections.rebuild(name, () => {});
  expect(await everything(side)).toEqual(before);
});

test('a deleted user leaves no personal data behind', async () => {
  await tellStory(side);
  await side.append('user-42', aUserDeleted());
  await side.settle();
  expect(await only('SELECT * FROM user_list.users WHERE id = 42')).toMatchObject({
    username: '',
    display_name: '',
    email: '',
    setting: '',
    deleted_at: '2026-03-01T08:00:00.000Z',
    session_epoch: 1,
  });
  expect(await side.rows('SELECT * FROM user_list.personal_keys WHERE user_id = 42')).toEqual([]);
  expect((await side.bus.feed('accounts').get('42'))?.value).toMatchObject({ status: 3 });
});

test('a ban ends the sessions of a user, here and at the relays', async () => {
  await tellStory(side);
  await side.append('user-42', aUserDisabled(5));
  await side.settle();
  expect(await only('SELECT status, session_epoch FROM user_list.users WHERE id = 42')).toEqual({
    status: 2,
    session_epoch: 5,
  });
  expect((await side.bus.feed('accounts').get('42'))?.value).toMatchObject({
    status: 2,
    sessionEpoch: 5,
  });
});

test('renaming a token does not give back what it spent', async () => {
  await side.append('token-7', aTokenCreated({ remainQuota: 10_000 }));
  await side.append('account-42', aRequestCharged());
  const { terms, ...rest } = aTokenChanged().data;
  const renamed = { ...terms, name: 'desk', remainQuota: 10_000 };
  await side.append('token-7', aTokenChanged({ ...rest, terms: renamed }));
  await side.settle();
  expect(await only('SELECT name, remain_quota, used_quota FROM token_list.tokens')).toEqual({
    name: 'desk',
    remain_quota: 6_375,
    used_quota: 3_625,
  });
});

test('a deleted token is gone from the list and published to the relays', async () => {
  await side.append('token-7', aTokenCreated(), aTokenEvent('TokenDeleted'));
  await side.append('account-42', aRequestCharged());
  await side.settle();
  expect(await side.rows('SELECT * FROM token_list.tokens')).toEqual([]);
  expect(await side.bus.feed('tokens').get('sha256-of-abc')).toMatchObject({ value: null });
});

test('a channel shows why it was disabled until it is enabled', async () => {
  await side.append('channel-3', aChannelCreated(), aChannelAutoDisabled('no credit'));
  await side.settle();
  const row = 'SELECT status, status_reason, status_time FROM channel_list.channels';
  expect(await only(row)).toMatchObject({ status: 3, status_reason: 'no credit' });
  expect((await side.bus.feed('channels').get('3'))?.value).toMatchObject({ status: 3 });
  await side.append('channel-3', aChannelEvent('ChannelEnabled'));
  await side.settle();
  expect(await only(row)).toEqual({ status: 1, status_reason: '', status_time: 0 });
});

test('a channel that is switched keeps what was counted and edited meanwhile', async () => {
  const row = 'SELECT status, name, weight, tag, used_quota FROM channel_list.channels';
  await side.append('channel-3', aChannelCreated());
  await side.append('account-42', aRequestCharged());
  const settings = someSettings({ name: 'edited', weight: 7, tag: 'eu' });
  const changed = { channelId: 3, settings, previous: someSettings() };
  await side.append('channel-3', { type: 'ChannelChanged', data: changed });
  await side.settle();
  const counted = { name: 'edited', weight: 7, tag: 'eu', used_quota: 3_625 };
  expect(await only(row)).toEqual({ ...counted, status: 1 });
  for (const [event, status] of [
    [aChannelEvent('ChannelDisabled'), 2],
    [aChannelEvent('ChannelEnabled'), 1],
    [aChannelAutoDisabled(), 3],
    [aChannelEvent('ChannelAutoEnabled'), 1],
  ] as const) {
    await side.append('channel-3', event);
    await side.settle();
    expect(await only(row)).toEqual({ ...counted, status });
    const relayed = (await side.bus.feed<ChannelFeedEntry>('channels').get('3'))?.value;
    expect([relayed?.status, relayed?.settings]).toEqual([status, settings]);
  }
});

test('charges leave the log and the dashboard alone while that is switched off', async () => {
  const change = (value: string) =>
    ({ type: 'OptionChanged', data: { key: 'LogConsumeEnabled', value, previous: null } }) as const;
  await side.append('site', change('false'));
  await side.append('account-42', aRequestCharged());
  await side.settle();
  await side.append('account-42', aRequestCharged({ sequence: 2 }));
  await side.append('site', change('true'));
  await side.append('account-42', aRequestCharged({ sequence: 3 }));
  await side.settle();
  expect(await side.rows('SELECT id FROM usage_log.entries')).toHaveLength(1);
  expect(await only('SELECT used FROM ledger.accounts')).toEqual({});
  expect(await side.rows('SELECT position FROM ledger.entries')).toHaveLength(3);
});

test('text that PostgreSQL cannot hold does not stop a projection', async () => {
  const name = 'nul \0 quote " backslash \\ comma , brace } 你好 NULL';
  await side.append('token-7', aTokenCreated({ name }), aTokenEvent('TokenDisabled'));
  await side.settle();
  expect(await only('SELECT name FROM token_list.tokens')).toEqual({
    name: name.replace('\0', ''),
  });
  expect(side.projections.ready().ok).toBe(true);
});

test('a change is with the relays within a hundred milliseconds', async () => {
  await side.append('channel-3', aChannelCreated());
  await side.settle();
  const delays: number[] = [];
  for (let i = 0; i < 40; i += 1) {
    const status = i % 2 === 0 ? 2 : 1;
    let resolved = () => {};
    const arrived = new Promise<void>((resolve) => {
      resolved = resolve;
    });
    const watching = await side.bus.feed<{ status: number }>('channels').watch((entries) => {
      if (entries.some(({ value }) => value?.status === status)) resolved();
    });
    await watching.ready;
    const start = performance.now();
    await side.append(
      'channel-3',
      aChannelEvent(status === 2 ? 'ChannelDisabled' : 'ChannelEnabled'),
    );
    await arrived;
    delays.push(performance.now() - start);
    await watching.stop();
  }
  delays.sort((a, b) => a - b);
  expect(delays[Math.floor(delays.length / 2)]).toBeLessThan(100);
});
