import { afterEach, beforeEach, expect, test } from 'vitest';
import { anAccountCommand } from '../../tests/support/account-examples.ts';
import { type Person, startWriteSide, type WriteSide } from '../../tests/support/write-side.ts';

let side: WriteSide;
let root: Person;
let ada: Person;
beforeEach(async () => {
  side = await startWriteSide();
  root = await side.root();
  ada = await signedIn('ada');
});
afterEach(() => side.stop());

const signedIn = async (username: string): Promise<Person> => {
  const password = 'correct-horse';
  await root.call('POST', '/api/user/', { body: { username, password } });
  const person = side.person();
  await person.signIn(username, password);
  return person;
};
const create = async (body: object = {}, headers: Record<string, string> = {}) => {
  const code = { name: 'gift', quota: 700, count: 1, ...body };
  return (await root.call('POST', '/api/redemption/', { body: code, headers })).body;
};
const codes = async (count: number) => (await create({ count })).data as string[];
const redeem = async (key: unknown, headers: Record<string, string> = {}) =>
  (await ada.call('POST', '/api/user/topup', { body: { key }, headers })).body;
const balance = async () => (await side.keeper.summary(ada.userId))?.balance;

test('codes are 32 hexadecimal characters, each its own', async () => {
  const made = await codes(5);
  expect(new Set(made).size).toBe(5);
  for (const code of made) expect(code).toMatch(/^[0-9a-f]{32}$/);
});

test('a code gives its quota once, and the balance shows it when the answer arrives', async () => {
  const [code] = await codes(1);
  expect(await redeem(code)).toMatchObject({ success: true, data: 700 });
  expect(await balance()).toBe(700);
  expect(await redeem(code)).toMatchObject({ success: false, code: 'redemption.already-used' });
  expect(await balance()).toBe(700);
});

test('a redemption that is repeated under its key is answered as the first time and credits once', async () => {
  const [code] = await codes(1);
  const headers = { 'idempotency-key': 'wish-1' };
  expect(await redeem(code, headers)).toMatchObject({ data: 700 });
  expect(await redeem(code, headers)).toMatchObject({ data: 700 });
  expect(await balance()).toBe(700);
});

test('many who redeem one code at one moment credit it once', async () => {
  const [code] = await codes(1);
  const answers = await Promise.all(Array.from({ length: 10 }, () => redeem(code)));
  expect(answers.filter(({ success }) => success)).toHaveLength(1);
  expect(await balance()).toBe(700);
});

test('unknown, empty, disabled and deleted codes are refused', async () => {
  const [first, second] = await codes(2);
  await root.call('PUT', '/api/redemption/?status_only=true', { body: { id: 1, status: 2 } });
  await root.call('DELETE', '/api/redemption/2');
  expect(await redeem('f'.repeat(32))).toMatchObject({ code: 'redemption.unknown-code' });
  expect(await redeem('')).toMatchObject({ code: 'redemption.code-required' });
  expect(await redeem(first)).toMatchObject({ code: 'redemption.disabled' });
  expect(await redeem(second)).toMatchObject({ code: 'redemption.unknown-code' });
});

test('a used code can be neither changed nor enabled', async () => {
  const [code] = await codes(1);
  await redeem(code);
  const put = async (url: string, body: object) => (await root.call('PUT', url, { body })).body;
  expect(await put('/api/redemption/', { id: 1, name: 'x', quota: 9 })).toMatchObject({
    code: 'redemption.already-used',
  });
  expect(await put('/api/redemption/?status_only=true', { id: 1, status: 1 })).toMatchObject({
    code: 'redemption.already-used',
  });
});

test('a repeated creation answers the codes of the first time', async () => {
  const headers = { 'idempotency-key': 'wish-1' };
  const first = await create({ count: 3 }, headers);
  expect(await create({ count: 3 }, headers)).toEqual(first);
  expect(side.events('RedemptionCreated')).toHaveLength(3);
});

