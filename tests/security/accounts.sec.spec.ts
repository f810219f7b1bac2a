import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConsoleClient, rootUser, setUpSite } from '../support/console-client.ts';
import { type Product, removeData, startProduct } from '../support/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(async () => {
  await product.stop();
  removeData(product);
});

test.each(['password', '12345678', '        ', 'short'])(
  'the site is not set up with the password "%s"',
  async (password) => {
    const body = { username: 'root', password, confirmPassword: password };
    const answer = await new ConsoleClient(product.url).call('POST', '/api/setup', body);
    expect(answer).toMatchObject({
      success: false,
      code: expect.stringMatching(/^user\.password-(common|blank|too-short)$/),
    });
  },
);

test('no user takes a name that passes for the administrator, and others have theirs', async () => {
  const root = await setUpSite(product.url);
  const create = async (username: string) =>
    (await root.call('POST', '/api/user/', { username, password: 'correct-horse' })).code;
  for (const name of ['root\u200b', '\u202etoor', 'ro\u00adot']) {
    expect(await create(name), JSON.stringify(name)).toBe('user.name-invisible');
  }
  for (const name of ['rооt', 'r00t', 'Rоot']) {
    expect(await create(name), name).toBe('user.name-lookalike');
  }
  expect(await create('ROOT')).toBe('user.name-taken');
  for (const name of ['robot', 'иван', '小明']) expect(await create(name), name).toBeUndefined();
  const self = await root.call('PUT', '/api/user/self', {
    original_password: rootUser.password,
    password: rootUser.password,
  });
  expect(self).toMatchObject({ code: 'user.password-unchanged' });
});
