import type { RequestEnd } from '../../domain/account/events.ts';
import { price } from '../../domain/pricing/price.ts';
import type { Quote, Usage } from '../../domain/pricing/types.ts';
import type { Admitted } from '../exchange/admitted.ts';
import { type AttemptFacts, Booking } from '../exchange/booking.ts';
import { Funding } from '../exchange/funding.ts';
import type { ApiError } from '../ingress/api-error.ts';
import { nothingSeen } from '../metering/seen-answer.ts';
import { realtimeUsage } from '../providers/realtime.ts';
import type { RelayCore } from '../relay-core.ts';
import type { Fields } from './frames.ts';
import { type Heard, Produced } from './heard.ts';

const noTokens = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, cacheCreationTokens: 0 };
const many = 1_000_000;

/** What a token of sound costs, in tokens of text. */
const soundWeight = (quote: Quote): number => {
  const text = price({ ...noTokens, completionTokens: many }, quote);
  if (text === 0) return 0;
  return price({ ...noTokens, completionTokens: many, audioOutputTokens: many }, quote) / text;
};

/** What every turn of a session shares. */
export type TurnHost = Readonly<{
  core: RelayCore;
  heard: Heard;
  facts: Omit<AttemptFacts, 'firstByteMs'>;
}>;

/** One answer of a session: a request of its own in the books, with one outcome. */
export class Turn {
  private readonly host: TurnHost;
  private readonly admitted: Admitted;
  private readonly funding: Funding;
  private readonly booking: Booking;
  private readonly produced = new Produced();
  private readonly weight: number;
  private firstByteMs: number | null = null;

  constructor(host: TurnHost, admitted: Admitted) {
    const { reservation, quote, coveredTokens } = admitted;
    this.host = host;
    this.admitted = admitted;
    this.funding = new Funding(host.core.leaseBook, {
      reservation,
      quote,
      coveredTokens,
      outputLimit: null,
    });
    this.booking = new Booking(host.core, admitted, this.funding);
    this.weight = soundWeight(quote);
  }

  start(): void {
    this.host.core.meters.exchangeBegan(true);
    this.booking.start();
  }

  /** false: nobody pays for more of this answer. */
  read(event: Fields, type: string): boolean {
    const { produced, host } = this;
    if (!produced.read(event, type, host.heard.outputFormat)) return true;
    this.firstByteMs ??= Math.max(0, host.core.clock().getTime() - this.admitted.startedAtMs);
    this.funding.cover(Math.ceil(produced.textTokens + produced.audioTokens * this.weight));
    return !this.funding.exhausted;
  }

  /** The provider says that the turn is over, and what it took. Resolves with the charge. */
  async done(usage: unknown): Promise<number> {
    if (!this.booking.claim()) return 0;
    const bounded = this.booking.bounded(realtimeUsage(usage), this.answered);
    const heard = this.host.heard.take();
    if (bounded !== null) return this.book(bounded, 'upstream', 'complete');
    const counted = await this.produced.usage(heard, this.counter);
    const note =
      usage === undefined || usage === null ? null : 'the report of upstream could not be used';
    return this.book({ usage: counted, note }, 'counted', 'complete');
  }

  /** Nothing more will come: what came is charged, and nothing where nothing came. */
  async broken(end: RequestEnd, error: ApiError): Promise<number> {
    if (!this.booking.claim()) return 0;
    const heard = this.host.heard.take();
    const usage = await this.produced.usage(heard, this.counter);
    if (usage.promptTokens + usage.completionTokens > 0) {
      return this.book({ usage, note: null }, 'counted', end);
    }
    return this.fail(error);
  }

  /** The provider gave up on the turn before it took anything. */
  async failed(error: ApiError): Promise<number> {
    return this.booking.claim() ? this.fail(error) : 0;
  }

  private book(
    { usage, note }: Readonly<{ usage: Usage; note: string | null }>,
    source: 'upstream' | 'counted',
    end: RequestEnd,
  ): Promise<number> {
    return new Promise((resolve) => {
      const amount = price(usage, this.admitted.quote);
      this.booking.used({ usage, source, note, end }, this.facts, () => this.over(resolve, amount));
    });
  }

  private fail(error: ApiError): Promise<number> {
    return new Promise((resolve) => {
      const outcome = { error, status: error.status };
      this.booking.failed(outcome, this.facts, () => this.over(resolve, 0));
    });
  }

  private over(resolve: (amount: number) => void, amount: number): void {
    this.host.core.meters.exchangeEnded(true);
    resolve(amount);
  }

  private get answered() {
    const { channel } = this.admitted;
    const { upstreamModel } = this.host.facts;
    return { attempt: { channel, upstreamModel, sent: null }, seen: nothingSeen };
  }

  private get counter() {
    const { call, caller } = this.admitted;
    const { counting } = this.host.core;
    return { counting, model: call.model, userId: caller.account.userId };
  }

  private get facts(): AttemptFacts {
    return { ...this.host.facts, firstByteMs: this.firstByteMs };
  }
}
