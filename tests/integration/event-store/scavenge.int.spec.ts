import {
  type AllStreamResolvedEvent,
  type EventStoreDBClient,
  excludeSystemEvents,
  START,
} from '@eventstore/db-client';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scavengeEventStore } from '../../../infra/event-store/scavenge.ts';
import {
  connect,
  happened,
  manyHappened,
  numbersIn,
  startTestNode,
  streamName,
  type TestNode,
} from './harness.ts';

let node: TestNode;
let client: EventStoreDBClient;
let tables: pg.Pool;

beforeAll(async () => {
  node = await startTestNode();
  client = connect(node.url);
  tables = new pg.Pool({ connectionString: node.postgres.url('events'), max: 2 });
  tables.on('error', () => undefined);
});
afterAll(async () => {
  await client.dispose();
  await tables.end();
  await node.stop();
});

/** Revisions of a stream that the tables still hold. */
const stored = async (stream: string): Promise<number[]> => {
  const { rows } = await tables.query<{ revision: string }>(
    `select revision from events join streams on streams.id = stream_id
     where name = $1 order by revision`,
    [stream],
  );
  return rows.map(({ revision }) => Number(revision));
};
const holds = async (text: string): Promise<boolean> => {
  const { rows } = await tables.query<{ there: boolean }>(
    `select exists (select 1 from events where position($1::bytea in data) > 0
       or position($1::bytea in metadata) > 0) as there`,
    [Buffer.from(text)],
  );
  return rows[0]?.there === true;
};
const tombstone = 9_007_199_254_740_991;

const allEvents = async (): Promise<AllStreamResolvedEvent[]> => {
  const events: AllStreamResolvedEvent[] = [];
  for await (const resolved of client.readAll({ fromPosition: START })) events.push(resolved);
  return events;
};
const placesOf = (events: readonly AllStreamResolvedEvent[], stream: string) =>
  events
    .filter(({ event }) => event?.streamId === stream)
    .map(({ event }) => ({
      id: event?.id,
      revision: event?.revision,
      position: event?.position?.commit,
    }));

test('what a tombstone ends is gone from the tables within moments, but for the mark', async () => {
  const stream = streamName();
  const secret = `secret-${stream}`;
  await client.appendToStream(stream, [happened(1, secret)]);
  await client.setStreamMetadata(stream, { maxCount: 5 });
  await client.appendToStream(stream, [{ ...happened(2), data: { n: 2, secret } as never }]);
  await client.tombstoneStream(stream);
  // The end of the log stays, so that something has to follow.
  await client.appendToStream(streamName(), [happened(3)]);
  expect(await holds(secret)).toBe(true);
  await client.tombstoneStream(streamName());
  await expect.poll(() => stored(stream), { timeout: 20_000 }).toEqual([tombstone]);
  // One stream is taken after the other.
  await expect.poll(() => stored(`$$${stream}`), { timeout: 20_000 }).toEqual([]);
  expect(await holds(secret)).toBe(false);
});

test('removed rows are taken out of their pages', async () => {
  const dead = async (): Promise<Readonly<{ vacuums: number }>> => {
    const { rows } = await tables.query<{ vacuums: string }>(
      "select vacuum_count as vacuums from pg_stat_user_tables where relname = 'events'",
    );
    return { vacuums: Number(rows[0]?.vacuums) };
  };
  const before = await dead();
  const stream = streamName();
  await client.appendToStream(stream, manyHappened(3));
  await client.appendToStream(streamName(), [happened(1)]);
  await client.deleteStream(stream);
  await expect.poll(() => stored(stream), { timeout: 20_000 }).toEqual([]);
  await expect
    .poll(async () => (await dead()).vacuums, { timeout: 20_000 })
    .toBeGreaterThan(before.vacuums);
});

test('by order, what is out of count, age and bound goes, and all else keeps its place', async () => {
  const counted = streamName();
  const aged = streamName();
  const cut = streamName();
  const whole = streamName();
  for (const stream of [counted, aged, cut, whole]) {
    await client.appendToStream(stream, manyHappened(1_200));
  }
  await client.setStreamMetadata(counted, { maxCount: 10 });
  await client.setStreamMetadata(cut, { truncateBefore: 1_195 });
  await client.setStreamMetadata(aged, { maxAge: 600 });
  // An hour goes by for what is there.
  await tables.query(
    `update events set created_at_ms = created_at_ms - 3600000
     where stream_id = (select id from streams where name = $1)`,
    [aged],
  );
  await client.appendToStream(aged, [happened(7)]);
  await client.appendToStream(whole, [happened(1_200)]);
  const before = await allEvents();
  expect((await scavengeEventStore(node.url)).result).toBe('Success');
  expect(await stored(counted)).toEqual(Array.from({ length: 10 }, (_, n) => 1_190 + n));
  expect(await stored(aged)).toEqual([1_200]);
  expect(await stored(cut)).toEqual([1_195, 1_196, 1_197, 1_198, 1_199]);
  expect(await stored(whole)).toHaveLength(1_201);
  const after = await allEvents();
  expect(placesOf(after, whole)).toEqual(placesOf(before, whole));
  expect(placesOf(after, counted)).toEqual(placesOf(before, counted).slice(1_190));
  expect(await numbersIn(client, counted)).toHaveLength(10);
  const { nextExpectedRevision } = await client.appendToStream(counted, [happened(8)]);
  expect(nextExpectedRevision).toBe(1_200n);
});

