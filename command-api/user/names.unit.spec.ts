import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createMemoryEventStore,
  type MemoryEventStore,
} from '../../tests/support/memory-event-store.ts';
import { type Person, startWriteSide, type WriteSide } from '../../tests/support/write-side.ts';

let side: WriteSide;
let root: Person;
beforeEach(async () => {
  side = await startWriteSide();
  root = await side.root();
});
afterEach(() => side.stop());

const password = 'correct-horse';
const register = async (username: string, from: WriteSide = side) => {
  const body = { username, password };
  return (await from.person().call('POST', '/api/user/register', { body })).body;
};
const create = async (username: string, display_name = '') =>
  (await root.call('POST', '/api/user/', { body: { username, password, display_name } })).body;
const rename = async (person: Person, body: object) =>
  (await person.call('PUT', '/api/user/self', { body })).body;

describe.each([
  ['a zero-width space', 'ro\u200bot'],
  ['a soft hyphen', 'ro\u00adot'],
  ['a right-to-left override', '\u202etoor'],
  ['an isolate', '\u2066ada\u2069'],
  ['a Hangul filler', 'ada\u3164'],
  ['a variation selector', 'ada\ufe0f'],
  ['a blank braille pattern', 'ada\u2800'],
  ['a control character', 'ada\u0007'],
])('a name with %s', (_, name) => {
  test('is refused to all who register, are made, or change theirs', async () => {
    const refused = { success: false, code: 'user.name-invisible' };
    expect(await register(name)).toMatchObject(refused);
    expect(await create(name)).toMatchObject(refused);
    expect(await create('grace', name)).toMatchObject(refused);
    expect(await rename(root, { username: name })).toMatchObject(refused);
    expect(await rename(root, { display_name: name })).toMatchObject(refused);
    const body = { id: 1, username: name };
    expect((await root.call('PUT', '/api/user/', { body })).body).toMatchObject(refused);
    expect(side.events('UserRegistered')).toHaveLength(1);
    expect(side.events('UserProfileChanged')).toEqual([]);
  });
});

test('an emoji of several characters is no deception in a display name', async () => {
  expect(await rename(root, { display_name: 'Ada 👩‍💻❤️' })).toMatchObject({ success: true });
});

describe('a name that is visually equal to another', () => {
  test.each([
    ['root', 'rооt', 'Cyrillic letters'],
    ['root', 'Rооt', 'the same, and a capital'],
    ['root', 'r00t', 'digits'],
    ['paypal', 'раураl', 'a word of Cyrillic letters'],
    ['alice', 'aIice', 'a capital i'],
    ['alice', 'a1ice', 'a one'],
    ['modern', 'rnodern', 'two letters for one'],
    ['ada', 'ΑDA', 'a Greek capital'],
    ['ada', '𝐚𝐝𝐚', 'mathematical letters'],
  ])('%s is refused as %s: %s', async (name, lookalike) => {
    if (name !== 'root') await register(name);
    const before = side.events('UserRegistered').length;
    const refused = { success: false, code: expect.stringMatching(/name-(lookalike|taken)$/) };
    expect(await register(lookalike)).toMatchObject(refused);
    expect(await create(lookalike)).toMatchObject(refused);
    const eve = side.person();
    await register('eve');
    await eve.signIn('eve', password);
    expect(await rename(eve, { username: lookalike })).toMatchObject(refused);
    expect(await rename(eve, { display_name: lookalike })).toMatchObject({
      code: 'user.name-lookalike',
    });
    expect(side.events('UserRegistered')).toHaveLength(before + 1);
  });

  test('is open to the owner of that name', async () => {
    await register('alice');
    const alice = side.person();
    await alice.signIn('alice', password);
    expect(await rename(alice, { username: 'aIice' })).toMatchObject({ success: true });
    expect(await rename(alice, { display_name: 'Alice' })).toMatchObject({ success: true });
  });

  test('stays refused after its owner has taken another, or has left', async () => {
    await register('alice');
    const alice = side.person();
    await alice.signIn('alice', password);
    await rename(alice, { username: 'queen' });
    expect(await register('aIice')).toMatchObject({ code: 'user.name-lookalike' });
    await alice.call('DELETE', '/api/user/self');
    expect(await register('quееn')).toMatchObject({ code: 'user.name-lookalike' });
  });
});

test('a name that is taken is called taken, and other names are free', async () => {
  expect(await register('root')).toMatchObject({ code: 'user.name-taken' });
  for (const name of ['ada', 'bob', '小明', 'иван', 'user-2', 'user-3', 'José']) {
    expect(await register(name), name).toMatchObject({ success: true });
  }
});

test('of two simultaneous look-alikes one is registered', async () => {
  const answers = await Promise.all(['carol', 'саrоl', 'caroI'].map((name) => register(name)));
  expect(answers.filter(({ success }) => success)).toHaveLength(1);
});

/** The log of a site from before look-alikes were claimed. */
const olderLog = async (): Promise<MemoryEventStore> => {
  const older = createMemoryEventStore();
  for (const { streamId, event, eventId, metadata } of side.eventStore.all) {
    if (/^(nameLook-|process-name-looks)/.test(streamId)) continue;
    await older.append(streamId, [{ event, eventId, metadata }], 'any');
  }
  return older;
};

test('names older than the claims of look-alikes are kept, and compared from then on', async () => {
  await register('alice');
  const upgraded = await startWriteSide({ eventStore: await olderLog() });
  const hasLook = () => upgraded.eventStore.all.some(({ streamId }) => /^nameLook-/.test(streamId));
  await vi.waitFor(() => expect(hasLook()).toBe(true));
  await vi.waitFor(async () => {
    const answer = await register('аlice', upgraded);
    expect(answer).toMatchObject({ code: 'user.name-lookalike' });
  });
  const alice = upgraded.person();
  expect((await alice.signIn('alice', password)).body).toMatchObject({ success: true });
  expect(upgraded.events('UserRegistered')).toHaveLength(2);
  await upgraded.stop();
});
