import { afterEach, expect, test } from 'vitest';
import {
  openBench,
  reserved,
  stopBenches,
  token,
  turn,
  until,
  user,
} from '../../tests/support/lease-bench.ts';

afterEach(stopBenches);

test('the first request of a token sends a lease request to the keeper, the next ones are funded without one', async () => {
  const { book, asks } = await openBench();
  expect(book.tryReserve(user, token, 10)).toBeNull();
  const first = reserved(await book.reserve({ userId: user, tokenId: token, need: 10 }));
  expect(first).toMatchObject({ leaseId: 'relay-a.7.70.1', producerId: 1, reserved: 10 });
  const second = book.tryReserve(user, token, 10);
  expect(second?.reserved).toBe(10);
  expect(asks).toHaveLength(1);
});

test('what a request does not cost is free for the next one', async () => {
  const bench = await openBench();
  bench.answer = () => ({ granted: 100 });
  const first = reserved(await bench.book.reserve({ userId: user, tokenId: token, need: 100 }));
  expect(bench.book.tryReserve(user, token, 60)).toBeNull();
  bench.book.settle(first, 40);
  expect(bench.book.tryReserve(user, token, 60)).not.toBeNull();
});

test('fifty simultaneous requests send one lease request for all of them', async () => {
  const { book, asks } = await openBench();
  const results = await Promise.all(
    Array.from({ length: 50 }, () => book.reserve({ userId: user, tokenId: token, need: 30 })),
  );
  expect(results.every(({ kind }) => kind === 'reserved')).toBe(true);
  expect(asks.map(({ need }) => need)).toEqual([1_500]);
});

test('of fifty requests on a balance that funds ten, ten are admitted in the order of arrival', async () => {
  const bench = await openBench();
  let left = 300;
  bench.answer = ({ need }) => {
    const granted = Math.min(left, need);
    left -= granted;
    return granted > 0 ? { granted } : { refusal: 'balance-exhausted', balance: 300 };
  };
  const results = await Promise.all(
    Array.from({ length: 50 }, () =>
      bench.book.reserve({ userId: user, tokenId: token, need: 30 }),
    ),
  );
  expect(results.map(({ kind }) => kind)).toEqual([
    ...Array.from({ length: 10 }, () => 'reserved'),
    ...Array.from({ length: 40 }, () => 'refused'),
  ]);
  expect(results[49]).toMatchObject({ refusal: 'balance-exhausted', balance: 5_000 });
});

test('one that waits behind a larger one is served from what was too little for that', async () => {
  const bench = await openBench();
  let isAnswering = false;
  bench.answer = async () => {
    await until(() => isAnswering);
    return { granted: 100, refusal: 'balance-exhausted' };
  };
  const large = bench.book.reserve({ userId: user, tokenId: token, need: 500 });
  await until(() => bench.asks.length === 1);
  const small = bench.book.reserve({ userId: user, tokenId: token, need: 30 });
  isAnswering = true;
  expect(await large).toMatchObject({ kind: 'refused' });
  expect(reserved(await small).reserved).toBe(30);
  expect(bench.asks).toHaveLength(1);
});

test('more for a request that has ended meanwhile takes nothing from those that wait behind it', async () => {
  const bench = await openBench();
  bench.answer = () => ({ granted: 100 });
  const stream = reserved(await bench.book.reserve({ userId: user, tokenId: token, need: 100 }));
  let isAnswering = false;
  bench.answer = async ({ need }) => {
    await until(() => isAnswering);
    return { granted: need };
  };
  const more = bench.book.reserveMore(stream, 600);
  const next = bench.book.reserve({ userId: user, tokenId: token, need: 30 });
  await until(() => bench.asks.length === 2);
  bench.book.settle(stream, 640);
  isAnswering = true;
  expect(await more).toMatchObject({ kind: 'refused' });
  expect(reserved(await next).reserved).toBe(30);
  expect(bench.book.tryReserve(user, token, 61)).toBeNull();
  expect(bench.book.tryReserve(user, token, 60)).not.toBeNull();
});

