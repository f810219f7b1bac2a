import { expect, test } from 'vitest';
import { createMemoryEventStore } from '../../tests/support/memory-event-store.ts';
import { aMetadata } from '../../tests/support/metadata-examples.ts';
import { createClaims } from './claims.ts';

const start = () => {
  const eventStore = createMemoryEventStore();
  let now = Date.parse('2026-03-01T08:00:00.000Z');
  const claims = createClaims(eventStore, () => new Date(now));
  const metadata = (commandId: string) =>
    aMetadata({ commandId, occurredAt: new Date(now).toISOString() });
  const claim = (ownerId: number, commandId = `c${ownerId}`) =>
    claims.claim(
      { kind: 'name', streamId: 'name-x', ownerId, ownerStreamId: `user-${ownerId}` },
      metadata(commandId),
    );
  const create = (ownerId: number) => {
    const event = { type: 'UserRegistered', data: {} };
    const made = { event, eventId: `u${ownerId}`, metadata: metadata(`r${ownerId}`) };
    return eventStore.append(`user-${ownerId}`, [made], 'no-stream');
  };
  const wait = (ms: number) => {
    now += ms;
  };
  return { eventStore, claims, claim, create, wait };
};

test('a value belongs to the first who claims it', async () => {
  const { claim, claims, create } = start();
  expect(await claim(1)).toEqual({ kind: 'granted' });
  await create(1);
  expect(await claim(2)).toEqual({ kind: 'taken', ownerId: 1 });
  expect(await claims.owner('name-x')).toBe(1);
});

test('of many claims at one moment one is granted', async () => {
  const { claim } = start();
  const answers = await Promise.all(Array.from({ length: 20 }, (_, nth) => claim(nth + 1)));
  expect(answers.filter(({ kind }) => kind === 'granted')).toHaveLength(1);
});

test('a repeated claim answers the owner of the first time', async () => {
  const { claim } = start();
  await claim(1, 'same');
  expect(await claim(2, 'same')).toEqual({ kind: 'repeated', ownerId: 1 });
});

test('an owner may claim what is theirs already', async () => {
  const { claim, create } = start();
  await claim(1, 'a');
  await create(1);
  expect(await claim(1, 'b')).toEqual({ kind: 'granted' });
});

test('a claim under way is left alone', async () => {
  const { claim, wait } = start();
  await claim(1);
  wait(5_000);
  expect(await claim(2)).toEqual({ kind: 'taken', ownerId: 1 });
});

test('a claim that a crash left behind is taken over, and its id is fenced off', async () => {
  const { claim, claims, create, wait } = start();
  await claim(1);
  wait(11_000);
  expect(await claim(2)).toEqual({ kind: 'granted' });
  expect(await claims.owner('name-x')).toBe(2);
  await expect(create(1)).rejects.toThrow('user-1 has moved on');
});

test('a creator that was only slow keeps what it claimed', async () => {
  const { claim, create, wait } = start();
  await claim(1);
  wait(60_000);
  await create(1);
  expect(await claim(2)).toEqual({ kind: 'taken', ownerId: 1 });
});

test('a takeover that broke off half way is finished by the next claimant', async () => {
  const { claim, wait } = start();
  await claim(1);
  wait(11_000);
  const eventual = await Promise.all([claim(2), claim(3), claim(4)]);
  expect(eventual.filter(({ kind }) => kind === 'granted')).toHaveLength(1);
});

test('a value that its owner has given up goes to the next one who claims it', async () => {
  const { claims, claim, create, wait } = start();
  await claim(1);
  await create(1);
  const wanted = { kind: 'name', streamId: 'name-x', ownerId: 2, ownerStreamId: 'user-2' };
  const asSecond = (isGivenUp: boolean) =>
    claims.claim(wanted, aMetadata({ commandId: `second-${isGivenUp}` }), async () => isGivenUp);
  wait(60_000);
  expect(await asSecond(false)).toEqual({ kind: 'taken', ownerId: 1 });
  expect(await asSecond(true)).toEqual({ kind: 'granted' });
  expect(await claims.owner('name-x')).toBe(2);
});

test('who claimed a value a moment ago is left the time to use it', async () => {
  const { claims, claim, create } = start();
  await claim(1);
  await create(1);
  const wanted = { kind: 'name', streamId: 'name-x', ownerId: 2, ownerStreamId: 'user-2' };
  const answer = await claims.claim(wanted, aMetadata({ commandId: 'c2' }), async () => true);
  expect(answer).toEqual({ kind: 'taken', ownerId: 1 });
});

test('a claim holds, and can be taken over, after an unreadable event', async () => {
  const { eventStore, claim, claims, wait } = start();
  await claim(1);
  eventStore.appendUnreadable('name-x');
  expect(await claims.owner('name-x')).toBe(1);
  wait(10_000);
  expect(await claim(2)).toEqual({ kind: 'granted' });
});
