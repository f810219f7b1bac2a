import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import {
  dayAfter,
  type StoryIds,
  tellCleanStory,
} from '../../tests/integration/verify/clean-story.ts';
import {
  createMemoryEventStore,
  type MemoryEventStore,
} from '../../tests/support/memory-event-store.ts';
import { aMetadata } from '../../tests/support/metadata-examples.ts';
import { verify } from './verify.ts';

type Data = Record<string, unknown>;

let eventStore: MemoryEventStore;
let ids: StoryIds;
beforeEach(async () => {
  eventStore = createMemoryEventStore();
  ids = await tellCleanStory(eventStore);
});

const found = async () => {
  const { breaks } = await verify({ eventStore, readModels: null, clock: dayAfter });
  return breaks.map(({ kind, eventId }) => [kind, eventId]);
};

/** A correction or a refund more; the balance follows it. */
const giveBack = async (
  type: 'CorrectionPosted' | 'RequestRefunded',
  data: Data,
): Promise<string> => {
  const balances = eventStore.all.map(({ event }) => (event.data as Data).balanceAfter);
  const balance = balances.findLast((balanceAfter) => typeof balanceAfter === 'number') ?? 0;
  const balanceAfter = Number(balance) + Number(data.delta ?? data.amount);
  const event = { type, data: { userId: 42, reason: 'r', balanceAfter, ...data } };
  const eventId = randomUUID();
  await eventStore.append('account-42', [{ event, eventId, metadata: aMetadata() }], 'any');
  return eventId;
};

test('corrections of one request beyond its charge of 3,625 are found', async () => {
  await giveBack('CorrectionPosted', { delta: 3_375, corrects: ['req-2'] });
  expect(await found()).toEqual([]);
  const beyond = await giveBack('CorrectionPosted', { delta: 1, corrects: ['req-2'] });
  expect(await found()).toEqual([['correction-exceeds-charge', beyond]]);
});

test('a correction of what a refund gave back, by the event of its charge, is found', async () => {
  const data = { delta: 2_626, corrects: [ids['req-1'] ?? ''] };
  const beyond = await giveBack('CorrectionPosted', data);
  expect(await found()).toEqual([['correction-exceeds-charge', beyond]]);
});

test('a refund of what a correction gave back is found', async () => {
  const refund = { requestId: 'req-2', tokenId: 7 };
  await giveBack('RequestRefunded', { ...refund, amount: 3_375 });
  expect(await found()).toEqual([]);
  const beyond = await giveBack('RequestRefunded', { ...refund, amount: 250 });
  expect(await found()).toEqual([['refund-exceeds-charge', beyond]]);
});

test('a correction that charged more can be given back as well', async () => {
  await giveBack('CorrectionPosted', { delta: -1_000, corrects: ['req-2'] });
  await giveBack('CorrectionPosted', { delta: 4_375, corrects: ['req-2'] });
  expect(await found()).toEqual([]);
});