test('nothing is reserved for a caller that left while it waited', async () => {
  const bench = await openBench();
  let hasLeft = false;
  bench.answer = () => {
    hasLeft = true;
    return { granted: 100 };
  };
  const request = { userId: user, tokenId: token };
  const left = bench.book.reserve({ ...request, need: 80 }, () => hasLeft);
  const stays = bench.book.reserve({ ...request, need: 90 });
  expect(await left).toMatchObject({ kind: 'refused' });
  expect(reserved(await stays).reserved).toBe(90);
  expect(bench.asks).toMatchObject([{ need: 170 }]);
});

test('successive requests each send as many lease requests as the first', async () => {
  const bench = await openBench();
  const { book } = bench;
  bench.answer = () => ({ granted: 10 });
  const stream = reserved(await book.reserve({ userId: user, tokenId: token, need: 10 }));
  const served = [book.reserve({ userId: user, tokenId: token, need: 10 })];
  bench.answer = ({ need }) => {
    if (served.length < 6) served.push(book.reserve({ userId: user, tokenId: token, need: 10 }));
    // What it cost beyond its reservation takes what this answer brings.
    else if (stream.reserved > 0) book.settle(stream, 60);
    return { granted: need };
  };
  for (let nth = 0; nth < 6; nth += 1) expect((await served[nth])?.kind).toBe('reserved');
});

test('a refusal is cached for a moment, then the lease is requested again', async () => {
  const bench = await openBench();
  bench.answer = () => ({ refusal: 'token-exhausted', tokenRemain: 0 });
  expect(await bench.book.reserve({ userId: user, tokenId: token, need: 30 })).toMatchObject({
    refusal: 'token-exhausted',
  });
  expect(await bench.book.reserve({ userId: user, tokenId: token, need: 30 })).toMatchObject({
    refusal: 'token-exhausted',
  });
  expect(bench.asks).toHaveLength(1);
  bench.now += 101;
  bench.answer = () => ({ granted: 30 });
  expect((await bench.book.reserve({ userId: user, tokenId: token, need: 30 })).kind).toBe(
    'reserved',
  );
});

test('a refusal is remembered for requests that need as much, and not for smaller ones', async () => {
  const bench = await openBench();
  bench.answer = ({ need }) => (need > 50 ? { refusal: 'balance-exhausted' } : { granted: need });
  const needs = [300, 80];
  const first = await Promise.all(
    needs.map((need) => bench.book.reserve({ userId: user, tokenId: token, need })),
  );
  expect(first.map(({ kind }) => kind)).toEqual(['refused', 'refused']);
  expect((await bench.book.reserve({ userId: user, tokenId: token, need: 80 })).kind).toBe(
    'refused',
  );
  expect(bench.asks).toHaveLength(1);
  expect((await bench.book.reserve({ userId: user, tokenId: token, need: 50 })).kind).toBe(
    'reserved',
  );
});

test('a lease is refilled before it runs dry, without anybody waiting', async () => {
  const { book, asks } = await openBench();
  reserved(await book.reserve({ userId: user, tokenId: token, need: 10 }));
  for (let i = 0; i < 75; i += 1) expect(book.tryReserve(user, token, 10)).not.toBeNull();
  await turn();
  expect(asks).toHaveLength(2);
  expect(asks[1]?.need).toBe(0);
});

test('a stream that outgrows its estimate takes more of the lease while there is some', async () => {
  const bench = await openBench();
  bench.answer = () => ({ granted: 100 });
  const stream = reserved(await bench.book.reserve({ userId: user, tokenId: token, need: 60 }));
  bench.answer = () => ({ refusal: 'balance-exhausted' });
  expect(bench.book.extend(stream, 40)).toBe(true);
  expect(stream.reserved).toBe(100);
  expect(bench.book.extend(stream, 1)).toBe(false);
});