test('metadata keeps its newest event, which still bounds the stream', async () => {
  const stream = streamName();
  await client.appendToStream(stream, manyHappened(5));
  for (const maxCount of [4, 3, 2]) await client.setStreamMetadata(stream, { maxCount });
  await client.appendToStream(streamName(), [happened(1)]);
  await scavengeEventStore(node.url);
  expect(await stored(`$$${stream}`)).toEqual([2]);
  expect((await client.getStreamMetadata(stream)).metadata).toMatchObject({ maxCount: 2 });
  expect(await numbersIn(client, stream)).toEqual([3, 4]);
});

test('a softly deleted stream is gone and continues where it ended', async () => {
  const stream = streamName();
  await client.appendToStream(stream, manyHappened(3));
  await client.deleteStream(stream);
  await client.appendToStream(streamName(), [happened(1)]);
  await scavengeEventStore(node.url);
  expect(await stored(stream)).toEqual([]);
  await client.appendToStream(stream, [happened(9)]);
  expect(await numbersIn(client, stream)).toEqual([9]);
  expect(await stored(stream)).toEqual([3]);
});

test('the newest event stays where the log ends, and positions are never reused', async () => {
  const stream = streamName();
  const { position } = await client.appendToStream(stream, [happened(1)]);
  await client.tombstoneStream(stream);
  await scavengeEventStore(node.url);
  expect(await stored(stream)).toEqual([0, tombstone]);
  await node.kill();
  await node.start();
  await client.dispose();
  client = connect(node.url);
  const next = await client.appendToStream(streamName(), [happened(2)]);
  expect(next.position?.commit ?? 0n).toBeGreaterThan(position?.commit ?? 0n);
  await scavengeEventStore(node.url);
  expect(await stored(stream)).toEqual([tombstone]);
});

test('subscribers, readers and writers continue while much is removed', async () => {
  const kept = streamName();
  const gone = streamName();
  const seen: number[] = [];
  const write = async (from: number, count: number): Promise<void> => {
    for (let n = from; n < from + count; n += 1) {
      await client.appendToStream(gone, manyHappened(40));
      await client.appendToStream(kept, [happened(n)]);
    }
  };
  await write(0, 40);
  const subscription = client
    .subscribeToAll({ fromPosition: START, filter: excludeSystemEvents() })
    .on('data', ({ event }) => {
      if (event?.streamId === kept) seen.push((event.data as { n: number }).n);
    });
  await client.tombstoneStream(gone);
  const scavenging = Promise.all([scavengeEventStore(node.url), scavengeEventStore(node.url)]);
  const later = streamName();
  for (let n = 40; n < 80; n += 1) {
    await client.appendToStream(later, manyHappened(5));
    await client.appendToStream(kept, [happened(n)]);
    expect(await numbersIn(client, kept)).toHaveLength(n + 1);
  }
  await scavenging;
  const numbers = Array.from({ length: 80 }, (_, n) => n);
  await expect.poll(() => seen.length, { timeout: 20_000 }).toBe(80);
  expect(seen).toEqual(numbers);
  expect(await stored(gone)).toEqual([tombstone]);
  await subscription.unsubscribe();
});

test('a node killed in the middle of it loses nothing else, and finishes it later', async () => {
  const kept = streamName();
  const gone = streamName();
  for (let n = 0; n < 20; n += 1) {
    await client.appendToStream(gone, manyHappened(500));
    await client.appendToStream(kept, [happened(n)]);
  }
  const before = placesOf(await allEvents(), kept);
  await client.tombstoneStream(gone);
  await expect
    .poll(async () => (await stored(gone)).length, { timeout: 20_000, interval: 5 })
    .toBeLessThan(10_000);
  await node.kill();
  await node.start();
  await client.dispose();
  client = connect(node.url);
  await scavengeEventStore(node.url);
  expect(await stored(gone)).toEqual([tombstone]);
  expect(placesOf(await allEvents(), kept)).toEqual(before);
  await expect(client.appendToStream(gone, [happened(1)])).rejects.toThrow();
});
