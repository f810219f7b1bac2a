import { expect, test } from 'vitest';
import type { UserRegistered } from '../../../domain/user/events.ts';
import { password, startUserSides } from '../../../tests/support/user-side.ts';
import { rootUser } from '../../../tests/support/write-side.ts';

const site = startUserSides();
const { balanceOf, setOption, register, signedIn } = site;

test('signing in answers who it is, and no secret', async () => {
  const { body } = await site.side.person().signIn('ROOT ', rootUser.password);
  expect(body).toMatchObject({
    success: true,
    message: '',
    data: { id: 1, username: 'root', display_name: 'root', role: 100, status: 1, group: 'default' },
  });
  expect(body.data).toMatchObject({ password: '', access_token: null, DeletedAt: null });
});

test('a wrong password, an unknown name and a ban get the same answer', async () => {
  await register({ username: 'ada' });
  const ada = await signedIn('ada');
  await site.root.call('POST', '/api/user/manage', { body: { id: ada.userId, action: 'disable' } });
  const answers = await Promise.all([
    site.side.person().signIn('root', 'wrong'),
    site.side.person().signIn('nobody', 'wrong'),
    site.side.person().signIn('ada', password),
  ]);
  const [first] = answers.map(({ body }) => body);
  expect(first).toMatchObject({ success: false, code: 'auth.wrong-credentials' });
  for (const { body } of answers) expect(body).toEqual(first);
});

test('whoever registers gets the quota for new users, once their books are open', async () => {
  await setOption('QuotaForNewUser', 5_000);
  expect((await register({ username: 'ada' })).body).toMatchObject({ success: true });
  const ada = await signedIn('ada');
  expect(ada.userId).toBe(2);
  expect(await balanceOf(ada.userId)).toBe(5_000);
});

test('an invitation rewards both sides', async () => {
  await setOption('QuotaForInvitee', 300);
  await setOption('QuotaForInviter', 600_000);
  const [{ affCode } = { affCode: '' }] =
    site.side.events<UserRegistered['data']>('UserRegistered');
  await register({ username: 'ada', aff_code: affCode });
  const ada = await signedIn('ada');
  expect(await balanceOf(ada.userId)).toBe(300);
  const transfer = { body: { quota: 600_000 } };
  const moved = await site.root.call('POST', '/api/user/aff_transfer', transfer);
  expect(moved.body).toMatchObject({ success: true });
  expect(await balanceOf(1)).toBe(100_600_000);
  const again = await site.root.call('POST', '/api/user/aff_transfer', transfer);
  expect(again.body).toMatchObject({ success: false, code: 'account.reward-exhausted' });
});

test('an invitation code without an owner is silently ignored', async () => {
  const { body } = await register({ username: 'ada', aff_code: 'zzzz' });
  expect(body).toMatchObject({ success: true });
  expect(site.side.events<UserRegistered['data']>('UserRegistered').at(-1)?.inviterId).toBeNull();
});

test('a name is taken once, whatever its case, also after its owner has left', async () => {
  await register({ username: 'ada' });
  expect((await register({ username: 'ADA' })).body).toMatchObject({ code: 'user.name-taken' });
  const ada = await signedIn('ada');
  await ada.call('DELETE', '/api/user/self');
  expect((await register({ username: 'ada' })).body).toMatchObject({ code: 'user.name-taken' });
});

test('of twenty registrations of one name at one moment one succeeds', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => register({ username: 'ada' })),
  );
  expect(answers.filter(({ body }) => body.success)).toHaveLength(1);
});

test('registration can be switched off', async () => {
  await setOption('RegisterEnabled', 'false');
  expect((await register({ username: 'ada' })).body).toMatchObject({
    success: false,
    code: 'user.registration-off',
  });
});

test('bad registrations name the field', async () => {
  const short = await register({ username: 'ada', password: 'short' });
  expect(short.body).toMatchObject({
    success: false,
    code: 'request.invalid',
    message: 'Invalid parameters: password must be at least 8 characters',
  });
  expect((await register({ username: 'a@b' })).body).toMatchObject({ code: 'request.invalid' });
});

test('a new password needs the old one, and ends every other session', async () => {
  const other = await signedIn('root');
  const change = (original: string) =>
    site.root.call('PUT', '/api/user/self', {
      body: { password: 'another-horse', original_password: original },
    });
  expect((await change('wrong')).body).toMatchObject({ code: 'user.wrong-password' });
  expect((await change(rootUser.password)).body).toMatchObject({ success: true });
  expect((await other.call('PUT', '/api/user/self', { body: {} })).statusCode).toBe(401);
  expect((await site.root.call('PUT', '/api/user/self', { body: {} })).statusCode).toBe(200);
  expect((await site.side.person().signIn('root', 'another-horse')).body).toMatchObject({
    success: true,
  });
});

