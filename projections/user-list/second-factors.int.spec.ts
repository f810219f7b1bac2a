import { afterAll, beforeAll, expect, test } from 'vitest';
import { siteStreamId } from '../../domain/site/stream.ts';
import { people, type ReadApi, startReadApi } from '../../tests/support/read-api.ts';
import { signedIn } from '../../tests/support/read-side-story.ts';
import {
  aPasskeyAdded,
  aRecoveryCodesIssued,
  aTotpEnrolled,
} from '../../tests/support/user-examples.ts';

const { ada, root } = people;
const userId = ada;
const purpose = 'sign-in';
let api: ReadApi;
beforeAll(async () => {
  api = await startReadApi();
});
afterAll(() => api.stop());

const factors = (of: number = ada) => api.data('/api/user/second_factors', of);
const isListed = async () => {
  const { items } = await api.data('/api/user/', root, '?p=1&page_size=50');
  return items.find(({ id }) => id === ada)?.second_factor;
};
const none = { totp: null, passkeys: [], recovery_codes_left: 0, required: false };

test('a person sees their factors, and administrators whether there is one', async () => {
  const { append, settle } = api.side;
  expect(await factors()).toEqual(none);
  expect(await isListed()).toBe(false);
  const stream = `user-${ada}`;
  await append(stream, aTotpEnrolled({ userId }));
  await append(stream, aRecoveryCodesIssued(['a', 'b', 'c'], { userId }));
  await append(stream, { type: 'RecoveryCodeUsed', data: { userId, codeHash: 'a', purpose } });
  await append(stream, { type: 'TotpCodeUsed', data: { userId, timeStep: 101, purpose } });
  await settle();
  const used = expect.any(Number);
  expect(await factors()).toEqual({
    ...none,
    totp: { added_at: used, used_at: used },
    recovery_codes_left: 2,
  });
  expect((await factors()).totp?.used_at).toBeGreaterThan(0);
  expect(await isListed()).toBe(true);
});

test('where the site demands one, administrators without it read what users read', async () => {
  const { append, settle } = api.side;
  const key = 'SecondFactorRequiredOfAdmins';
  const option = (value: string) => ({
    type: 'OptionChanged',
    data: { key, value, previous: '' },
  });
  await append(siteStreamId, option('true'));
  await settle();
  const list = () => api.get('/api/user/?p=1', signedIn(root));
  const refused = await list();
  expect(refused.status).toBe(403);
  expect(refused.body).toMatchObject({ code: 'auth.second-factor-not-enrolled' });
  expect(await factors(root)).toEqual({ ...none, required: true });
  expect(await factors()).toMatchObject({ required: false });
  await append(`user-${root}`, aTotpEnrolled({ userId: root }));
  await settle();
  expect((await list()).status).toBe(200);
  await append(siteStreamId, option('false'));
  await settle();
});

test('a rebuild shows the same, and recovery codes go with the last factor', async () => {
  const { append, settle, projections } = api.side;
  const before = await factors();
  await projections.rebuild('user-list', () => undefined);
  expect(await factors()).toEqual(before);
  await append(`user-${ada}`, aPasskeyAdded({ userId, name: 'not sealed for this person' }));
  await append(`user-${ada}`, { type: 'TotpRemoved', data: { userId } });
  await settle();
  const [row] = await api.side.rows<{ second_factors: string }>(
    `SELECT second_factors FROM user_list.users WHERE id = ${ada}`,
  );
  expect(JSON.parse(row?.second_factors ?? '')).toMatchObject({ recoveryCodes: 2, totp: null });
  const credentialId = aPasskeyAdded().data.credentialId;
  await append(`user-${ada}`, { type: 'PasskeyRemoved', data: { userId, credentialId } });
  await settle();
  expect(await factors()).toEqual(none);
  expect(await isListed()).toBe(false);
});
