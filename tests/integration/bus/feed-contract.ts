import { expect, test, vi } from 'vitest';
import type { Bus, FeedEntry } from '../../../infra/ports/bus.ts';
import { patience, type Users } from './users.ts';

type Thing = Readonly<{ name: string }>;

const entry = (key: string, position: bigint, name: string | null): FeedEntry<Thing> => ({
  key,
  position,
  value: name === null ? null : { name },
});

export const describeFeeds = (users: Users): void => {
  /** Watches the entries of one test: those whose key begins with its prefix. */
  const watched = async (bus: Bus, prefix: string) => {
    const seen: FeedEntry<Thing>[] = [];
    const watch = await bus.feed<Thing>('tokens').watch((entries) => {
      seen.push(...entries.filter(({ key }) => key.startsWith(prefix)));
    });
    const latest = () => Object.fromEntries(seen.map(({ key, value }) => [key, value]));
    return { seen, latest, ready: watch.ready, stop: watch.stop };
  };

  test('a feed delivers what is held, then every change', async () => {
    const [publisher, relay] = users();
    const feed = publisher.feed<Thing>('tokens');
    await feed.put([entry('held-1', 1n, 'a'), entry('held-2', 2n, 'b')]);
    const { seen, latest, ready, stop } = await watched(relay, 'held-');
    await ready;
    expect(latest()).toEqual({ 'held-1': { name: 'a' }, 'held-2': { name: 'b' } });
    await feed.put([entry('held-1', 3n, 'c'), entry('held-3', 4n, 'd')]);
    await vi.waitFor(() => expect(seen).toHaveLength(4), patience);
    expect(seen.slice(2)).toEqual([entry('held-1', 3n, 'c'), entry('held-3', 4n, 'd')]);
    await stop();
  });

  test('a feed that holds nothing is ready as well', async () => {
    const watch = await users()[1]
      .feed('channels')
      .watch(() => undefined);
    await watch.ready;
    await watch.stop();
  });

  test('the newest position wins, however late an older entry arrives', async () => {
    const [publisher, relay] = users();
    const beyondDoubles = 2n ** 63n - 5n;
    await publisher.feed<Thing>('tokens').put([entry('new-1', beyondDoubles, 'new')]);
    await relay.feed<Thing>('tokens').put([entry('new-1', beyondDoubles - 1n, 'old')]);
    const held = entry('new-1', beyondDoubles, 'new');
    expect(await relay.feed<Thing>('tokens').get('new-1')).toEqual(held);
    await relay.feed<Thing>('tokens').put([entry('new-1', beyondDoubles + 1n, 'newer')]);
    expect((await publisher.feed<Thing>('tokens').get('new-1'))?.value).toEqual({ name: 'newer' });
  });

  test('the same position again replaces, so that a repaired projection reaches relays', async () => {
    const feed = users()[0].feed<Thing>('tokens');
    await feed.put([entry('same-1', 7n, 'a')]);
    await feed.put([entry('same-1', 7n, 'b')]);
    expect((await feed.get('same-1'))?.value).toEqual({ name: 'b' });
  });

  test('one batch may hold a key twice', async () => {
    const feed = users()[0].feed<Thing>('tokens');
    await feed.put([entry('twice-1', 1n, 'a'), entry('twice-1', 2n, 'b')]);
    expect((await feed.get('twice-1'))?.value).toEqual({ name: 'b' });
  });

  test('a thing that is gone stays gone for older news', async () => {
    const [publisher, relay] = users();
    const feed = publisher.feed<Thing>('tokens');
    const { seen, latest, ready, stop } = await watched(relay, 'gone-');
    await ready;
    await feed.put([entry('gone-1', 5n, 'a')]);
    await feed.put([entry('gone-1', 6n, null)]);
    await feed.put([entry('gone-1', 5n, 'a'), entry('gone-2', 1n, 'end')]);
    await vi.waitFor(() => expect(latest()).toHaveProperty('gone-2'), patience);
    expect(seen).toHaveLength(3);
    expect(latest()['gone-1']).toBeNull();
    expect(await feed.get('gone-1')).toEqual(entry('gone-1', 6n, null));
    await stop();
  });

  test('feeds are apart, keys may hold any character, and an unknown key is null', async () => {
    const [publisher, relay] = users();
    const key = 'GroupRatio.é:*> /"';
    await publisher.feed<Thing>('options').put([entry(key, 1n, 'a')]);
    expect(await relay.feed<Thing>('options').get(key)).toEqual(entry(key, 1n, 'a'));
    expect(await relay.feed<Thing>('accounts').get(key)).toBeNull();
    const options: string[] = [];
    const watch = await relay
      .feed('options')
      .watch((entries) => void options.push(...entries.map((e) => e.key)));
    await watch.ready;
    expect(options).toEqual([key]);
    await watch.stop();
  });

  test('thousands of entries arrive in batches', async () => {
    const [publisher, relay] = users();
    const many = Array.from({ length: 5_000 }, (_, i) => entry(`many-${i}`, BigInt(i), `n${i}`));
    await publisher.feed<Thing>('accounts').put(many);
    const keys = new Set<string>();
    let batches = 0;
    const watch = await relay.feed('accounts').watch((entries) => {
      batches += 1;
      for (const { key } of entries) keys.add(key);
    });
    await watch.ready;
    expect(keys.size).toBe(5_000);
    expect(batches).toBeLessThan(2_500);
    await watch.stop();
  });

  test('a stopped watch receives nothing more', async () => {
    const [publisher, relay] = users();
    const stopped = await watched(relay, 'stop-');
    const going = await watched(relay, 'stop-');
    await Promise.all([stopped.ready, going.ready]);
    await stopped.stop();
    await publisher.feed<Thing>('tokens').put([entry('stop-1', 1n, 'a')]);
    await vi.waitFor(() => expect(going.seen).toHaveLength(1), patience);
    expect(stopped.seen).toHaveLength(0);
    await going.stop();
  });
};
