import { expect, test } from 'vitest';
import { aCall, aUsedRecord } from '../../../tests/support/account-examples.ts';
import { aMetadata } from '../../../tests/support/metadata-examples.ts';
import { startUserSides } from '../../../tests/support/user-side.ts';

const site = startUserSides();
const { balanceOf, setOption, register, signedIn } = site;

test('an admin changes a balance by the difference, so that spending in between is kept', async () => {
  await setOption('QuotaForNewUser', 1_000);
  await register({ username: 'ada' });
  const body = { id: 2, quota: 1_500, quota_seen: 1_200 };
  expect((await site.root.call('PUT', '/api/user/', { body })).body).toMatchObject({
    success: true,
  });
  expect(await balanceOf(2)).toBe(1_300);
  expect(site.side.events('QuotaAdjusted')).toMatchObject([{ delta: 300, seen: 1_200 }]);
});

/** 375 units: (1000 + 1000 × 4) × 0.075, by the prices of gpt-4o-mini. */
const charge = async (requestId: string, sequence: number) => {
  const call = aCall({ requestId, tokenId: 0 });
  const { usage, quote, ...used } = aUsedRecord({ amount: 375 });
  await site.side.keeper.execute({
    type: 'ChargeRequest',
    data: {
      userId: 2,
      leaseId: null,
      call,
      usage,
      quote,
      usageSource: used.usageSource,
      usageNote: used.usageNote,
      end: used.end,
      sequence,
      confirmedNew: true,
    },
    metadata: { ...aMetadata(), commandId: requestId },
  });
};

test('saving the whole record gives nothing back that was charged meanwhile', async () => {
  await setOption('QuotaForNewUser', 100_000);
  await register({ username: 'ada' });
  await charge('before', 1);
  const record = { id: 2, username: 'ada', group: 'default', quota: 99_625, used_quota: 375 };
  await charge('meanwhile-1', 2);
  await charge('meanwhile-2', 3);
  await site.root.call('PUT', '/api/user/', { body: { ...record, display_name: 'Ada' } });
  expect(await balanceOf(2)).toBe(98_875);
  expect(site.side.events('QuotaAdjusted')).toEqual([]);
  await site.root.call('PUT', '/api/user/', { body: { ...record, quota: record.quota + 1_000 } });
  expect(await balanceOf(2)).toBe(99_875);
  expect(site.side.events('QuotaAdjusted')).toMatchObject([{ delta: 1_000, seen: 99_625 }]);
});

test("an adjustment keeps the admin's own words, and none where none were given", async () => {
  await register({ username: 'ada' });
  const give = (quota: number, reason?: string) =>
    site.root.call('PUT', '/api/user/', { body: { id: 2, quota, reason } });
  await give(100, '  an apology for the outage ');
  await give(200);
  expect(site.side.events('QuotaAdjusted')).toMatchObject([
    { reason: { kind: 'set-by-admin', note: 'an apology for the outage' } },
    { reason: { kind: 'set-by-admin', note: null } },
  ]);
});

test('what is done to a person keeps the reason that was given', async () => {
  await register({ username: 'ada' });
  const reason = 'asked for it';
  for (const action of ['promote', 'demote', 'disable', 'enable', 'delete']) {
    const body = { id: 2, action, reason };
    expect((await site.root.call('POST', '/api/user/manage', { body })).body).toMatchObject({
      success: true,
    });
  }
  const types = ['UserPromoted', 'UserDemoted', 'UserDisabled', 'UserEnabled', 'UserDeleted'];
  for (const type of types) expect(site.side.events(type)).toMatchObject([{ reason }]);
});

test('without the value that was seen, the difference is to the current balance', async () => {
  await register({ username: 'ada' });
  await site.root.call('PUT', '/api/user/', { body: { id: 2, quota: 700 } });
  await site.root.call('PUT', '/api/user/', { body: { id: 2, quota: 700 } });
  expect(await balanceOf(2)).toBe(700);
  expect(site.side.events('QuotaAdjusted')).toHaveLength(1);
});

test('an edit changes what it names and leaves the rest', async () => {
  await register({ username: 'ada' });
  const body = { id: 2, group: 'vip', password: 'another-horse' };
  expect((await site.root.call('PUT', '/api/user', { body })).body).toMatchObject({
    success: true,
  });
  const { body: answer } = await site.side.person().signIn('ada', 'another-horse');
  expect(answer).toMatchObject({ data: { username: 'ada', group: 'vip' } });
});

test('managing answers the new role and status', async () => {
  await register({ username: 'ada' });
  const manage = async (action: string) =>
    (await site.root.call('POST', '/api/user/manage', { body: { id: 2, action } })).body;
  expect(await manage('promote')).toMatchObject({ data: { role: 10, status: 1 } });
  expect(await manage('demote')).toMatchObject({ data: { role: 1, status: 1 } });
  expect(await manage('disable')).toMatchObject({ data: { role: 1, status: 2 } });
  expect(await manage('enable')).toMatchObject({ data: { role: 1, status: 1 } });
  expect(await manage('delete')).toMatchObject({ data: { role: 1, status: 1 } });
  expect(await manage('explode')).toMatchObject({ success: false, code: 'request.invalid' });
});

test('an admin cannot act on another admin', async () => {
  for (const [nth, username] of ['ada', 'bob'].entries()) {
    await register({ username });
    await site.root.call('POST', '/api/user/manage', { body: { id: nth + 2, action: 'promote' } });
  }
  const ada = await signedIn('ada');
  const { body } = await ada.call('PUT', '/api/user/', { body: { id: 3, quota: 1 } });
  expect(body).toMatchObject({ success: false, code: 'user.above-you' });
});
