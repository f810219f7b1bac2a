import { describe, expect, test } from 'vitest';
import { aPriceQuote, aRatioQuote } from '../../tests/support/pricing-examples.ts';
import type { LeaseBook, Reservation, ReserveResult } from '../admission/lease-book.ts';
import { Funding, type Measured, measuredAs } from './funding.ts';

/** Three units for each token of output, whatever a token of the prompt costs. */
const threeUnits = aRatioQuote({
  modelRatio: '1',
  completionRatio: '3',
  cacheRatio: '9',
  cacheCreationRatio: '9',
});

const aReservation = (leaseId = 'first', reserved = 500): Reservation => ({
  leaseId,
  producerId: 1,
  userId: 7,
  tokenId: 70,
  reserved,
});
const refused: ReserveResult = {
  kind: 'refused',
  refusal: 'balance-exhausted',
  balance: 0,
  tokenRemain: 0,
};

type Money = { lease: number; keeper: number };

type Terms = Readonly<{
  quote?: ConstructorParameters<typeof Funding>[1]['quote'];
  outputLimit?: number | null;
  measure?: () => Promise<Measured | null>;
  reserve?: () => Promise<ReserveResult>;
}>;

/** 500 units reserved, 300 of them for 100 tokens of output. */
const funded = (money: Money, terms: Terms = {}) => {
  const { quote = threeUnits, outputLimit = null, measure } = terms;
  const extended: number[] = [];
  const requested: number[][] = [];
  const settled: (readonly [string, number])[] = [];
  const reserve = async (need: number): Promise<ReserveResult> => {
    if (need > money.keeper) return refused;
    money.keeper -= need;
    return { kind: 'reserved', reservation: aReservation('extra', need) };
  };
  const leaseBook: LeaseBook = {
    tryReserve: () => null,
    reserve: async () => refused,
    reserveMore: ({ userId, tokenId }, need) => {
      requested.push([userId, tokenId, need]);
      return terms.reserve?.() ?? reserve(need);
    },
    extend: (reservation, more) => {
      if (more > money.lease) return false;
      money.lease -= more;
      reservation.reserved += more;
      extended.push(more);
      return true;
    },
    settle: ({ leaseId }, amount) => settled.push([leaseId, amount]),
    start: async () => {},
    stop: async () => {},
  };
  const options = { reservation: aReservation(), quote, coveredTokens: 100, outputLimit };
  const funding = new Funding(leaseBook, measure === undefined ? options : { ...options, measure });
  return { funding, extended, requested, settled };
};
const aTick = () => new Promise((resolve) => setImmediate(resolve));
const rich = (): Money => ({ lease: 1_000_000, keeper: 1_000_000 });
const onLease = (): Money => ({ lease: 0, keeper: 1_000_000 });
const broke = (): Money => ({ lease: 0, keeper: 0 });

describe('the reservation of an answer that grows', () => {
  test('covers its estimate without a request for more', () => {
    const { funding, extended } = funded(rich());
    funding.cover(75);
    expect([extended, funding.exhausted, funding.waiting]).toEqual([[], false, null]);
  });
  test('grows by 256 tokens at the least, before it is used up', () => {
    const { funding, extended, requested } = funded(rich());
    funding.cover(76);
    expect(extended).toEqual([768]);
    funding.cover(100 + 256 - 64);
    expect(extended).toHaveLength(1);
    funding.cover(100 + 256 - 63);
    expect(extended).toEqual([768, 768]);
    expect(requested).toEqual([]);
  });
  test('grows by half of what was produced, and by what is not covered yet', () => {
    const { funding, extended } = funded(rich());
    funding.cover(1_001);
    expect(extended).toEqual([(501 + 901) * 3]);
    funding.cover(1_001 + 501 - 64);
    expect(extended).toHaveLength(1);
    funding.cover(1_001 + 501);
    expect(extended).toHaveLength(2);
  });
  test('does not grow before a limit that the caller named', () => {
    const { funding, extended } = funded(rich(), { outputLimit: 100 });
    funding.cover(100);
    expect(extended).toEqual([]);
    expect(funding.outputLimit).toBe(100);
    funding.cover(101);
    expect(extended).toHaveLength(1);
  });
  test('never grows under a price per call', () => {
    const { funding, extended, requested } = funded(broke(), { quote: aPriceQuote() });
    funding.cover(5_000);
    expect([extended, requested, funding.exhausted]).toEqual([[], [], false]);
    expect([funding.waiting, funding.coveredBytes(0)]).toEqual([null, Number.POSITIVE_INFINITY]);
  });
});

