import { afterEach, beforeEach } from 'vitest';
import { type Person, startWriteSide, type WriteSide } from './write-side.ts';

export const password = 'correct-horse';

/** For each test of a file: a write side with its first administrator, and how users come and go. */
export const startUserSides = () => {
  let side: WriteSide;
  let root: Person;
  beforeEach(async () => {
    side = await startWriteSide();
    root = await side.root();
  });
  afterEach(() => side.stop());

  return {
    get side() {
      return side;
    },
    get root() {
      return root;
    },
    balanceOf: async (userId: number) => (await side.keeper.summary(userId))?.balance,
    setOption: (key: string, value: string | number) =>
      root.call('PUT', '/api/option/', { body: { key, value } }),
    register: (body: object) =>
      side.person().call('POST', '/api/user/register', { body: { password, ...body } }),
    signedIn: async (username: string, secret = password): Promise<Person> => {
      const person = side.person();
      await person.signIn(username, secret);
      return person;
    },
  };
};
