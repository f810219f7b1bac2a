import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Person, startWriteSide, type WriteSide } from '../../../tests/support/write-side.ts';

let side: WriteSide;
let root: Person;
const password = 'correct-horse';
const address = 'ada@example.com';

beforeEach(async () => {
  side = await startWriteSide();
  root = await side.root();
  await options({
    SMTPServer: 'mail.test',
    SMTPPort: '465',
    SMTPAccount: 'desk@tollgate.test',
    SMTPToken: 'postbox-secret',
    SystemName: 'Toll & Gate',
    ServerAddress: 'https://gate.test',
  });
});
afterEach(() => side.stop());

const options = async (values: Record<string, string>) => {
  for (const [key, value] of Object.entries(values)) {
    await root.call('PUT', '/api/option/', { body: { key, value } });
  }
};
const visitor = () => side.person();
const askForCode = async (email = address) =>
  (await visitor().call('GET', `/api/verification?email=${encodeURIComponent(email)}`)).body;
const askForReset = async (email = address) =>
  (await visitor().call('GET', `/api/reset_password?email=${encodeURIComponent(email)}`)).body;
const reset = async (token: string, email = address) =>
  (await visitor().call('POST', '/api/user/reset', { body: { email, token } })).body;
const lastMail = () => side.mails.at(-1)?.html ?? '';
const lastCode = () => /<strong>([0-9a-f]{6})<\/strong>/.exec(lastMail())?.[1] ?? '';
const lastToken = () => /token=([0-9a-f]{32})/.exec(lastMail())?.[1] ?? '';
const register = async (body: object) =>
  (await visitor().call('POST', '/api/user/register', { body: { password, ...body } })).body;
const adaWithAddress = async () => {
  await options({ EmailVerificationEnabled: 'true' });
  await askForCode();
  await register({ username: 'ada', email: address, verification_code: lastCode() });
};

test('a code goes out through the server that the operator set', async () => {
  expect(await askForCode()).toMatchObject({ success: true });
  expect(side.mails).toMatchObject([
    {
      to: address,
      server: {
        host: 'mail.test',
        port: 465,
        tls: true,
        account: 'desk@tollgate.test',
        password: 'postbox-secret',
        from: 'desk@tollgate.test',
        senderName: 'Toll & Gate',
      },
    },
  ]);
  expect(lastCode()).not.toBe('');
  expect(lastMail()).toContain('Toll &amp; Gate');
});

test('while addresses are to be verified, an account needs the code of its address', async () => {
  await options({ EmailVerificationEnabled: 'true' });
  expect(await register({ username: 'ada' })).toMatchObject({ code: 'user.email-code-needed' });
  await askForCode();
  const code = lastCode();
  const ada = { username: 'ada', email: address };
  expect(await register({ ...ada, verification_code: 'ffffff' })).toMatchObject({
    code: 'user.email-code-wrong',
  });
  const stolen = { username: 'eve', email: 'eve@example.com', verification_code: code };
  expect(await register(stolen)).toMatchObject({ code: 'user.email-code-wrong' });
  expect(await register({ ...ada, verification_code: code })).toMatchObject({ success: true });
  expect(await visitor().signIn(address, password)).toMatchObject({ body: { success: true } });
  expect(await askForCode()).toMatchObject({ code: 'user.email-taken' });
  expect(JSON.stringify(side.eventStore.all.map(({ event }) => event))).not.toContain(address);
});

test('five wrong guesses void a code', async () => {
  await options({ EmailVerificationEnabled: 'true' });
  await askForCode();
  const code = lastCode();
  const body = { username: 'ada', email: address };
  for (let nth = 0; nth < 5; nth += 1) await register({ ...body, verification_code: 'zzzzzz' });
  expect(await register({ ...body, verification_code: code })).toMatchObject({
    code: 'user.email-code-wrong',
  });
});

