import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type Person,
  rootUser,
  startWriteSide,
  type WriteSide,
} from '../../tests/support/write-side.ts';

let side: WriteSide;
let root: Person;

beforeEach(async () => {
  side = await startWriteSide();
  root = await side.root();
});
afterEach(() => side.stop());

test('a new password ends the access token, which another person may have made', async () => {
  const { body } = await root.call('GET', '/api/user/token');
  const machine = side.person();
  machine.userId = root.userId;
  const headers = { authorization: String(body.data) };
  expect((await machine.call('GET', '/api/jobs', { headers })).body.success).toBe(true);
  const changed = await root.call('PUT', '/api/user/self', {
    body: { password: 'another-horse', original_password: rootUser.password },
  });
  expect(changed.body.success).toBe(true);
  expect((await machine.call('GET', '/api/jobs', { headers })).body).toMatchObject({
    success: false,
    code: 'auth.invalid-access-token',
  });
});
