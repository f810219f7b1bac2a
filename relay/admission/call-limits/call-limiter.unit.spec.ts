import { describe, expect, test } from 'vitest';
import {
  admittedOf,
  cluster,
  many,
  small,
  take,
  user,
} from '../../../tests/support/relay/call-limiter-harness.ts';
import { isPermit, type TokenNeed } from './call-limiter.ts';

describe('requests in a minute', () => {
  const limits = user({ requestsPerMinute: 60 });

  test('are not exceeded by a burst at the same moment on three relays', async () => {
    const { relayAt } = cluster();
    const all = await Promise.all([0, 1, 2].map((at) => many(100, relayAt(at), limits)));
    expect(admittedOf(all.flat())).toHaveLength(60);
  });

  test('may all be made at one relay of three', async () => {
    const { relayAt } = cluster();
    await Promise.all([0, 1, 2].map((at) => many(1, relayAt(at), limits)));
    expect(admittedOf(await many(100, relayAt(1), limits))).toHaveLength(57);
  });

  test('can be retried when their minute is over, and not before', async () => {
    const { relayAt, timers } = cluster();
    await timers.advance(30_000);
    expect(admittedOf(await many(80, relayAt(0), limits))).toHaveLength(60);
    await timers.advance(59_000);
    expect(admittedOf(await many(80, relayAt(1), limits))).toHaveLength(0);
    await timers.advance(3_000);
    expect(admittedOf(await many(80, relayAt(1), limits))).toHaveLength(60);
  });

  test('of a call that was not made are free again', async () => {
    const { relayAt, timers } = cluster();
    const permits = admittedOf(await many(60, relayAt(0), limits));
    expect(await take(relayAt(1), limits)).toMatchObject({ status: 429 });
    for (const permit of permits.slice(0, 20)) permit.cancelled();
    for (const permit of permits.slice(20)) permit.ended(5);
    for (const permit of permits) permit.cancelled();
    await timers.advance(1_000);
    expect(admittedOf(await many(60, relayAt(1), limits))).toHaveLength(20);
  });

  test('report when to retry, and a caller who waits that long is admitted', async () => {
    const { relayAt, timers } = cluster();
    await many(60, relayAt(0), limits);
    await timers.advance(20_000);
    const refused = await take(relayAt(0), limits);
    expect(refused).toMatchObject({ status: 429, retryAfterSeconds: 41 });
    await timers.advance(41_000);
    expect(isPermit(await take(relayAt(0), limits))).toBe(true);
  });

  test.each([
    [60, [50, 5, 1]],
    [600, [500, 50, 10]],
    [5, [3, 1, 1]],
  ])(
    '%i a minute are held within a tenth, under uneven load of several minutes',
    async (limit, rates) => {
      // Each relay is offered so many calls a second: far more than the limit, in turns.
      const { relayAt, timers } = cluster([0, 400, -400]);
      const own = user({ requestsPerMinute: limit });
      const admittedAt: number[] = [];
      for (let second = 0; second < 300; second += 1) {
        const turn = Math.floor(second / 45);
        const offered = [0, 1, 2].map((at) => rates[(at + turn) % 3] ?? 0);
        const all = await Promise.all(offered.map((count, at) => many(count, relayAt(at), own)));
        for (const _permit of admittedOf(all.flat())) admittedAt.push(timers.now());
        await timers.advance(1_000);
      }
      const inMinuteFrom = (from: number): number =>
        admittedAt.filter((at) => at >= from && at < from + 60_000).length;
      const windows = Array.from({ length: 240 }, (_, second) => inMinuteFrom(second * 1_000));
      expect(Math.max(...windows)).toBeLessThanOrEqual(limit * 1.1);
      expect(admittedAt.length / 5).toBeGreaterThanOrEqual(limit * 0.9);
    },
  );
});

