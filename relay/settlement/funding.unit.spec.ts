import { describe, expect, test } from 'vitest';
import { aPriceQuote, aRatioQuote } from '../../tests/support/pricing-examples.ts';
import type { LeaseBook, Reservation, ReserveResult } from '../admission/lease-book.ts';
import { Funding } from './funding.ts';

/** Three units for each token of output, whatever a token of the prompt costs. */
const threeUnits = aRatioQuote({
  modelRatio: '1',
  completionRatio: '3',
  cacheRatio: '9',
  cacheCreationRatio: '9',
});

const aReservation = (leaseId = 'first'): Reservation => ({
  leaseId,
  userId: 7,
  tokenId: 70,
  reserved: 500,
});
const granted = (): ReserveResult => ({ kind: 'reserved', reservation: aReservation('extra') });
const refused: ReserveResult = {
  kind: 'refused',
  refusal: 'balance-exhausted',
  balance: 0,
  tokenRemain: 0,
};

/** A lease that can or cannot grow, and the answers to the requests for more. */
const funded = (
  canExtend: boolean,
  reserve: () => Promise<ReserveResult> = async () => granted(),
  quote: ConstructorParameters<typeof Funding>[1]['quote'] = threeUnits,
) => {
  const extended: number[] = [];
  const requested: number[][] = [];
  const settled: (readonly [string, number])[] = [];
  const leaseBook: LeaseBook = {
    tryReserve: () => null,
    reserve: (userId, tokenId, need) => {
      requested.push([userId, tokenId, need]);
      return reserve();
    },
    extend: (_reservation, more) => {
      extended.push(more);
      return canExtend;
    },
    settle: ({ leaseId }, amount) => settled.push([leaseId, amount]),
    start: async () => {},
    stop: async () => {},
  };
  const options = { reservation: aReservation(), quote, coveredTokens: 100, outputLimit: 900 };
  return { funding: new Funding(leaseBook, options), extended, requested, settled };
};
const aTick = () => new Promise((resolve) => setImmediate(resolve));

describe('the reservation of an answer that grows', () => {
  test('covers its estimate without a request for more', () => {
    const { funding, extended } = funded(true);
    funding.cover(100);
    expect(extended).toEqual([]);
    expect(funding.outputLimit).toBe(900);
    expect(funding.exhausted).toBe(false);
  });
  test('grows by 256 tokens at the least', () => {
    const { funding, extended, requested } = funded(true);
    funding.cover(101);
    funding.cover(357);
    expect(extended).toEqual([768]);
    funding.cover(358);
    expect(extended).toEqual([768, 768]);
    expect(requested).toEqual([]);
  });
  test('grows by half of what was produced, rounded up', () => {
    const { funding, extended } = funded(true);
    funding.cover(1_001);
    expect(extended).toEqual([1_503]);
    funding.cover(1_502);
    expect(extended).toHaveLength(1);
    funding.cover(1_503);
    expect(extended).toHaveLength(2);
  });
  test('never grows under a price per call', () => {
    const { funding, extended, requested } = funded(false, undefined, aPriceQuote());
    funding.cover(5_000);
    expect([extended, requested, funding.exhausted]).toEqual([[], [], false]);
  });
});

describe('a lease that is spent', () => {
  test('is asked for more once at a time, and the answer goes on', async () => {
    const { funding, requested, settled } = funded(false);
    funding.cover(1_000);
    funding.cover(1_200);
    expect(requested).toEqual([[7, 70, 1_500]]);
    await aTick();
    funding.cover(1_500);
    expect(requested).toHaveLength(1);
    funding.cover(1_501);
    expect(requested).toHaveLength(2);
    expect(funding.exhausted).toBe(false);
    expect(settled).toEqual([]);
  });
  test('ends the answer where the account has nothing left', async () => {
    const { funding, requested, settled } = funded(false, async () => refused);
    funding.cover(1_000);
    expect(funding.exhausted).toBe(false);
    await aTick();
    expect(funding.exhausted).toBe(true);
    funding.cover(2_000);
    expect(requested).toHaveLength(1);
    funding.settle(40);
    expect(settled).toEqual([['first', 40]]);
  });
  test('ends the answer where the keeper cannot be reached', async () => {
    const { funding } = funded(false, () => Promise.reject(new Error('no answer')));
    funding.cover(1_000);
    await aTick();
    expect(funding.exhausted).toBe(true);
  });
});

describe('the end of the request', () => {
  test('is settled once, and what was reserved beside is free again', async () => {
    const { funding, settled } = funded(false);
    funding.cover(1_000);
    await aTick();
    funding.settle(40);
    funding.settle(50);
    expect(settled).toEqual([
      ['first', 40],
      ['extra', 0],
    ]);
  });
  test('frees a reservation that comes after it', async () => {
    const { funding, settled } = funded(false);
    funding.cover(1_000);
    funding.settle(40);
    await aTick();
    expect(settled).toEqual([
      ['first', 40],
      ['extra', 0],
    ]);
  });
});
