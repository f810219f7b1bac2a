import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConsoleClient, setUpSite } from '../support/console-client.ts';
import { type Product, removeData, startProduct } from '../support/product.ts';
import { enrolTotp } from '../support/second-factor.ts';
import { type OptionCase, optionCases } from './option-table.ts';

let product: Product;
const people: Partial<Record<1 | 10 | 100 | 'visitor', ConsoleClient>> = {};
const password = 'correct-horse';

const signedIn = async (root: ConsoleClient, username: string, isAdmin: boolean) => {
  await root.ok('POST', '/api/user/', { username, password });
  const person = new ConsoleClient(product.url);
  await person.login(username, password);
  if (!isAdmin) return person;
  await root.ok('POST', '/api/user/manage', { id: person.userId, action: 'promote' });
  await person.login(username, password);
  return person;
};

beforeAll(async () => {
  product = await startProduct();
  const root = await setUpSite(product.url);
  people[100] = root;
  people[1] = await signedIn(root, 'user', false);
  people[10] = await signedIn(root, 'admin', true);
  people.visitor = new ConsoleClient(product.url);
});
afterAll(async () => {
  await product?.stop();
  if (product !== undefined) removeData(product);
});

const as = (who: 1 | 10 | 100 | 'visitor'): ConsoleClient => {
  const person = people[who];
  if (person === undefined) throw new Error(`there is no ${who}`);
  return person;
};
type Row = Readonly<{ key: string; value: string; writer?: number }>;
const listed = async (who: 10 | 100 = 100): Promise<readonly Row[]> =>
  as(who).ok<Row[]>('GET', '/api/option/');
const storedValue = async (key: string): Promise<string | undefined> =>
  (await listed()).find((row) => row.key === key)?.value;
const put = (who: 1 | 10 | 100 | 'visitor', { key, value }: OptionCase) =>
  as(who).call('PUT', '/api/option/', { key, value });

test('the table has every option there is, and each one once', async () => {
  const keys = optionCases.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  const shown = optionCases.filter(({ isSecret }) => !isSecret).map(({ key }) => key);
  expect((await listed()).map(({ key }) => key).sort()).toEqual([...shown].sort());
});

describe.each(optionCases)('$key is written by role $writer and above', (option) => {
  const { key, writer, value, isSecret } = option;

  test('lower roles do not change it', async () => {
    const before = await storedValue(key);
    expect(await put('visitor', option)).toMatchObject({ code: 'auth.not-signed-in' });
    expect(await put(1, option)).toMatchObject({ success: false, code: 'auth.not-allowed' });
    if (writer === 100) {
      expect(await put(10, option)).toMatchObject({ success: false, code: 'option.forbidden' });
    }
    expect(await storedValue(key)).toBe(before);
  });

  test('its writers change it', async () => {
    const before = await storedValue(key);
    // Without one they could not read it afterwards.
    if (key === 'SecondFactorRequiredOfAdmins') {
      await enrolTotp(as(100));
      await enrolTotp(as(10));
    }
    expect(before).not.toBe(value);
    expect(await put(writer, option)).toMatchObject({ success: true });
    expect(await storedValue(key)).toBe(isSecret ? undefined : value);
  });
});

test('the list shows who writes what, to administrators too', async () => {
  const rows = await listed(10);
  const expected = optionCases.filter(({ isSecret }) => !isSecret);
  expect(new Map(rows.map(({ key, writer }) => [key, writer]))).toEqual(
    new Map(expected.map(({ key, writer }) => [key, writer])),
  );
});

test('what an administrator is shown holds no secret', async () => {
  const text = JSON.stringify([await listed(10), await as(10).ok('GET', '/api/status')]);
  for (const { value } of optionCases.filter(({ isSecret }) => isSecret)) {
    expect(text).not.toContain(value);
  }
});

test('ratios go back to their defaults by an administrator, and by no lower role', async () => {
  const path = '/api/option/rest_model_ratio';
  expect(await as(1).call('POST', path)).toMatchObject({ code: 'auth.not-allowed' });
  expect(await as('visitor').call('POST', path)).toMatchObject({ code: 'auth.not-signed-in' });
  expect(await as(10).call('POST', path)).toMatchObject({ success: true });
});

test('only the super admin reads the addresses of an OpenID provider', async () => {
  const path = '/api/option/oidc_discovery';
  const body = { well_known: 'http://127.0.0.1:9/.well-known/openid-configuration' };
  expect(await as(10).call('POST', path, body)).toMatchObject({ code: 'auth.not-allowed' });
  expect(await as(100).call('POST', path, body)).toMatchObject({ success: false });
});
