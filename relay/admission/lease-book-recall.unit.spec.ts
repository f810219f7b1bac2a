import { afterEach, expect, test } from 'vitest';
import type { LeaseInquiry, LeaseRecall, LeaseRecalled } from '../../domain/account/messages.ts';
import {
  openBench,
  recorded,
  reserved,
  stopBenches,
  token,
  until,
  user,
} from '../../tests/support/lease-bench.ts';

afterEach(stopBenches);

/** Of what the bus took. */
const delivery = () => new Promise((resolve) => setTimeout(resolve, 20));
const lowered = [{ leaseId: 'relay-a.7.70.1', loweredAt: 12 }];

test('quota that is recalled goes back but for what requests hold', async () => {
  const bench = await openBench();
  bench.book.settle(reserved(await bench.book.reserve({ userId: user, tokenId: 71, need: 10 })), 0);
  const open = reserved(await bench.book.reserve({ userId: user, tokenId: token, need: 10 }));
  reserved(await bench.book.reserve({ userId: 8, tokenId: 80, need: 10 }));
  bench.bus.publish<LeaseRecall>('lease.recall', { userId: user });
  await until(() => bench.idle.length > 1);
  expect(bench.idle).toMatchObject([
    { leaseId: 'relay-a.7.71.1', unspent: 1_000, closes: true },
    { leaseId: 'relay-a.7.70.2', unspent: 990, closes: false },
  ]);
  expect(bench.book.tryReserve(user, token, 1)).toBeNull();
  bench.book.settle(open, 4);
  expect(bench.book.tryReserve(user, token, 1)).toBeNull();
  expect(bench.idle[2]).toMatchObject({ leaseId: 'relay-a.7.70.2', unspent: 6, closes: true });
});

test('the relay answers a recall once what is idle is recorded, and no lowering', async () => {
  const bench = await openBench();
  const answers: [LeaseRecalled, idle: number][] = [];
  await bench.bus.subscribe<LeaseRecalled>('lease.recalled', (answer) => {
    answers.push([answer, bench.idle.length]);
  });
  bench.book.settle(
    reserved(await bench.book.reserve({ userId: user, tokenId: token, need: 9 })),
    0,
  );
  bench.bus.publish<LeaseRecall>('lease.recall', { userId: user, lowered: [] });
  bench.bus.publish<LeaseRecall>('lease.recall', { userId: user });
  bench.bus.publish<LeaseRecall>('lease.recall', { userId: 99 });
  await until(() => answers.length > 1);
  expect(answers).toEqual([
    [{ relayId: 'relay-a', userId: user, recorded }, 1],
    [{ relayId: 'relay-a', userId: 99, recorded }, 1],
  ]);
});

test('quota is recalled also while more of it is requested in advance', async () => {
  const bench = await openBench();
  const first = reserved(await bench.book.reserve({ userId: user, tokenId: token, need: 10 }));
  let isAnswering = false;
  bench.answer = async () => {
    await until(() => isAnswering);
    return { granted: 500 };
  };
  for (let nth = 0; nth < 4; nth += 1)
    reserved(await bench.book.reserve({ userId: user, tokenId: token, need: 200 }));
  await until(() => bench.asks.length > 1);
  bench.bus.publish<LeaseRecall>('lease.recall', { userId: user });
  await until(() => bench.idle.length > 0);
  expect(bench.idle).toMatchObject([{ unspent: 190, closes: false }]);
  isAnswering = true;
  await until(() => bench.book.tryReserve(user, token, 400) !== null);
  bench.book.settle(first, 10);
});

test('after a lowering, what requests free is returned, and waiting requests are decided again', async () => {
  const bench = await openBench();
  bench.answer = () => ({ granted: 100 });
  const open = reserved(await bench.book.reserve({ userId: user, tokenId: token, need: 100 }));
  let isAnswering = false;
  bench.answer = async ({ lease }) => {
    await until(() => isAnswering);
    return lease === 1 ? { granted: 80 } : { refusal: 'token-exhausted' };
  };
  const waits = bench.book.reserve({ userId: user, tokenId: token, need: 90 });
  await until(() => bench.asks.length > 1);
  bench.bus.publish<LeaseRecall>('lease.recall', { userId: user, lowered });
  await until(() => bench.asks.length > 2);
  bench.book.settle(open, 5);
  isAnswering = true;
  expect(await waits).toMatchObject({ kind: 'refused', refusal: 'token-exhausted' });
  await until(() => bench.idle.length > 0);
  expect(bench.asks.map(({ lease, need }) => [lease, need])).toEqual([
    [1, 100],
    [1, 90],
    [2, 90],
  ]);
  expect(bench.idle).toMatchObject([{ leaseId: 'relay-a.7.70.1', unspent: 175, closes: true }]);
});

