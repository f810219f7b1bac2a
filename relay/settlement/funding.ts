import { price } from '../../domain/pricing/price.ts';
import type { Quote, Usage } from '../../domain/pricing/types.ts';
import type { LeaseBook, Reservation } from '../admission/lease-book.ts';

/** Price of an answer if it ends now, in units: all of it, and its output alone. */
export type Measured = Readonly<{ amount: number; outputAmount: number }>;

/** The same of a usage that was counted. */
export const measuredAs = (usage: Usage, quote: Quote): Measured => {
  const amount = price(usage, quote);
  const { audioOutputTokens: _audio, ...plain } = usage;
  return { amount, outputAmount: amount - price({ ...plain, completionTokens: 0 }, quote) };
};

type FundingOptions = Readonly<{
  reservation: Reservation;
  quote: Quote;
  /** Output tokens that the reservation covers. */
  coveredTokens: number;
  /** The client's own limit over all choices; null when it names none. */
  outputLimit: number | null;
  /** Counts what was produced so far; null: it cannot be counted yet. Estimates are used without it. */
  measure?: () => Promise<Measured | null>;
}>;

/** The smallest extension that a stream requests while there is money, in tokens. */
const minStepTokens = 256;
/** An extension that brings less than this ends the answer: it costs a count of the whole text. */
const minRestTokens = 8;
/** How long before its end a reservation is extended, so that the stream need not wait. */
const aheadTokens = 64;
/** A count gives the density of a text; what follows may be denser. */
const densityMargin = 1.1;
const minDensity = 0.1;
/** Bytes that an estimated token takes, and the shortest piece that is counted separately. */
const minBytesPerToken = 4;
const minPieceBytes = 256;
const manyTokens = 1_000_000;

/** Units for one token of output; 0 where the price is paid for the call. */
const unitsPerToken = (quote: Quote): number => {
  if (quote.kind === 'price') return 0;
  const usage = { promptTokens: 0, completionTokens: manyTokens, cachedTokens: 0 };
  return price({ ...usage, cacheCreationTokens: 0 }, quote) / manyTokens;
};

/**
 * The quota behind one request: grows while a stream outgrows its estimate, settles once.
 *
 * Output is estimated as it passes. Near the end of the reservation more is requested: from the
 * lease at once, else from the keeper. Where the lease is short the output so far is counted, which
 * gives the rest of the reservation, and how many units an estimated token takes from here on. A
 * stream that has used up its reservation waits for the answer, and ends where it grants nothing.
 */
export class Funding {
  private readonly leaseBook: LeaseBook;
  private readonly reservation: Reservation;
  private readonly measure: FundingOptions['measure'];
  private readonly extras: Reservation[] = [];
  readonly outputLimit: number | null;
  private readonly quote: Quote;
  /** Units for one token of output; null until a stream needs it: most answers never do. */
  private unitPriceFound: number | null = null;
  /** By how much a token as estimated costs more than one of output, as the last count found. */
  private density = 1;
  /** Both in tokens as estimated. */
  private coveredTokens: number;
  private produced = 0;
  private request: Promise<void> | null = null;
  /** The keeper had nothing more: the rest is used up before the next lease request. */
  private isDry = false;
  private settled = false;
  /** Neither lease nor account can fund more: the answer is to end. */
  exhausted = false;

  constructor(leaseBook: LeaseBook, options: FundingOptions) {
    this.leaseBook = leaseBook;
    this.reservation = options.reservation;
    this.quote = options.quote;
    this.coveredTokens = options.coveredTokens;
    this.outputLimit = options.outputLimit;
    this.measure = options.measure;
  }

  /**
   * Ensures that this many output tokens are funded; requests more in the background when they are
   * not.
   */
  cover(tokens: number): void {
    this.produced = tokens;
    if (tokens + this.ahead <= this.coveredTokens) return;
    if (this.request !== null || this.exhausted || this.settled || this.rate === 0) return;
    if (this.extend(this.step)) return;
    this.request = this.requestMore().finally(() => {
      this.request = null;
    });
  }

  /** Set while more was produced than is funded and the answer to a request is outstanding. */
  get waiting(): Promise<void> | null {
    return this.produced > this.coveredTokens ? this.request : null;
  }

