import { afterEach, expect, test } from 'vitest';
import type { LeasesRenewed } from '../../domain/account/messages.ts';
import {
  type Bench,
  openBench,
  recorded,
  reserved,
  stopBenches,
  token,
  turn,
  user,
} from '../../tests/support/lease-bench.ts';

afterEach(stopBenches);

const renew = (bench: Bench, heartbeat: number, partitions = [user % 64]): void =>
  bench.bus.publish<LeasesRenewed>('lease.renewed', { relayId: 'relay-a', heartbeat, partitions });

test('a lease admits for its term, less a tenth, from when its request was sent', async () => {
  const bench = await openBench();
  const { book } = bench;
  bench.answer = ({ need }) => {
    bench.now += 5_000;
    return { granted: Math.max(need, 1_000) };
  };
  book.settle(reserved(await book.reserve({ userId: user, tokenId: token, need: 10 })), 0);
  bench.now += 21_999;
  expect(book.tryReserve(user, token, 10)).not.toBeNull();
  bench.now += 1;
  expect(book.tryReserve(user, token, 10)).toBeNull();
  bench.answer = () => new Error('no keeper');
  expect(await book.reserve({ userId: user, tokenId: token, need: 10 })).toMatchObject({
    refusal: 'keeper-unavailable',
  });
});

test('a heartbeat that a keeper answers renews from when it was sent, in the partitions named', async () => {
  const bench = await openBench(5);
  const { book } = bench;
  book.settle(reserved(await book.reserve({ userId: user, tokenId: token, need: 10 })), 0);
  bench.now += 26_000;
  const heartbeat = await bench.nextHeartbeat();
  bench.now += 26_999;
  expect(book.tryReserve(user, token, 10)).toBeNull();
  renew(bench, heartbeat, [user + 1]);
  await turn();
  expect(book.tryReserve(user, token, 10)).toBeNull();
  renew(bench, heartbeat);
  await turn();
  const open = book.tryReserve(user, token, 10);
  expect(open).not.toBeNull();
  bench.now += 1;
  expect(book.tryReserve(user, token, 10)).toBeNull();
});

test('a lease that lapsed is not used again, and nothing is granted before what was recorded', async () => {
  const bench = await openBench(5);
  const { book } = bench;
  const open = reserved(await book.reserve({ userId: user, tokenId: token, need: 10 }));
  bench.now += 2 * 30_000 - 3_000;
  const heartbeat = await bench.nextHeartbeat();
  renew(bench, heartbeat);
  await turn();
  expect(book.tryReserve(user, token, 10)).toBeNull();
  expect(book.extend(open, 1)).toBe(false);
  let pending = 2;
  bench.answer = () => {
    pending -= 1;
    return pending > 0 ? { refusal: 'usage-pending' } : { granted: 500 };
  };
  const next = reserved(await book.reserve({ userId: user, tokenId: token, need: 10 }));
  expect(next.leaseId).toBe('relay-a.7.70.2');
  expect(bench.asks.slice(1).map((ask) => [ask.lease, ask.recorded])).toEqual([
    [2, recorded],
    [2, recorded],
  ]);
  book.settle(open, 3);
  expect(bench.idle).toMatchObject([{ leaseId: 'relay-a.7.70.1', unspent: 997, closes: true }]);
});