test('a batch has 1 to 100 codes of more than nothing', async () => {
  for (const body of [{ count: 0 }, { count: 101 }, { quota: 0 }, { name: '' }]) {
    expect(await create(body)).toMatchObject({ success: false, code: 'request.invalid' });
  }
});

test('an edit answers with who made the code and when', async () => {
  await create({ quota: 5 });
  const edited = { id: 1, name: 'present', quota: 7 };
  const { body } = await root.call('PUT', '/api/redemption/', { body: edited });
  expect(body.data).toMatchObject({ ...edited, user_id: 1, redeemed_time: 0, used_user_id: 0 });
  expect((body.data as { created_time: number }).created_time).toBeGreaterThan(0);
});

test('twenty connections that redeem one code at the same moment credit it once', async () => {
  const [code = ''] = await codes(1);
  const before = (await balance()) ?? 0;
  const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(code)));
  expect(answers.filter(({ success }) => success)).toHaveLength(1);
  expect(await balance()).toBe(before + 700);
  expect(side.events('RedemptionRedeemed')).toHaveLength(1);
});

test('a code is redeemed neither by its maker nor by the person who set its quota', async () => {
  const own = { success: false, code: 'redemption.own-code' };
  const redeemAs = async (person: Person, key: unknown) =>
    (await person.call('POST', '/api/user/topup', { body: { key } })).body;
  const [first, second] = await codes(2);
  expect(await redeemAs(root, first)).toMatchObject(own);
  await root.call('POST', '/api/user/manage', { body: { id: ada.userId, action: 'promote' } });
  await ada.signIn('ada', 'correct-horse');
  const body = { id: 2, name: 'gift', quota: 1_000_000_000_000 };
  expect((await ada.call('PUT', '/api/redemption/', { body })).body).toMatchObject({
    success: true,
  });
  expect(await redeem(second)).toMatchObject(own);
  expect(await redeem(first)).toMatchObject({ success: true, data: 700 });
  expect(await balance()).toBe(700);
});

/** What an administrator may bring an account to: 2^53 - 1 at most. */
const setBalance = (target: number) =>
  root.call('PUT', '/api/user/', { body: { id: ada.userId, username: 'ada', quota: target } });

test('an account that cannot hold what a code brings leaves the code unused', async () => {
  const [first, second] = await codes(2);
  await setBalance(Number.MAX_SAFE_INTEGER - 100);
  expect(await balance()).toBe(Number.MAX_SAFE_INTEGER - 100);
  const refused = await redeem(first);
  expect(refused).toMatchObject({ success: false, code: 'redemption.account-full' });
  expect(refused.message).toBe(
    'The account can take in 0 more and this code brings 700; the code was not used',
  );
  expect(side.events('RedemptionRedeemed')).toEqual([]);
  await setBalance(1_000);
  expect(await redeem(first)).toMatchObject({ success: true, data: 700 });
  expect(await redeem(second)).toMatchObject({ success: true, data: 700 });
  expect(await balance()).toBe(2_400);
});

test('codes that are redeemed at the same moment are credited, each within the room', async () => {
  const made = await codes(8);
  await setBalance(2 ** 52 - 1 - 700);
  const answers = await Promise.all(made.map((code) => redeem(code)));
  const redeemed = answers.filter(({ success }) => success).length;
  expect(redeemed).toBeGreaterThanOrEqual(1);
  expect(await balance()).toBe(2 ** 52 - 1 - 700 + redeemed * 700);
});

test('earnings that the account cannot hold stay to be transferred', async () => {
  const amount = 500_000;
  const rewarded = { userId: ada.userId, amount, inviteeId: 9 };
  await side.keeper.execute(anAccountCommand('RewardReferral', rewarded, { commandId: 'earned' }));
  await setBalance(Number.MAX_SAFE_INTEGER - 100);
  const transfer = async () =>
    (await ada.call('POST', '/api/user/aff_transfer', { body: { quota: amount } })).body;
  expect(await transfer()).toMatchObject({ success: false, code: 'account.overflow' });
  await setBalance(0);
  expect(await transfer()).toMatchObject({ success: true });
  expect(await balance()).toBe(amount);
});
