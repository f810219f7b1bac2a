import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConsoleClient, setUpSite } from '../support/console-client.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { type Product, removeData, startProduct } from '../support/product.ts';

let product: Product;
let mails: MailServer;
let root: ConsoleClient;
const address = 'ada@example.com';
const password = 'correct-horse';

beforeAll(async () => {
  mails = await startMailServer();
  product = await startProduct();
  root = await setUpSite(product.url);
  const options = {
    SMTPServer: '127.0.0.1',
    SMTPPort: String(mails.port),
    SMTPAccount: 'desk@tollgate.test',
    SMTPToken: 'postbox-secret',
    ServerAddress: product.url,
    EmailVerificationEnabled: 'true',
  };
  for (const [key, value] of Object.entries(options)) {
    await root.ok('PUT', '/api/option/', { key, value });
  }
});
afterAll(async () => {
  await product?.stop();
  await mails?.close();
  if (product !== undefined) removeData(product);
});

const lastMail = (): string => mails.received.at(-1)?.text ?? '';

test('a person proves an address, forgets the password and gets a new one by mail', async () => {
  const ada = new ConsoleClient(product.url);
  await ada.ok('GET', `/api/verification?email=${address}`);
  const code = /<strong>([0-9a-f]{6})<\/strong>/.exec(lastMail())?.[1];
  expect(mails.received).toMatchObject([{ to: [address] }]);
  await ada.ok('POST', '/api/user/register', {
    username: 'ada',
    password,
    email: address,
    verification_code: code,
  });
  await ada.login('ada', password);
  expect(await ada.ok('GET', '/api/user/self')).toMatchObject({ username: 'ada', email: address });

  await new ConsoleClient(product.url).ok('GET', `/api/reset_password?email=${address}`);
  const token = /token=([0-9a-f]{32})/.exec(lastMail())?.[1];
  expect(lastMail()).toContain(`${product.url}/user/reset?email=`);
  const reset = new ConsoleClient(product.url);
  const renewed = await reset.ok<string>('POST', '/api/user/reset', { email: address, token });

  expect(await ada.call('GET', '/api/user/self')).toMatchObject({ code: 'auth.not-signed-in' });
  await expect(ada.login('ada', password)).rejects.toThrow();
  await ada.login(address, renewed);
  expect(await ada.ok('GET', '/api/user/self')).toMatchObject({ username: 'ada' });
});

test('neither the password of the mail server nor a reset link is readable in the log', () => {
  const log = product.log();
  expect(log).not.toContain('postbox-secret');
  const token = /token=([0-9a-f]{32})/.exec(lastMail())?.[1] ?? '';
  expect(token).not.toBe('');
  expect(log).not.toContain(token);
});
