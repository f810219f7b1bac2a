import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountFeedEntry } from '../../domain/user/feed.ts';
import { people, type ReadApi, startReadApi } from '../../tests/support/read-api.ts';
import { aLoginOf, signedIn } from '../../tests/support/read-side-story.ts';
import { aSessionEnded, aSessionId, aUserRegistered } from '../../tests/support/user-examples.ts';

const { ada, root } = people;
let api: ReadApi;
beforeAll(async () => {
  api = await startReadApi();
});
afterAll(() => api.stop());

const status = async (userId: number) => (await api.get('/api/user/self', signedIn(userId))).status;
const feedOf = async (userId: number) =>
  (await api.side.bus.feed<AccountFeedEntry>('accounts').get(String(userId)))?.value;

test('a person sees where they are signed in, and relays receive which sessions are open', async () => {
  const [session, ...others] = await api.data('/api/user/sessions', ada);
  expect(others).toEqual([]);
  expect(session).toEqual({
    id: aSessionId(ada),
    method: 'password',
    device: 'Firefox 130, Linux',
    address: '192.0.2.7',
    opened_at: Date.parse('2026-03-01T08:00:00Z') / 1_000,
    // The call before this one is the last use.
    last_used_at: expect.any(Number),
    current: true,
  });
  expect((await feedOf(ada))?.sessionIds).toEqual([aSessionId(ada)]);
  const [row] = await api.side.rows<{ device: string }>('SELECT device FROM user_list.sessions');
  expect(row?.device).toMatch(/^v2\./);
});

test('a session that has ended opens nothing, and one that a person opens does', async () => {
  const userId = 77;
  const { append, settle } = api.side;
  await append(`user-${userId}`, aUserRegistered({ userId, username: 'grace' }));
  await settle();
  expect(await status(userId)).toBe(401);
  await append(`user-${userId}`, aLoginOf(userId));
  await settle();
  expect(await status(userId)).toBe(200);
  await append(`user-${userId}`, aSessionEnded({ userId, sessionId: aSessionId(userId) }));
  await settle();
  expect(await status(userId)).toBe(401);
  expect((await feedOf(userId))?.sessionIds).toEqual([]);
});

test('sessions end with the epoch, but for the one that is kept', async () => {
  const { append, settle } = api.side;
  const event = { type: 'SessionsEnded', data: { userId: root, sessionEpoch: 1 } };
  await append('user-1', { ...event, data: { ...event.data, keptSessionId: aSessionId(root) } });
  await settle();
  expect(await status(root)).toBe(401);
  const renewed = await api.get('/api/user/self', signedIn(root, 1));
  expect(renewed.status).toBe(200);
  await append('user-1', { type: 'SessionsEnded', data: { userId: root, sessionEpoch: 2 } });
  await settle();
  expect((await api.get('/api/user/self', signedIn(root, 2))).status).toBe(401);
  expect((await feedOf(root))?.sessionIds).toEqual([]);
});

test('a rebuild shows the same sessions', async () => {
  const sessions = () => api.side.rows('SELECT * FROM user_list.sessions ORDER BY session_id');
  const before = await sessions();
  expect(before.length).toBeGreaterThan(0);
  await api.side.projections.rebuild('user-list', () => undefined);
  await api.side.projections.rebuild('relay-feeds', () => undefined);
  expect(await sessions()).toEqual(before);
  expect((await feedOf(ada))?.sessionIds).toEqual([aSessionId(ada)]);
});