describe('calls at a time', () => {
  const limits = user({ concurrentRequests: 5 });

  test('are not exceeded by three relays together', async () => {
    const { relayAt } = cluster();
    const all = await Promise.all([0, 1, 2].map((at) => many(20, relayAt(at), limits)));
    expect(admittedOf(all.flat())).toHaveLength(5);
  });

  test('are free for any relay when a call ends, however it ends and however often', async () => {
    const { relayAt, timers } = cluster();
    const permits = admittedOf(await many(5, relayAt(0), limits));
    permits[0]?.ended(10);
    permits[0]?.ended(10);
    permits[1]?.cancelled();
    permits[1]?.ended(0);
    await timers.advance(200);
    expect(admittedOf(await many(9, relayAt(2), limits))).toHaveLength(2);
  });

  test('stay counted for as long as calls run, over many minutes', async () => {
    const { relayAt, timers } = cluster();
    const permits = admittedOf(await many(5, relayAt(0), limits));
    await timers.advance(600_000);
    expect(admittedOf(await many(9, relayAt(1), limits))).toHaveLength(0);
    permits[0]?.ended(0);
    await timers.advance(200);
    expect(admittedOf(await many(9, relayAt(1), limits))).toHaveLength(1);
  });

  test('are not exceeded while a slow bus carries what was refused', async () => {
    const { relayAt, timers, seen } = cluster();
    const permits = admittedOf(await many(4, relayAt(0), user({ concurrentRequests: 4 })));
    seen.delayMs = 3;
    const later: ReturnType<typeof many>[] = [];
    for (let ms = 0; ms < 1_000; ms += 1) {
      if (ms === 100) for (const permit of permits.slice(1)) permit.ended(0);
      for (const at of [1, 2]) later.push(many(1, relayAt(at), user({ concurrentRequests: 4 })));
      await timers.advance(1);
    }
    await timers.advance(1_000);
    expect(admittedOf((await Promise.all(later)).flat())).toHaveLength(3);
  });

  test('of a relay that died are free after two minutes', async () => {
    const { relayAt, timers } = cluster();
    await many(5, relayAt(0), limits);
    relayAt(0).stop();
    await timers.advance(121_000);
    expect(admittedOf(await many(9, relayAt(1), limits))).toHaveLength(5);
  });
});

describe('tokens in a minute', () => {
  const limits = user({ tokensPerMinute: 1_000 });
  const need = (prompt: number, output: number): TokenNeed => ({ prompt, output });

  test('are reserved by the estimate and corrected by what a call took', async () => {
    const { relayAt, timers } = cluster();
    const first = await take(relayAt(0), limits, need(100, 800));
    expect(await take(relayAt(1), limits, need(100, 100))).toMatchObject({ status: 429 });
    if (isPermit(first)) first.ended(150);
    await timers.advance(1_000);
    expect(isPermit(await take(relayAt(1), limits, need(100, 700)))).toBe(true);
    expect(await take(relayAt(2), limits, need(50, 50))).toMatchObject({ type: 'tokens' });
  });

  test('beyond the estimate count from the end of the call', async () => {
    const { relayAt, timers } = cluster();
    const first = await take(relayAt(0), limits, need(10, 10));
    await timers.advance(50_000);
    if (isPermit(first)) first.ended(1_000);
    await timers.advance(30_000);
    expect(await take(relayAt(1), limits, need(20, 20))).toMatchObject({ status: 429 });
    await timers.advance(32_000);
    expect(isPermit(await take(relayAt(1), limits, need(20, 20)))).toBe(true);
  });

  test('of a call of many minutes count for a minute from its end', async () => {
    const { relayAt, timers } = cluster();
    const first = await take(relayAt(0), limits, need(10, 10));
    await timers.advance(300_000);
    if (isPermit(first)) first.ended(1_000);
    await timers.advance(30_000);
    expect(await take(relayAt(0), limits, need(20, 20))).toMatchObject({ status: 429 });
    expect(await take(relayAt(1), limits, need(20, 20))).toMatchObject({ status: 429 });
    await timers.advance(32_000);
    expect(isPermit(await take(relayAt(0), limits, need(20, 20)))).toBe(true);
    expect(isPermit(await take(relayAt(1), limits, need(20, 20)))).toBe(true);
  });

  test('do not refuse a call for the length that its answer may have', async () => {
    const { relayAt } = cluster();
    expect(isPermit(await take(relayAt(0), limits, need(100, 32_000)))).toBe(true);
  });

  test('refuse for good a prompt that no minute has room for', async () => {
    const { relayAt } = cluster();
    const refused = await take(relayAt(0), limits, need(1_001, 1));
    expect(refused).toMatchObject({ status: 429, type: 'tokens' });
    expect(refused).not.toHaveProperty('retryAfterSeconds');
  });

  test('are held within a tenth by three relays, whatever calls take', async () => {
    const { relayAt, timers } = cluster();
    const own = user({ tokensPerMinute: 100_000 });
    const usedAt: (readonly [at: number, tokens: number])[] = [];
    for (let second = 0; second < 240; second += 1) {
      const at = second % 7 === 0 ? second % 3 : 0;
      const actual = 200 + ((second * 37) % 900);
      const all = await Promise.all(
        Array.from({ length: 20 }, () => take(relayAt(at), own, need(300, 700))),
      );
      for (const permit of admittedOf(all)) {
        usedAt.push([timers.now(), actual]);
        permit.ended(actual);
      }
      await timers.advance(1_000);
    }
    const inMinuteFrom = (from: number): number =>
      usedAt
        .filter(([at]) => at >= from && at < from + 60_000)
        .reduce((sum, [, tokens]) => sum + tokens, 0);
    const windows = Array.from({ length: 180 }, (_, second) => inMinuteFrom(second * 1_000));
    expect(Math.max(...windows)).toBeLessThanOrEqual(110_000);
    expect(usedAt.reduce((sum, [, tokens]) => sum + tokens, 0) / 4).toBeGreaterThanOrEqual(90_000);
  });
});