test('a stream gets more of the lease that it is charged to, though that was recalled', async () => {
  const bench = await openBench();
  bench.answer = () => ({ granted: 105 });
  const stream = reserved(await bench.book.reserve({ userId: user, tokenId: token, need: 40 }));
  const other = reserved(await bench.book.reserve({ userId: user, tokenId: token, need: 60 }));
  bench.answer = ({ need }) => ({ granted: need });
  bench.bus.publish<LeaseRecall>('lease.recall', { userId: user });
  await until(() => bench.idle.length > 0);
  const more = reserved(await bench.book.reserveMore(stream, 30));
  expect(bench.asks.map(({ lease, need }) => [lease, need])).toEqual([
    [1, 40],
    [1, 30],
  ]);
  bench.book.settle(stream, 40);
  bench.book.settle(more, 20);
  bench.book.settle(other, 60);
  expect(bench.idle).toMatchObject([
    { leaseId: 'relay-a.7.70.1', unspent: 5, closes: false },
    { leaseId: 'relay-a.7.70.1', unspent: 10, closes: false },
    { leaseId: 'relay-a.7.70.1', unspent: 0, closes: true },
  ]);
});

test('after a lowering, what a stream waits for is requested again from the lease that it is charged to', async () => {
  const bench = await openBench();
  bench.answer = () => ({ granted: 105 });
  const stream = reserved(await bench.book.reserve({ userId: user, tokenId: token, need: 100 }));
  let isAnswering = false;
  bench.answer = async () => {
    await until(() => isAnswering);
    return bench.asks.length < 3 ? { granted: 80 } : { refusal: 'balance-exhausted' };
  };
  const more = bench.book.reserveMore(stream, 70);
  await until(() => bench.asks.length > 1);
  bench.bus.publish<LeaseRecall>('lease.recall', { userId: user, lowered });
  await until(() => bench.idle.length > 0);
  isAnswering = true;
  expect(await more).toMatchObject({ kind: 'refused', refusal: 'balance-exhausted' });
  expect(bench.asks.map(({ lease, need }) => [lease, need])).toEqual([
    [1, 100],
    [1, 65],
    [1, 70],
  ]);
  bench.book.settle(stream, 100);
  expect(bench.idle).toMatchObject([
    { leaseId: 'relay-a.7.70.1', unspent: 5, closes: false },
    { leaseId: 'relay-a.7.70.1', unspent: 80, closes: false },
    { leaseId: 'relay-a.7.70.1', unspent: 0, closes: true },
  ]);
});

test('a repeated lowering ends no lease that was granted after it', async () => {
  const bench = await openBench();
  reserved(await bench.book.reserve({ userId: user, tokenId: token, need: 10 }));
  const lowering: LeaseRecall = { userId: user, lowered };
  bench.bus.publish<LeaseRecall>('lease.recall', lowering);
  await until(() => bench.idle.length > 0);
  expect(bench.idle).toMatchObject([{ leaseId: 'relay-a.7.70.1', unspent: 990, closes: false }]);
  reserved(await bench.book.reserve({ userId: user, tokenId: token, need: 10 }));
  bench.bus.publish<LeaseRecall>('lease.recall', lowering);
  bench.bus.publish<LeaseRecall>('lease.recall', { userId: 99 });
  await delivery();
  expect(bench.idle).toHaveLength(1);
  expect(bench.book.tryReserve(user, token, 1)?.leaseId).toBe('relay-a.7.70.2');
});

test('a stream on a lowered lease keeps what was granted to it since, until it is lowered again', async () => {
  const bench = await openBench();
  bench.answer = () => ({ granted: 100 });
  const stream = reserved(await bench.book.reserve({ userId: user, tokenId: token, need: 100 }));
  bench.bus.publish<LeaseRecall>('lease.recall', { userId: user, lowered });
  await delivery();
  bench.answer = async () => {
    bench.bus.publish<LeaseRecall>('lease.recall', { userId: user, lowered });
    await delivery();
    return { granted: 30 };
  };
  reserved(await bench.book.reserveMore(stream, 30));
  expect(bench.asks.map(({ lease, need }) => [lease, need])).toEqual([
    [1, 100],
    [1, 30],
  ]);
});

test("of the leases in a keeper's query, those that the relay does not hold are ended", async () => {
  const bench = await openBench();
  const inFlight = reserved(await bench.book.reserve({ userId: user, tokenId: token, need: 10 }));
  bench.bus.publish<LeaseRecall>('lease.recall', { userId: user });
  await until(() => bench.idle.length > 0);
  reserved(await bench.book.reserve({ userId: user, tokenId: token, need: 10 }));
  const of = (leaseId: string, relayId = 'relay-a') => ({ leaseId, relayId, producerId: 3 });
  const leases = [
    of('relay-a.7.70.1'),
    of('relay-a.7.70.2'),
    of('relay-a.7.71.9'),
    of('relay-b.7.70.1', 'relay-b'),
  ];
  bench.bus.publish<LeaseInquiry>('lease.inquiry', { userId: user, leases });
  await until(() => bench.idle.length > 1);
  const ended = {
    userId: user,
    leaseId: 'relay-a.7.71.9',
    unspent: 0,
    producerId: 3,
    closes: true,
  };
  expect(bench.idle.slice(1)).toEqual([ended]);
  bench.book.settle(inFlight, 4);
  expect(bench.idle[2]).toMatchObject({ leaseId: 'relay-a.7.70.1', closes: true });
});