test('a person changes name and display name; the old name stays theirs', async () => {
  await register({ username: 'ada' });
  const ada = await signedIn('ada');
  const body = { username: 'countess', display_name: 'Ada L.' };
  expect((await ada.call('PUT', '/api/user/self', { body })).body).toMatchObject({ success: true });
  expect((await site.side.person().signIn('ada', password)).body).toMatchObject({ success: false });
  expect((await site.side.person().signIn('countess', password)).body).toMatchObject({
    data: { display_name: 'Ada L.' },
  });
  expect((await register({ username: 'ada' })).body).toMatchObject({ code: 'user.name-taken' });
});

test('saving a profile as it is writes nothing', async () => {
  const before = site.side.eventStore.all.length;
  const body = { username: 'root', display_name: 'root' };
  expect((await site.root.call('PUT', '/api/user/self', { body })).body).toMatchObject({
    success: true,
  });
  expect(site.side.eventStore.all).toHaveLength(before);
});

test('who leaves is unreadable from then on, and their tokens stop', async () => {
  await register({ username: 'ada' });
  const ada = await signedIn('ada');
  await ada.call('POST', '/api/token/', { body: { name: 'mine', unlimited_quota: true } });
  expect((await ada.call('DELETE', '/api/user/self/')).body).toMatchObject({ success: true });
  expect(site.side.events('TokenDisabled')).toHaveLength(1);
  const keys: unknown[] = [];
  for await (const key of site.side.eventStore.readStream(`personalKey-${ada.userId}`))
    keys.push(key);
  expect(keys).toEqual([]);
  expect((await site.side.person().signIn('ada', password)).body).toMatchObject({ success: false });
});

test('the super admin cannot leave', async () => {
  const { body } = await site.root.call('DELETE', '/api/user/self');
  expect(body).toMatchObject({ success: false, code: 'user.root-protected' });
});

test('settings demand https, and keep a secret that the form does not send', async () => {
  const save = async (webhook: object) =>
    (
      await site.root.call('PUT', '/api/user/setting', {
        body: { notify_type: 'webhook', quota_warning_threshold: 500_000, ...webhook },
      })
    ).body;
  expect(await save({ webhook_url: 'http://x.test' })).toMatchObject({
    code: 'user.webhook-not-https',
  });
  const url = { webhook_url: 'https://x.test/hook' };
  expect(await save({ ...url, webhook_secret: 's3cret' })).toMatchObject({ success: true });
  expect(await save({ ...url, accept_unset_model_ratio_model: true })).toMatchObject({
    success: true,
  });
  const saved = site.side.events<{ settings: { webhookSecret: string } }>('UserSettingsChanged');
  expect(saved[1]?.settings.webhookSecret).toBe(saved[0]?.settings.webhookSecret);
  expect(JSON.stringify(saved)).not.toContain('s3cret');
});

test('the secret of a webhook is not sent to another address', async () => {
  const save = async (webhook: object) => {
    const body = { notify_type: 'webhook', quota_warning_threshold: 500_000, ...webhook };
    return (await site.root.call('PUT', '/api/user/setting', { body })).body.message;
  };
  const stored = () =>
    site.side
      .events<{ settings: { webhookSecret: string | null } }>('UserSettingsChanged')
      .map(({ settings }) => settings.webhookSecret !== null);
  await save({ webhook_url: 'https://x.test/hook', webhook_secret: 's3cret' });
  expect(await save({ webhook_url: 'https://evil.test/hook' })).toContain('enter it again');
  await save({ webhook_url: 'https://x.test/hook' });
  expect(await save({ webhook_url: 'https://y.test/hook', webhook_secret: 'other' })).toBe(
    'Settings saved',
  );
  expect(stored()).toEqual([true, false, false, true]);
});

test('a registration that is sent again under its key is done once', async () => {
  const send = (body: object) =>
    site.side.person().call('POST', '/api/user/register', {
      body: { username: 'ada', password, ...body },
      headers: { 'idempotency-key': 'wish-1' },
    });
  expect((await send({})).body).toMatchObject({ success: true });
  expect((await send({})).body).toMatchObject({ success: true });
  expect(site.side.events('UserRegistered')).toHaveLength(2);
  expect((await send({ password: 'another-horse' })).body).toMatchObject({
    success: false,
    code: 'request.idempotency-conflict',
  });
});

test('every event contains the actor, the address, and the request id', async () => {
  const answer = await site.root.call('POST', '/api/user/', {
    body: { username: 'ada', password },
  });
  const made = site.side.eventStore.all.findLast(({ event }) => event.type === 'UserRegistered');
  expect(made?.metadata).toMatchObject({
    actor: { kind: 'admin', id: '1', ip: '127.0.0.1' },
    correlationId: answer.headers['x-request-id'],
  });
});

test('no name or address of a person is readable in the log', async () => {
  await register({ username: 'ada' });
  const ada = await signedIn('ada');
  await ada.call('PUT', '/api/user/self', { body: { display_name: 'Ada Lovelace' } });
  const log = JSON.stringify(site.side.eventStore.all, (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  expect(log).not.toContain('Lovelace');
  expect(log).not.toContain(password);
});