describe('several limits of one call', () => {
  test('leave nothing taken when one of them refuses', async () => {
    const { relayAt, timers } = cluster();
    const both = [
      { by: 'token' as const, name: '5', limits: { requestsPerMinute: 10 } },
      { by: 'model' as const, name: 'm', limits: { concurrentRequests: 1 } },
    ];
    expect(admittedOf(await many(9, relayAt(0), both))).toHaveLength(1);
    await timers.advance(1_000);
    const { states } = await relayAt(0).take(both.slice(0, 1), small);
    expect(states()).toMatchObject([{ unit: 'requests', limit: 10, remaining: 8 }]);
  });
});

describe('the shared counters', () => {
  test('cause few requests to the shared count on a busy relay', async () => {
    const { relayAt, timers, seen } = cluster();
    const limits = user({ requestsPerMinute: 60_000 });
    for (let call = 0; call < 5_000; call += 1) await take(relayAt(0), limits);
    await timers.advance(0);
    expect(seen.operations).toBeLessThan(100);
  });

  test('cause no request for each call beyond the limit', async () => {
    const { relayAt, seen } = cluster();
    const limits = user({ concurrentRequests: 1 });
    await take(relayAt(0), limits);
    const before = seen.operations;
    for (let call = 0; call < 1_000; call += 1) await take(relayAt(0), limits);
    expect(seen.operations - before).toBeLessThan(10);
  });

  test('may be away: each relay then keeps the limit by itself', async () => {
    const { relayAt, timers, seen } = cluster();
    const limits = user({ requestsPerMinute: 60 });
    await many(10, relayAt(0), limits);
    seen.away = true;
    expect(admittedOf(await many(100, relayAt(0), limits))).toHaveLength(50);
    expect(admittedOf(await many(100, relayAt(1), limits))).toHaveLength(60);
    seen.away = false;
    await timers.advance(3_000);
    expect(admittedOf(await many(100, relayAt(2), limits))).toHaveLength(0);
  });

  test('take no memory and no timer when nothing is held any more', async () => {
    const { relayAt, timers, seen } = cluster();
    const permit = await take(relayAt(0), user({ requestsPerMinute: 5, concurrentRequests: 2 }));
    if (isPermit(permit)) permit.ended(1);
    await timers.advance(70_000);
    const { operations } = seen;
    await timers.advance(600_000);
    expect(seen.operations).toBe(operations);
  });
});
