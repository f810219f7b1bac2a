import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleClient, setUpSite } from '../support/console-client.ts';
import { eventually, type Product, removeData, startProduct } from '../support/product.ts';

let product: Product;
let root: ConsoleClient;
beforeAll(async () => {
  product = await startProduct({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
  root = await setUpSite(product.url);
});
afterAll(async () => {
  await product.stop();
  removeData(product);
});

const password = 'correct-horse';
/** As a proxy in front would send it on. */
const call = async (path: string, body: object, ip: string) => {
  const answer = await fetch(product.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': ip,
      'accept-language': 'en',
    },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, ...JSON.parse(text || '{}') };
};
const login = (username: string, secret: string, ip: string) =>
  call('/api/user/login', { username, password: secret }, ip);
const network = (nth: number) => `10.${nth >> 8}.${nth & 255}.9`;
const member = async (username: string) => {
  await root.ok('POST', '/api/user/', { username, password });
};
type Found = Readonly<{ items: readonly Readonly<{ type: string; after: string }>[] }>;

describe('two hundred guesses at one account', () => {
  test('out of as many networks keep the right password out of no fresh one', async () => {
    await member('ada');
    const guesses = Array.from({ length: 200 }, (_, nth) => login('ada', 'wrong', network(nth)));
    const codes = new Set((await Promise.all(guesses)).map(({ code }) => code));
    expect(codes).toEqual(new Set(['auth.wrong-credentials']));
    expect(await login('ada', password, '198.51.100.7')).toMatchObject({ success: true });
  });

  test('out of one network are ten, and its other users are not in the way', async () => {
    await member('bob');
    const seen: Record<string, number> = {};
    for (let nth = 0; nth < 200; nth += 1) {
      const { code } = await login('bob', 'wrong', `203.0.113.${nth + 1}`);
      seen[code] = (seen[code] ?? 0) + 1;
    }
    expect(seen).toEqual({ 'auth.wrong-credentials': 10, 'auth.too-many-attempts': 190 });
    expect(await login('bob', password, '203.0.113.250')).toMatchObject({
      code: 'auth.too-many-attempts',
    });
    expect(await login('ada', password, '203.0.113.250')).toMatchObject({ success: true });
    expect(await login('bob', password, '198.51.100.7')).toMatchObject({ success: true });
  });

  test('are in the audit trail, with the number and without the address', async () => {
    await eventually(async () => {
      const { items } = await root.ok<Found>('GET', '/api/audit?p=1&page_size=100');
      const failed = items.filter(({ type }) => type === 'UserLoginFailed');
      expect(failed.length).toBeGreaterThanOrEqual(2);
      expect(JSON.stringify(failed)).not.toMatch(/203\.0\.113|10\.0\./);
    });
  });
});

test('one address gets twenty calls at everything that guesses', async () => {
  const answers: number[] = [];
  for (let nth = 0; nth < 25; nth += 1) {
    answers.push((await login(`ghost-${nth}`, 'wrong', '192.0.2.44')).status);
  }
  expect(answers.filter((status) => status === 200)).toHaveLength(20);
  expect(answers.filter((status) => status === 429)).toHaveLength(5);
});

test('addresses of one IPv6 network are one caller', async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, nth) => login(`x-${nth}`, 'wrong', `2001:db8::${nth + 1}`)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
});