describe('a lease that is spent', () => {
  test('requests more once at a time, and the answer waits no longer than for that', async () => {
    const { funding, requested, settled } = funded(onLease());
    funding.cover(90);
    expect(funding.waiting).toBeNull();
    funding.cover(300);
    const { waiting } = funding;
    expect(waiting).not.toBeNull();
    await waiting;
    expect(requested).toEqual([[7, 70, (256 + 200) * 3]]);
    expect([funding.waiting, funding.exhausted, settled]).toEqual([null, false, []]);
  });
  test('requests again where more was produced meanwhile than was requested', async () => {
    const asked: (() => void)[] = [];
    const money = onLease();
    const { funding, requested } = funded(money, {
      reserve: () =>
        new Promise((resolve) => {
          const reservation = aReservation('extra', 0);
          asked.push(() => resolve({ kind: 'reserved', reservation }));
        }),
    });
    funding.cover(101);
    await aTick();
    funding.cover(2_000);
    asked[0]?.();
    await aTick();
    expect(requested).toHaveLength(2);
    expect(funding.waiting).not.toBeNull();
    asked[1]?.();
    await aTick();
    expect([funding.waiting, funding.exhausted]).toEqual([null, false]);
  });
  test('ends the answer where the account has nothing left', async () => {
    const { funding, requested, settled } = funded(broke());
    funding.cover(1_000);
    expect(funding.exhausted).toBe(false);
    await funding.waiting;
    expect(funding.exhausted).toBe(true);
    funding.cover(2_000);
    expect(requested).toHaveLength(1);
    funding.settle(40);
    expect(settled).toEqual([['first', 40]]);
  });
  test('lets what is reserved be used up, where a request in advance brought nothing', async () => {
    const { funding, requested } = funded(broke());
    funding.cover(90);
    await aTick();
    funding.cover(100);
    await aTick();
    expect([funding.exhausted, requested.length]).toEqual([false, 1]);
    funding.cover(101);
    await funding.waiting;
    expect(funding.exhausted).toBe(true);
  });
  test('gives its last units in steps that shrink', async () => {
    const money = { lease: 700, keeper: 0 };
    const { funding, extended } = funded(money);
    funding.cover(101);
    await funding.waiting;
    expect(extended).toEqual([385, 192, 96, 24]);
    funding.cover(100 + Math.floor(697 / 3));
    expect([funding.exhausted, funding.waiting]).toEqual([false, null]);
    // What pays for less than eight tokens is left.
    funding.cover(100 + Math.floor(697 / 3) + 1);
    await funding.waiting;
    expect([funding.exhausted, money.lease]).toEqual([true, 3]);
  });
  test('ends the answer where the keeper cannot be reached', async () => {
    const reserve = () => Promise.reject(new Error('no answer'));
    const { funding } = funded(broke(), { reserve });
    funding.cover(1_000);
    await funding.waiting;
    expect(funding.exhausted).toBe(true);
  });
});

describe('a count of what was produced', () => {
  /** So many units in all, of them for output. */
  const counting = (...answers: readonly (readonly [number, number])[]) => {
    const left = [...answers];
    return async (): Promise<Measured | null> => {
      const [amount, outputAmount] = left.shift() ?? answers.at(-1) ?? [0, 0];
      return { amount, outputAmount };
    };
  };

  test('finds the rest of the reservation that an estimate was too high for', async () => {
    // 110 tokens as estimated were 55, and the prompt was 35 units: 300 of 500 are left.
    const { funding } = funded(broke(), { measure: counting([200, 165]) });
    funding.cover(110);
    await funding.waiting;
    expect(funding.exhausted).toBe(false);
    const rate = 1.5 * 1.1;
    funding.cover(110 + Math.floor(300 / rate));
    expect(funding.waiting).toBeNull();
  });
  test('ends the answer where nothing is left of it', async () => {
    const { funding } = funded(broke(), { measure: counting([200, 165], [501, 465]) });
    funding.cover(110);
    await funding.waiting;
    funding.cover(310);
    await funding.waiting;
    expect(funding.exhausted).toBe(true);
  });
  test('requests what a dense text took beyond the estimate', async () => {
    // 100 tokens as estimated were 400.
    const { funding, requested } = funded(onLease(), { measure: counting([1_400, 1_200]) });
    funding.cover(100);
    await aTick();
    const rate = 12 * 1.1;
    expect(requested).toEqual([[7, 70, Math.ceil(256 * rate + 900)]]);
  });
  test.each<[string, () => Promise<null>]>([
    ['cannot be made yet', async () => null],
    ['fails', () => Promise.reject(new Error('no table'))],
  ])('that %s changes nothing', async (_why, measure) => {
    const { funding, requested } = funded(onLease(), { measure });
    funding.cover(101);
    await funding.waiting;
    expect([funding.exhausted, requested.length]).toEqual([false, 1]);
  });
  test('returns the cost of output without the prompt', () => {
    const usage = {
      promptTokens: 10,
      completionTokens: 5,
      cachedTokens: 0,
      cacheCreationTokens: 0,
    };
    expect(measuredAs(usage, threeUnits)).toEqual({ amount: 25, outputAmount: 15 });
  });
});

describe('how much of a stream may pass unseen', () => {
  test('is four bytes for each token that is covered, and 256 at the least', () => {
    const { funding } = funded(broke());
    expect(funding.coveredBytes(0)).toBe(400);
    funding.cover(60);
    expect(funding.coveredBytes(240)).toBe(256);
  });
  test('is more where a token has taken more so far', () => {
    const { funding } = funded(broke());
    funding.cover(50);
    expect(funding.coveredBytes(5_000)).toBe(50 * 50);
  });
});

describe('the end of the request', () => {
  test.each([
    [40, 0],
    [500, 700],
  ])('is settled once, first from what was reserved first: %i and %i', async (first, extra) => {
    const { funding, settled } = funded(onLease());
    funding.cover(1_000);
    await funding.waiting;
    funding.settle(first + extra);
    funding.settle(50);
    expect(Object.fromEntries(settled)).toEqual({ first, extra });
  });
  test('frees a reservation that arrives after it', async () => {
    let answer = (): void => {};
    const reserve = () =>
      new Promise<ReserveResult>((resolve) => {
        answer = () => resolve({ kind: 'reserved', reservation: aReservation('extra', 9) });
      });
    const { funding, settled } = funded(broke(), { reserve });
    funding.cover(1_000);
    await aTick();
    funding.settle(40);
    answer();
    await aTick();
    expect(settled).toEqual([
      ['first', 40],
      ['extra', 0],
    ]);
  });
  test('requests nothing more', async () => {
    const { funding, requested } = funded(onLease());
    funding.cover(1_000);
    funding.settle(40);
    await aTick();
    funding.cover(5_000);
    expect(requested).toEqual([]);
  });
});
