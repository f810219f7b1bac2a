import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addChannel, ConsoleClient, setUpSite } from '../support/console-client.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { type Product, removeData, startProduct } from '../support/product.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

const password = 'correct-horse';
const channelKey = 'sk-UPSTREAMSECRET123';
const mailPassword = 'postbox-secret';
const botToken = '1234:the-real-bot';
const rootMail = 'root@example.com';
const rootTelegram = '4242';

let product: Product;
let root: ConsoleClient;
let admin: ConsoleClient;
/** What the site means to talk to, and what the attacker listens on. */
let mails: MailServer;
let evilMails: MailServer;
let provider: StubProvider;
let evilProvider: StubProvider;

const telegramPath = (kind: 'bind' | 'login', token: string): string => {
  const fields = { auth_date: String(Math.floor(Date.now() / 1_000)), id: rootTelegram };
  const text = `auth_date=${fields.auth_date}\nid=${fields.id}`;
  const key = createHash('sha256').update(token).digest();
  const hash = createHmac('sha256', key).update(text).digest('hex');
  return `/api/oauth/telegram/${kind}?${new URLSearchParams({ ...fields, hash })}`;
};
const mailsOfRoot = (server: MailServer) => server.received.filter(({ to }) => to[0] === rootMail);

beforeAll(async () => {
  [mails, evilMails] = await Promise.all([startMailServer(), startMailServer()]);
  [provider, evilProvider] = await Promise.all([
    startStubProvider({ record: true }),
    startStubProvider({ record: true }),
  ]);
  product = await startProduct();
  root = await setUpSite(product.url);
  const options = {
    SMTPServer: '127.0.0.1',
    SMTPPort: String(mails.port),
    SMTPAccount: 'desk@tollgate.test',
    SMTPToken: mailPassword,
    ServerAddress: product.url,
    TelegramBotToken: botToken,
    TelegramOAuthEnabled: 'true',
  };
  for (const [key, value] of Object.entries(options)) {
    await root.ok('PUT', '/api/option/', { key, value });
  }
  await root.ok('GET', `/api/verification?email=${rootMail}`);
  const code = /<strong>([0-9a-f]{6})<\/strong>/.exec(mails.received.at(-1)?.text ?? '')?.[1];
  await root.ok('GET', `/api/oauth/email/bind?email=${rootMail}&code=${code}`);
  const bound = await fetch(`${product.url}${telegramPath('bind', botToken)}`, {
    headers: root.headers,
    redirect: 'manual',
  });
  expect(bound.status).toBe(302);
  await addChannel(root, provider.url, { key: channelKey, tag: 'prod' });
  await root.ok('POST', '/api/user/', { username: 'mallory', password });
  admin = new ConsoleClient(product.url);
  await admin.login('mallory', password);
  await root.ok('POST', '/api/user/manage', { id: admin.userId, action: 'promote' });
  await admin.login('mallory', password);
});
afterAll(async () => {
  await product?.stop();
  await Promise.all([mails, evilMails, provider, evilProvider].map((server) => server?.close()));
  if (product !== undefined) removeData(product);
});

const refused = { success: false, code: 'option.forbidden' };
const keyNeeded = { success: false, code: 'channel.key-needed' };
const put = (person: ConsoleClient, key: string, value: string, secret?: string) =>
  person.call('PUT', '/api/option/', { key, value, secret });

describe('an administrator who tries to become the super admin', () => {
  test('does not sign in by a Telegram bot of their own', async () => {
    const visitor = new ConsoleClient(product.url);
    expect(await visitor.call('GET', telegramPath('login', botToken))).toMatchObject({
      success: true,
      data: { role: 100 },
    });
    expect(await put(admin, 'TelegramBotToken', '666:mine')).toMatchObject(refused);
    expect(await put(admin, 'TelegramBotName', 'my_bot')).toMatchObject(refused);
    for (const token of ['666:mine', '']) {
      expect(await visitor.call('GET', telegramPath('login', token))).toMatchObject({
        success: false,
        code: 'login.telegram-invalid',
      });
    }
  });

  test("does not read the super admin's mail, nor the password of the mail server", async () => {
    expect(await put(admin, 'SMTPServer', 'localhost')).toMatchObject(refused);
    expect(await put(admin, 'SMTPPort', String(evilMails.port))).toMatchObject(refused);
    expect(await put(admin, 'SMTPPort', String(evilMails.port), 'x')).toMatchObject(refused);
    expect(await put(admin, 'ServerAddress', 'http://evil.example')).toMatchObject(refused);
    const before = mailsOfRoot(mails).length;
    await new ConsoleClient(product.url).ok('GET', `/api/reset_password?email=${rootMail}`);
    expect(mailsOfRoot(mails)).toHaveLength(before + 1);
    expect(mailsOfRoot(mails).at(-1)?.text).toContain(`${product.url}/user/reset?`);
    expect(evilMails.received).toEqual([]);
  });
});

