import { expect, test } from 'vitest';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import type { Bus, KeyValue } from '../../infra/ports/bus.ts';
import { vault } from '../../tests/support/relay/relay-harness.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { createOptionBook } from '../feeds/options.ts';
import { type Conversation, withItemsAdded } from './conversation-items.ts';
import { createConversations } from './conversations.ts';

const userId = 7;
const hourMs = 3_600_000;

const aSite = (wrap: (store: KeyValue) => KeyValue = (store) => store) => {
  let nowMs = Date.UTC(2026, 0, 1);
  const clock = () => new Date(nowMs);
  const bus = createMemoryBus({ logger: silentLogger, clock });
  const keyValue: Bus['keyValue'] = (bucket, options) => wrap(bus.keyValue(bucket, options));
  const options = createOptionBook(silentLogger);
  const open = () => createConversations({ bus: { keyValue }, vault, clock, options });
  const passHours = (hours: number): void => {
    nowMs += hours * hourMs;
  };
  return { open, passHours };
};

const begin = async ({ open }: ReturnType<typeof aSite>) => {
  const made = await open().create(userId, { metadata: {} }, (begun) => begun);
  if (!('id' in made)) throw new Error(made.message);
  return { id: made.id, userId };
};
const saying = (content: string) => (held: Conversation) =>
  withItemsAdded(held, [{ role: 'user', content }]);

test('changes of two relays at a time are both made', async () => {
  const site = aSite();
  const key = await begin(site);
  const [one, two] = [site.open(), site.open()];
  await Promise.all(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((text, at) =>
      (at % 2 === 0 ? one : two).change(key, saying(text)),
    ),
  );
  const { items = [] } = (await one.find(key)) ?? {};
  const texts = items.map(({ content }) => JSON.stringify(content));
  expect(texts.toSorted()).toEqual(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((text) => `[{"type":"input_text","text":"${text}"}]`),
  );
});

test('a change that others are always faster than is refused, not lost in silence', async () => {
  const site = aSite((store) => ({ ...store, replace: async () => false }));
  const key = await begin(site);
  expect(await site.open().change(key, saying('a'))).toMatchObject({
    ...{ status: 409, code: 'conversation_locked', type: 'invalid_request_error' },
  });
  expect(await site.open().find(key)).toMatchObject({ items: [] });
});

test('one that nothing was added to for a day is gone, and so it is for a change', async () => {
  const site = aSite();
  const key = await begin(site);
  site.passHours(23);
  await site.open().change(key, saying('a'));
  site.passHours(23);
  expect(await site.open().find(key)).toMatchObject({ items: [{ role: 'user' }] });
  site.passHours(1);
  expect(await site.open().find(key)).toBeNull();
  expect(await site.open().change(key, saying('b'))).toBeNull();
  expect(await site.open().remove(key)).toBe(false);
});
