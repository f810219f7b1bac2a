import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type Bus,
  BusUnavailableError,
  type FeedEntry,
  type Queue,
} from '../../../infra/ports/bus.ts';

/** Hands out users of one and the same bus; they may share a connection. */
export type BusUnderTest = Readonly<{
  connect: () => Promise<Bus>;
  close: () => Promise<void>;
}>;

type Thing = Readonly<{ name: string }>;
const patience = { timeout: 20_000, interval: 10 };

const entry = (key: string, position: bigint, name: string | null): FeedEntry<Thing> => ({
  key,
  position,
  value: name === null ? null : { name },
});

/** What every adapter of the bus promises. */
export const describeBus = (title: string, start: () => Promise<BusUnderTest>): void => {
  describe(title, () => {
    let underTest: BusUnderTest;
    let one: Bus;
    let two: Bus;
    beforeAll(async () => {
      underTest = await start();
      one = await underTest.connect();
      two = await underTest.connect();
    });
    afterAll(async () => {
      await underTest.close();
    });

    describeFeeds(() => [one, two]);
    describeQueue(() => [one, two]);
    describeKeyValue(() => [one, two]);
    describeMessages(() => [one, two]);
  });
};

type Users = () => readonly [Bus, Bus];

const describeFeeds = (users: Users): void => {
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

  test('the newest position wins, however late an older entry comes', async () => {
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

  test('a stopped watch hears nothing more', async () => {
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

const describeQueue = (users: Users): void => {
  const publishOneByOne = (queue: Queue<number>, partition: number, items: readonly number[]) =>
    Promise.all(items.map((item) => queue.publish(partition, [item])));

  test('items of a partition come once each, in order, one handler at a time', async () => {
    const [publisher, keeper] = users();
    const seen: number[] = [];
    let running = 0;
    let mostRunning = 0;
    const stop = await keeper.queue<number>('usage').consume([1], async (items, partition) => {
      running += 1;
      mostRunning = Math.max(mostRunning, running);
      await new Promise((resolve) => setImmediate(resolve));
      expect(partition).toBe(1);
      seen.push(...items);
      running -= 1;
    });
    const items = Array.from({ length: 300 }, (_, i) => i);
    await publishOneByOne(publisher.queue('usage'), 1, items);
    await vi.waitFor(() => expect(seen.length).toBeGreaterThanOrEqual(300), patience);
    expect(seen).toEqual(items);
    expect(mostRunning).toBe(1);
    await stop();
  });

  test('what is published before anybody consumes is delivered later', async () => {
    const [publisher, keeper] = users();
    const published = publishOneByOne(publisher.queue('usage'), 2, [1, 2, 3]);
    const seen: number[] = [];
    const stop = await keeper.queue<number>('usage').consume([2], async (items) => {
      seen.push(...items);
    });
    await published;
    await vi.waitFor(() => expect(seen).toEqual([1, 2, 3]), patience);
    await stop();
  });

  test('what a handler refuses comes again, in order, and holds up no other partition', async () => {
    const [publisher, keeper] = users();
    const tries: number[][] = [];
    const others: number[] = [];
    let failures = 2;
    const stop = await keeper.queue<number>('usage').consume([3, 4], async (items, partition) => {
      if (partition === 4) {
        others.push(...items);
        return;
      }
      tries.push([...items]);
      if (failures > 0) {
        failures -= 1;
        throw new Error('the books are shut for a moment');
      }
    });
    const queue = publisher.queue<number>('usage');
    await Promise.all([publishOneByOne(queue, 3, [1, 2, 3]), queue.publish(4, [9])]);
    await vi.waitFor(() => expect(tries.flat().at(-1)).toBe(3), patience);
    expect(tries[1]?.[0]).toBe(1);
    expect(tries.slice(2).flat()).toEqual([1, 2, 3]);
    await vi.waitFor(() => expect(others).toEqual([9]), patience);
    await stop();
  });

  test('what one consumer did not finish goes to the next, first things first', async () => {
    const [publisher, keeper] = users();
    const queue = publisher.queue<number>('usage');
    let refused: () => void = () => undefined;
    const wasRefused = new Promise<void>((resolve) => {
      refused = resolve;
    });
    const stopFirst = await keeper.queue<number>('usage').consume([5], async () => {
      refused();
      throw new Error('this keeper has lost its books');
    });
    const published = publishOneByOne(queue, 5, [1, 2, 3, 4, 5]);
    await wasRefused;
    await stopFirst();
    const seen: number[] = [];
    const stop = await publisher.queue<number>('usage').consume([5], async (items) => {
      seen.push(...items);
    });
    await published;
    await vi.waitFor(() => expect(seen.length).toBeGreaterThanOrEqual(5), patience);
    expect(seen).toEqual([1, 2, 3, 4, 5]);
    await stop();
  });

  test('stopping waits for the handler that is at work', async () => {
    const [publisher, keeper] = users();
    let begin: () => void = () => undefined;
    const began = new Promise<void>((resolve) => {
      begin = resolve;
    });
    let finished = 0;
    const stop = await keeper.queue<number>('usage').consume([6], async (items) => {
      begin();
      await new Promise((resolve) => setTimeout(resolve, 50));
      finished += items.length;
    });
    const published = publisher.queue<number>('usage').publish(6, [1, 2]);
    await began;
    await stop();
    expect(finished).toBe(2);
    await published;
  });

  test('a batch of many large items arrives whole', async () => {
    const [publisher, keeper] = users();
    const seen: string[] = [];
    const stop = await keeper.queue<string>('usage').consume([7], async (items) => {
      seen.push(...items);
    });
    const items = Array.from({ length: 400 }, (_, i) => `${i}:${'x'.repeat(8_000)}`);
    await publisher.queue<string>('usage').publish(7, items);
    await vi.waitFor(() => expect(seen.length).toBeGreaterThanOrEqual(400), patience);
    expect(seen).toEqual(items);
    await stop();
  });
};

const describeKeyValue = (users: Users): void => {
  const lasting = { ttlSeconds: 600 };

  test('a value is there for everybody until it is removed', async () => {
    const [one, two] = users();
    await one.keyValue('codes', lasting).put('mail:a@b.c', { code: '123456' });
    const other = two.keyValue('codes', lasting);
    expect(await other.get('mail:a@b.c')).toEqual({ code: '123456' });
    expect(await other.get('mail:b@b.c')).toBeNull();
    expect(await other.remove('mail:a@b.c')).toBe(true);
    expect(await one.keyValue('codes', lasting).get('mail:a@b.c')).toBeNull();
  });

  test('of many who create a key one succeeds, and so does one of many who remove it', async () => {
    const buckets = users().map((bus) => bus.keyValue('states', lasting));
    const tries = Array.from({ length: 10 }, (_, i) => buckets[i % 2] ?? buckets[0]);
    const created = await Promise.all(tries.map((bucket, i) => bucket?.create('once', i)));
    expect(created.filter(Boolean)).toHaveLength(1);
    const removed = await Promise.all(tries.map((bucket) => bucket?.remove('once')));
    expect(removed.filter(Boolean)).toHaveLength(1);
    expect(await buckets[0]?.create('once', 'again')).toBe(true);
  });

  test('no increment is lost', async () => {
    const buckets = users().map((bus) => bus.keyValue('counters', lasting));
    const counts = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (buckets[i % 2] ?? buckets[0])?.increment('ip:::1', 2)),
    );
    expect(counts.toSorted((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 20 }, (_, i) => 2 * (i + 1)),
    );
    expect(await buckets[0]?.get('ip:::1')).toBe(40);
  });

  test('a value expires, and a count that rises does not live longer for it', async () => {
    const bucket = users()[0].keyValue('brief', { ttlSeconds: 1 });
    await bucket.put('value', 'x');
    expect(await bucket.get('value')).toBe('x');
    await bucket.increment('count', 10);
    await vi.waitFor(async () => {
      expect(await bucket.increment('count', 1)).toBeLessThan(10);
    }, patience);
    await vi.waitFor(async () => expect(await bucket.get('value')).toBeNull(), patience);
    expect(await bucket.create('value', 'y')).toBe(true);
  });
};

const describeMessages = (users: Users): void => {
  test('a request is answered by whoever serves the subject', async () => {
    const [relay, keeper] = users();
    const stop = await keeper.serve('spec.double', async (body: { n: number }) => ({
      doubled: body.n * 2,
    }));
    const answers = await Promise.all(
      [1, 2, 3].map((n) => relay.request<object, { doubled: number }>('spec.double', { n })),
    );
    expect(answers).toEqual([{ doubled: 2 }, { doubled: 4 }, { doubled: 6 }]);
    await stop();
  });

  test('several servers share the requests of a subject', async () => {
    const [relay, keeper] = users();
    const answered = [0, 0];
    const serve = (bus: Bus, i: number) =>
      bus.serve('spec.shared', async () => {
        answered[i] = (answered[i] ?? 0) + 1;
        return answered[i];
      });
    const stops = [await serve(relay, 0), await serve(keeper, 1)];
    await Promise.all(Array.from({ length: 60 }, () => relay.request('spec.shared', null)));
    expect((answered[0] ?? 0) + (answered[1] ?? 0)).toBe(60);
    expect(Math.min(...answered)).toBeGreaterThan(0);
    for (const stop of stops) await stop();
  });

  test('an error of the server reaches the caller as an error', async () => {
    const [relay, keeper] = users();
    const stop = await keeper.serve('spec.broken', async () => {
      throw new RangeError('no such account');
    });
    const failure = relay.request('spec.broken', {});
    await expect(failure).rejects.toThrow('no such account');
    await expect(failure).rejects.toMatchObject({ name: 'RangeError' });
    await stop();
  });

  test('an answer may be nothing', async () => {
    const stop = await users()[1].serve('spec.nothing', async () => undefined);
    expect(await users()[0].request('spec.nothing', undefined)).toBeUndefined();
    await stop();
  });

  test('nobody there, or nobody in time, is a BusUnavailableError', async () => {
    const [relay, keeper] = users();
    await expect(relay.request('spec.nobody', {})).rejects.toThrow(BusUnavailableError);
    const stop = await keeper.serve('spec.slow', () => new Promise(() => undefined));
    await expect(relay.request('spec.slow', {}, { timeoutMs: 50 })).rejects.toThrow(
      BusUnavailableError,
    );
    await stop();
    await expect(relay.request('spec.slow', {})).rejects.toThrow(BusUnavailableError);
  });

  test('a publication reaches all who listen, and no one who stopped', async () => {
    const [one, two] = users();
    const heard: string[] = [];
    const listen = (bus: Bus, name: string) =>
      bus.subscribe('spec.news', (body: { n: number }) => void heard.push(`${name}${body.n}`));
    const stops = [await listen(one, 'a'), await listen(two, 'b')];
    const stopC = await listen(two, 'c');
    one.publish('spec.news', { n: 1 });
    await vi.waitFor(() => expect(heard.toSorted()).toEqual(['a1', 'b1', 'c1']), patience);
    await stopC();
    two.publish('spec.news', { n: 2 });
    await vi.waitFor(() => expect(heard).toHaveLength(5), patience);
    expect(heard.slice(3).toSorted()).toEqual(['a2', 'b2']);
    for (const stop of stops) await stop();
  });
};