test('a new code voids the one before', async () => {
  await options({ EmailVerificationEnabled: 'true' });
  await askForCode();
  const first = lastCode();
  await askForCode();
  const body = { username: 'ada', email: address };
  expect(await register({ ...body, verification_code: first })).toMatchObject({ success: false });
  expect(await register({ ...body, verification_code: lastCode() })).toMatchObject({
    success: true,
  });
});

test('the operator decides which addresses may register', async () => {
  expect(await askForCode('nobody')).toMatchObject({ code: 'user.email-invalid' });
  await options({ EmailDomainWhitelist: 'gate.test', EmailDomainRestrictionEnabled: 'true' });
  expect(await askForCode()).toMatchObject({ code: 'user.email-domain-not-allowed' });
  expect(await askForCode('ada@GATE.test')).toMatchObject({ success: true });
  await options({ EmailAliasRestrictionEnabled: 'true' });
  expect(await askForCode('ada+1@gate.test')).toMatchObject({
    code: 'user.email-alias-not-allowed',
  });
});

test('without a mail server nothing is promised', async () => {
  await options({ SMTPServer: '' });
  expect(await askForCode()).toMatchObject({ code: 'mail.not-configured' });
});

test('a forgotten password is replaced once, and every session ends', async () => {
  await adaWithAddress();
  const ada = visitor();
  await ada.signIn('ada', password);
  expect(await askForReset()).toMatchObject({ success: true });
  expect(lastMail()).toContain('https://gate.test/user/reset?email=ada%40example.com&amp;token=');
  const token = lastToken();
  expect(await reset('0'.repeat(32))).toMatchObject({ code: 'user.reset-link-invalid' });
  const answers = await Promise.all([reset(token), reset(token)]);
  const done = answers.filter(({ success }) => success);
  expect(done).toHaveLength(1);
  expect(done[0]?.data).toMatch(/^[0-9a-f]{12}$/);
  expect(await reset(token)).toMatchObject({ code: 'user.reset-link-invalid' });
  expect((await ada.call('GET', '/api/user/token')).statusCode).toBe(401);
  expect((await visitor().signIn('ada', password)).body).toMatchObject({ success: false });
  const renewed = await visitor().signIn('ada', String(done[0]?.data));
  expect(renewed.body).toMatchObject({ success: true });
});

test('a code for an address does not reset a password', async () => {
  await adaWithAddress();
  await askForReset();
  const token = lastToken();
  expect(await reset(token.slice(0, 6))).toMatchObject({ success: false });
  expect(await askForReset('nobody@example.com')).toMatchObject({ code: 'user.email-unknown' });
});

test('without a code, a taken address is answered like a free one', async () => {
  await adaWithAddress();
  const free = 'free@example.com';
  const guess = { username: 'eve', verification_code: 'ffffff' };
  const registering = [address, free].map((email) => register({ ...guess, email }));
  const [taken, other] = await Promise.all(registering);
  expect(taken).toMatchObject({ code: 'user.email-code-wrong' });
  expect(other).toEqual(taken);
  const bind = async (email: string) =>
    (await root.call('GET', `/api/oauth/email/bind?email=${email}&code=ffffff`)).body;
  expect(await bind(address)).toMatchObject({ code: 'user.email-code-wrong' });
  expect(await bind(free)).toEqual(await bind(address));
  const wrong = '0'.repeat(32);
  expect(await reset(wrong, address)).toEqual(await reset(wrong, free));
});

test('a signed-in person links a free address, and replaces it', async () => {
  await askForCode();
  const bind = async (email: string, code: string) =>
    (await root.call('GET', `/api/oauth/email/bind?email=${email}&code=${code}`)).body;
  expect(await bind(address, 'ffffff')).toMatchObject({ code: 'user.email-code-wrong' });
  expect(await bind(address, lastCode())).toMatchObject({ success: true });
  await askForCode('root@example.com');
  expect(await bind('root@example.com', lastCode())).toMatchObject({ success: true });
  expect(side.events('IdentityLinked')).toHaveLength(2);
  expect(side.events('IdentityUnlinked')).toHaveLength(1);
  expect((await visitor().signIn(address, 'correct-horse')).body).toMatchObject({
    success: false,
  });
});