  /**
   * How many bytes of a stream may pass before its output is estimated again, after `passed` bytes:
   * no more than are funded if what follows is twice as dense.
   */
  coveredBytes(passed: number): number {
    if (this.rate === 0) return Number.POSITIVE_INFINITY;
    const seen = this.produced === 0 ? 0 : passed / this.produced / 2;
    const left = this.coveredTokens - this.produced;
    return Math.max(minPieceBytes, Math.floor(left * Math.max(seen, minBytesPerToken)));
  }

  /**
   * The request cost `amount`; what is left of the reservations is free again. Each pays what it has, for
   * they may be of different leases; the last one pays what goes beyond.
   */
  settle(amount: number): void {
    if (this.settled) return;
    this.settled = true;
    let rest = amount;
    const last = this.extras.at(-1) ?? this.reservation;
    for (const each of [this.reservation, ...this.extras]) {
      const part = each === last ? rest : Math.min(rest, each.reserved);
      rest -= part;
      this.leaseBook.settle(each, part);
    }
  }

  private get unitPrice(): number {
    this.unitPriceFound ??= unitsPerToken(this.quote);
    return this.unitPriceFound;
  }

  /** Units for one token as estimated. */
  private get rate(): number {
    return this.unitPrice * this.density;
  }

  /** A provider ends by itself at a limit that was named. */
  private get ahead(): number {
    if (this.isDry || this.outputLimit !== null) return 0;
    return Math.min(aheadTokens, this.coveredTokens / 4);
  }

  /** Units of the next extension: half of what was produced. */
  private get step(): number {
    const beyond = Math.max(0, this.produced - this.coveredTokens);
    const tokens = Math.max(minStepTokens, Math.ceil(this.produced / 2)) + beyond;
    return Math.max(1, Math.ceil(tokens * this.rate));
  }

  /** Of the lease that this relay holds already. */
  private extend(units: number): boolean {
    if (!this.leaseBook.extend(this.reservation, units)) return false;
    this.coveredTokens += units / this.rate;
    return true;
  }

  private get isCovered(): boolean {
    return this.produced <= this.coveredTokens;
  }

  private async requestMore(): Promise<void> {
    try {
      let hasGrown = true;
      do {
        hasGrown = await this.grow();
      } while (hasGrown && !this.isCovered && !this.settled);
    } catch {
      this.isDry = true;
    }
    if (!this.isCovered) this.exhausted = true;
  }

  /** true: more output is funded than before. */
  private async grow(): Promise<boolean> {
    await this.measureAgain();
    if (this.settled) return false;
    const units = this.step;
    if (this.extend(units)) return true;
    const result = await this.leaseBook.reserveMore(this.reservation, units);
    this.isDry = result.kind === 'refused';
    if (result.kind === 'refused') return this.extendByRest(units) || this.hasRest;
    if (this.settled) this.leaseBook.settle(result.reservation, 0);
    else this.extras.push(result.reservation);
    this.coveredTokens += units / this.rate;
    return true;
  }

  /** The last units, in ever smaller steps. */
  private extendByRest(refused: number): boolean {
    if (this.settled) return false;
    let hasGrown = false;
    const least = Math.max(1, Math.ceil(minRestTokens * this.rate));
    for (let units = Math.floor(refused / 2); units >= least; units = Math.floor(units / 2)) {
      hasGrown = this.extend(units) || hasGrown;
    }
    return hasGrown;
  }

  /** A count found more of the reservation left than the estimate had. */
  private get hasRest(): boolean {
    return this.coveredTokens - this.produced >= minRestTokens;
  }

  private async measureAgain(): Promise<void> {
    if (this.measure === undefined) return;
    const { produced } = this;
    const measured = await this.measure().catch(() => null);
    if (measured === null || produced === 0) return;
    const { amount, outputAmount } = measured;
    const density = Math.max(minDensity, outputAmount / (produced * this.unitPrice));
    this.density = density * densityMargin;
    this.coveredTokens = produced + (this.reservedUnits - amount) / this.rate;
  }

  private get reservedUnits(): number {
    return this.extras.reduce((sum, extra) => sum + extra.reserved, this.reservation.reserved);
  }
}