describe('the key of a channel', () => {
  type Made = Readonly<{ ids: readonly number[] }>;
  const testAll = async (): Promise<void> => {
    const rows = await admin.ok<{ id: number }[]>('GET', '/api/channel/?p=0&page_size=100');
    for (const { id } of rows) await admin.call('GET', `/api/channel/test/${id}`);
  };
  beforeEach(() => {
    provider.requests.length = 0;
  });

  const wishes = () => [
    { base_url: evilProvider.url },
    { base_url: evilProvider.url, key: '' },
    { base_url: evilProvider.url, key: ' \n ' },
    { type: 8, base_url: `${evilProvider.url}/v1/chat/completions` },
    { type: 14 },
    { setting: JSON.stringify({ proxy: evilProvider.url }) },
  ];

  test('is not sent to an address, provider or proxy of the attacker', async () => {
    for (const wish of wishes()) {
      expect(await admin.call('PUT', '/api/channel/', { id: 1, ...wish })).toMatchObject(keyNeeded);
      const copy = { copy_from: 1, name: 'copy', ...wish };
      expect(await admin.call('POST', '/api/channel/', copy)).toMatchObject(keyNeeded);
    }
    const record = await admin.ok<object>('GET', '/api/channel/1');
    const whole = { ...record, base_url: evilProvider.url };
    expect(await admin.call('PUT', '/api/channel/', whole)).toMatchObject(keyNeeded);
    const tag = { tag: 'prod', base_url: evilProvider.url, weight: 3 };
    await admin.ok('PUT', '/api/channel/tag', tag);
    await testAll();
    expect(provider.requests.map(({ authorization }) => authorization)).toEqual([
      `Bearer ${channelKey}`,
    ]);
    expect(evilProvider.requests).toEqual([]);
  });

  test('goes along with a copy that stays where it was', async () => {
    const copy = { copy_from: 1, name: 'copy' };
    const { ids } = await admin.ok<Made>('POST', '/api/channel/', copy);
    await admin.ok('DELETE', `/api/channel/${ids[0]}`);
  });

  test('that was entered again is the only one that a new address sees', async () => {
    const moved = { id: 1, base_url: evilProvider.url, key: 'sk-of-the-new-address' };
    await admin.ok('PUT', '/api/channel/', moved);
    await testAll();
    expect(evilProvider.requests.map(({ authorization }) => authorization)).toEqual([
      'Bearer sk-of-the-new-address',
    ]);
    expect(provider.requests).toEqual([]);
  });
});

test('a mail server that root moves gets no password that was entered for another', async () => {
  const answer = await put(root, 'SMTPPort', String(evilMails.port));
  expect(answer).toMatchObject({ success: true, data: { secret_needed: 'SMTPToken' } });
  expect(answer.message).toContain('SMTPToken');
  await new ConsoleClient(product.url).call('GET', `/api/reset_password?email=${rootMail}`);
  expect(evilMails.passwords).toEqual([]);
  await put(root, 'SMTPPort', String(mails.port), 'entered-again');
  const before = mailsOfRoot(mails).length;
  await new ConsoleClient(product.url).ok('GET', `/api/reset_password?email=${rootMail}`);
  expect(mailsOfRoot(mails)).toHaveLength(before + 1);
  expect(mails.passwords.at(-1)).toBe('entered-again');
  expect(mails.passwords[0]).toBe(mailPassword);
});