test('a cost beyond the reservation is covered by the next grant', async () => {
  const bench = await openBench();
  bench.answer = ({ need }) => ({ granted: need });
  const first = reserved(await bench.book.reserve({ userId: user, tokenId: token, need: 50 }));
  bench.book.settle(first, 80);
  reserved(await bench.book.reserve({ userId: user, tokenId: token, need: 20 }));
  expect(bench.asks.map(({ need }) => need)).toEqual([50, 50]);
});

test('a lease that the keeper does not hold any more is replaced by another', async () => {
  const bench = await openBench();
  bench.answer = () => ({ granted: 100 });
  const open = reserved(await bench.book.reserve({ userId: user, tokenId: token, need: 60 }));
  bench.answer = ({ ask }) => (ask === 2 ? { granted: 50, fresh: true } : { granted: 95 });
  const next = reserved(await bench.book.reserve({ userId: user, tokenId: token, need: 95 }));
  expect(next.leaseId).toBe('relay-a.7.70.2');
  bench.book.settle(open, 10);
  // Whatever the keeper set aside under the old id is free again.
  const ended = { leaseId: 'relay-a.7.70.1' };
  expect(bench.idle).toMatchObject([
    { ...ended, closes: false },
    { ...ended, closes: true },
  ]);
});

test('when the keeper is away the warm lease is used, and other requests are refused at once', async () => {
  const bench = await openBench();
  reserved(await bench.book.reserve({ userId: user, tokenId: token, need: 10 }));
  bench.answer = () => new Error('no log');
  expect(await bench.book.reserve({ userId: user, tokenId: token, need: 5_000 })).toMatchObject({
    kind: 'refused',
    refusal: 'keeper-unavailable',
  });
  bench.answer = ({ need }) => ({ granted: need });
  bench.book.settle(
    reserved(await bench.book.reserve({ userId: user, tokenId: token, need: 2_000 })),
    0,
  );
});

test('a lease request whose answer was lost is repeated under the same number', async () => {
  const bench = await openBench();
  let isFirst = true;
  bench.answer = () => {
    if (!isFirst) return { granted: 40 };
    isFirst = false;
    return new Error('lost');
  };
  expect(await bench.book.reserve({ userId: user, tokenId: token, need: 40 })).toMatchObject({
    refusal: 'keeper-unavailable',
  });
  expect((await bench.book.reserve({ userId: user, tokenId: token, need: 40 })).kind).toBe(
    'reserved',
  );
  expect(new Set(bench.asks.slice(0, 2).map(({ ask }) => ask)).size).toBe(1);
});

test('an idle lease goes back with what is unspent, and a new one has a new number', async () => {
  const bench = await openBench(10, 30);
  bench.book.settle(
    reserved(await bench.book.reserve({ userId: user, tokenId: token, need: 10 })),
    4,
  );
  await until(() => bench.idle.length > 0);
  const leaseId = 'relay-a.7.70.1';
  expect(bench.idle).toEqual([{ userId: 7, leaseId, producerId: 1, unspent: 996, closes: true }]);
  reserved(await bench.book.reserve({ userId: user, tokenId: token, need: 10 }));
  expect(bench.asks.map(({ ask, lease }) => [ask, lease])).toEqual([
    [1, 1],
    [2, 2],
  ]);
});

test('a lease with a request in flight does not go back', async () => {
  const bench = await openBench(5, 5);
  reserved(await bench.book.reserve({ userId: user, tokenId: token, need: 10 }));
  for (let i = 0; i < 10; i += 1) await turn();
  expect(bench.idle).toHaveLength(0);
});

test('at the end of its life a relay gives everything back', async () => {
  const bench = await openBench();
  const open = reserved(await bench.book.reserve({ userId: user, tokenId: token, need: 10 }));
  bench.book.settle(
    reserved(await bench.book.reserve({ userId: user, tokenId: 71, need: 10 })),
    10,
  );
  await bench.book.stop();
  expect(bench.idle.map(({ leaseId }) => leaseId)).toEqual(['relay-a.7.71.2']);
  bench.book.settle(open, 3);
  expect(bench.idle.map(({ unspent }) => unspent)).toEqual([990, 997]);
});
