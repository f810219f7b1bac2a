import type { RequestEnd } from '../../domain/account/events.ts';
import type { ReportedUsage } from '../../domain/pricing/bound-usage.ts';
import { price } from '../../domain/pricing/price.ts';
import type { Quote, Usage } from '../../domain/pricing/types.ts';
import type { ResponseTrace } from '../../infra/ports/tracing.ts';
import type { Admitted } from '../admission/admitted.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import type { ApiError } from '../protocol/api-error.ts';
import { type AttemptFacts, Booking } from '../settlement/booking.ts';
import { Funding, type Measured, measuredAs } from '../settlement/funding.ts';
import { noOutput } from '../settlement/output-size.ts';
import type { Fields } from './frames.ts';
import { type InputMeter, measuredUsage, OutputMeter, withMeasured } from './session-content.ts';

const noTokens = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, cacheCreationTokens: 0 };
const many = 1_000_000;

/** Price of an audio token in text tokens. */
const audioWeight = (quote: Quote): number => {
  const text = price({ ...noTokens, completionTokens: many }, quote);
  if (text === 0) return 0;
  return price({ ...noTokens, completionTokens: many, audioOutputTokens: many }, quote) / text;
};

const totalOf = ({ promptTokens, completionTokens }: Usage): number =>
  promptTokens + completionTokens;

/** What all responses of a session share. */
export type ResponseHost = Readonly<{
  core: RelayCore;
  input: InputMeter;
  facts: Omit<AttemptFacts, 'firstByteMs'>;
  channel: UpstreamChannel;
  /** Scheme, host and port of the provider. */
  origin: string;
  /** Adds what an event holds of a response; false: it holds nothing of one. */
  readOutput: (event: Fields, output: OutputMeter) => boolean;
  /** A provider's report of usage in our terms; null when it contains nothing. */
  usageIn: (reported: unknown) => ReportedUsage | null;
}>;

type Bounded = Readonly<{ usage: Usage; note: string | null }>;

/** One response of a session: a separate request, with one outcome. */
export class SessionResponse {
  private readonly host: ResponseHost;
  private readonly admitted: Admitted;
  private readonly funding: Funding;
  private readonly booking: Booking;
  private readonly output = new OutputMeter();
  private readonly weight: number;
  private readonly trace: ResponseTrace | null;
  private firstByteMs: number | null = null;
  /** Usage that was reported before the end; null: none. */
  private reported: Bounded | null = null;

  constructor(host: ResponseHost, admitted: Admitted, trace: ResponseTrace | null) {
    const { reservation, quote, coveredTokens } = admitted;
    this.trace = trace;
    this.host = host;
    this.admitted = admitted;
    this.funding = new Funding(host.core.leaseBook, {
      reservation,
      quote,
      coveredTokens,
      outputLimit: null,
      measure: () => this.measured(),
    });
    this.booking = new Booking(host.core, admitted, this.funding);
    this.weight = audioWeight(quote);
  }

  start(): void {
    this.host.core.meters.exchangeBegan(true);
    this.booking.start();
  }

  /** What must be waited for before the next event is read: whether this response is funded. */
  read(event: Fields): Promise<void> | null {
    const { output, host } = this;
    if (!host.readOutput(event, output)) return null;
    this.firstByteMs ??= Math.max(0, host.core.clock().getTime() - this.admitted.startedAtMs);
    this.funding.cover(Math.ceil(output.textTokens + output.audioTokens * this.weight));
    return this.funding.waiting;
  }

  /** For a protocol that reports usage while a response runs: all of it so far. */
  report(usage: unknown): void {
    const reported = this.bounded(usage);
    if (reported === null) return;
    const before = this.reported === null ? 0 : totalOf(this.reported.usage);
    if (totalOf(reported.usage) <= before) return;
    this.reported = reported;
    this.host.input.take();
    this.output.reported();
  }

  /** More of this response is not funded. */
  get isUnfunded(): boolean {
    return this.funding.exhausted;
  }

  /** The provider reported the end and perhaps usage. Resolves with the charge. */
  async done(usage: unknown): Promise<number> {
    if (!this.booking.claim()) return 0;
    const bounded = this.bounded(usage);
    const input = this.host.input.take();
    if (bounded !== null) return this.book(bounded, 'upstream', 'complete');
    const counted = await measuredUsage(input, this.output.content, this.counter);
    const note =
      usage === undefined || usage === null ? null : 'the report of upstream could not be used';
    return this.book({ usage: counted, note }, 'counted', 'complete');
  }

  /**
   * The response broke off: what was reported is charged, and what was measured since.
   * Resolves with the charge.
   */
  async broken(end: RequestEnd, error: ApiError): Promise<number> {
    if (!this.booking.claim()) return 0;
    const { reported } = this;
    const input = this.host.input.take();
    const usage = await measuredUsage(input, this.output.content, this.counter);
    if (reported !== null) {
      const all = withMeasured(reported.usage, usage);
      return this.book({ usage: all, note: reported.note }, 'upstream', end);
    }
    if (totalOf(usage) > 0) {
      return this.book({ usage, note: null }, 'counted', end);
    }
    return this.fail(error);
  }

  /** The provider reported a failure before it produced anything. */
  async failed(error: ApiError): Promise<number> {
    return this.booking.claim() ? this.fail(error) : 0;
  }

  private async measured(): Promise<Measured> {
    const { reported } = this;
    const since = await measuredUsage(this.host.input.sinceLast, this.output.content, this.counter);
    const usage = reported === null ? since : withMeasured(reported.usage, since);
    return measuredAs(usage, this.admitted.quote);
  }

  private bounded(usage: unknown): Bounded | null {
    return this.booking.bounded(this.host.usageIn(usage), this.answered);
  }

  private book(
    { usage, note }: Bounded,
    source: 'upstream' | 'counted',
    end: RequestEnd,
  ): Promise<number> {
    return new Promise((resolve) => {
      const amount = price(usage, this.admitted.quote);
      this.trace?.used(usage, end);
      this.booking.used({ usage, source, note, end }, this.facts, () => this.over(resolve, amount));
    });
  }

  private fail(error: ApiError): Promise<number> {
    return new Promise((resolve) => {
      const outcome = { error, status: error.status };
      this.trace?.failed({ kind: String(error.code || error.type), upstreamStatus: 0 });
      this.booking.failed(outcome, this.facts, () => this.over(resolve, 0));
    });
  }

  private over(resolve: (amount: number) => void, amount: number): void {
    this.host.core.meters.exchangeEnded(true);
    this.trace?.attemptEnded();
    resolve(amount);
  }

  private get answered() {
    const { channel } = this.admitted;
    const { upstreamModel } = this.host.facts;
    return { attempt: { channel, upstreamModel, sent: null }, outputSize: noOutput };
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
