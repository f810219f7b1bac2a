import { price } from '../../domain/pricing/price.ts';
import type { Quote } from '../../domain/pricing/types.ts';
import type { LeaseBook, Reservation } from '../admission/lease-book.ts';

type FundingOptions = Readonly<{
  reservation: Reservation;
  quote: Quote;
  /** Output tokens that the reservation covers. */
  coveredTokens: number;
  /** The client's own limit over all choices; null when it names none. */
  outputLimit: number | null;
}>;

/** The smallest extension that a stream requests, in tokens. */
const minStepTokens = 256;

const outputPrice = (quote: Quote, tokens: number): number => {
  // A price per call is paid once, however long the answer.
  if (quote.kind === 'price') return 0;
  const usage = { promptTokens: 0, completionTokens: tokens, cachedTokens: 0 };
  return price({ ...usage, cacheCreationTokens: 0 }, quote);
};

/** The money behind one request: grows while a stream outgrows its estimate, settles once. */
export class Funding {
  private readonly leaseBook: LeaseBook;
  private readonly reservation: Reservation;
  private readonly quote: Quote;
  private readonly extras: Reservation[] = [];
  readonly outputLimit: number | null;
  private coveredTokens: number;
  private requesting = false;
  private settled = false;
  /** Neither lease nor account can fund more: the answer is to end. */
  exhausted = false;

  constructor(leaseBook: LeaseBook, options: FundingOptions) {
    this.leaseBook = leaseBook;
    this.reservation = options.reservation;
    this.quote = options.quote;
    this.coveredTokens = options.coveredTokens;
    this.outputLimit = options.outputLimit;
  }

  /** Sees to it that this many output tokens are funded; asks in the background when they are not. */
  cover(tokens: number): void {
    if (tokens <= this.coveredTokens || this.requesting || this.exhausted) return;
    const step = Math.max(minStepTokens, Math.ceil(tokens / 2));
    const units = outputPrice(this.quote, step);
    if (units === 0 || this.leaseBook.extend(this.reservation, units)) {
      this.coveredTokens = tokens + step;
      return;
    }
    this.requesting = true;
    void this.requestMore(tokens + step, units);
  }

  /** The request cost `amount`; what is left of the reservations is free again. */
  settle(amount: number): void {
    if (this.settled) return;
    this.settled = true;
    this.leaseBook.settle(this.reservation, amount);
    for (const extra of this.extras) this.leaseBook.settle(extra, 0);
  }

  private async requestMore(coveredTokens: number, units: number): Promise<void> {
    const { userId, tokenId } = this.reservation;
    try {
      const result = await this.leaseBook.reserve(userId, tokenId, units);
      if (result.kind === 'refused') {
        this.exhausted = true;
        return;
      }
      this.coveredTokens = coveredTokens;
      if (this.settled) this.leaseBook.settle(result.reservation, 0);
      else this.extras.push(result.reservation);
    } catch {
      this.exhausted = true;
    } finally {
      this.requesting = false;
    }
  }
}
