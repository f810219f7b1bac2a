import type { RequestEnd } from '../../domain/account/events.ts';
import type { ReportedUsage } from '../../domain/pricing/bound-usage.ts';
import { price } from '../../domain/pricing/price.ts';
import type { Quote, Usage } from '../../domain/pricing/types.ts';
import type { ResponseTrace } from '../../infra/ports/tracing.ts';
import type { Admitted } from '../admission/admitted.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import type { ApiError } from '../protocol/api-error.ts';
import { type AttemptFacts, Charge, type Settled } from '../settlement/charge.ts';
import { Funding, type Measured, measuredAs } from '../settlement/funding.ts';
import { noOutput } from '../settlement/output-size.ts';
import type { Fields } from './frames.ts';
import {
  type InputMeter,
  measuredUsage,
  OutputMeter,
  type SessionContent,
  withMeasured,
} from './session-content.ts';

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

/** The reservation behind a request of a session. */
export const sessionFunding = (
  { leaseBook }: Pick<RelayCore, 'leaseBook'>,
  { reservation, quote, coveredTokens }: Admitted,
  measure: () => Promise<Measured | null> = async () => null,
): Funding =>
  new Funding(leaseBook, { reservation, quote, coveredTokens, outputLimit: null, measure });

/** One response of a session: a separate request, with one outcome. */
export class SessionResponse {
  private readonly host: ResponseHost;
  private readonly admitted: Admitted;
  private readonly funding: Funding;
  private readonly charge: Charge;
  private readonly output = new OutputMeter();
  private readonly weight: number;
  private readonly trace: ResponseTrace | null;
  private firstByteMs: number | null = null;
  /** Usage that was reported before the end; null: none. */
  private reported: Bounded | null = null;

  constructor(host: ResponseHost, admitted: Admitted, trace: ResponseTrace | null) {
    this.trace = trace;
    this.host = host;
    this.admitted = admitted;
    this.funding = sessionFunding(host.core, admitted, () => this.measured());
    this.charge = new Charge(host.core, admitted, this.funding);
    this.weight = audioWeight(admitted.quote);
  }

  start(): void {
    this.host.core.meters.exchangeBegan(true);
    this.charge.start();
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
    if (!this.charge.claim()) return 0;
    const bounded = this.bounded(usage);
    const input = this.host.input.take();
    if (bounded !== null) return this.used({ ...bounded, source: 'upstream' }, 'complete');
    const note = (usage ?? null) === null ? null : 'the report of upstream could not be used';
    const counted = await this.countedSince(input);
    return this.used({ usage: counted, note, source: 'counted' }, 'complete');
  }

  /**
   * The response broke off: what was reported is charged, and what was measured since.
   * Resolves with the charge.
   */
  async broken(end: RequestEnd, error: ApiError): Promise<number> {
    if (!this.charge.claim()) return 0;
    const { reported } = this;
    const usage = await this.countedSince(this.host.input.take());
    if (reported !== null) {
      const all = withMeasured(reported.usage, usage);
      return this.used({ usage: all, note: reported.note, source: 'upstream' }, end);
    }
    if (totalOf(usage) > 0) return this.used({ usage, note: null, source: 'counted' }, end);
    return this.fail(error);
  }

  /** The provider reported a failure before it produced anything. */
  async failed(error: ApiError): Promise<number> {
    return this.charge.claim() ? this.fail(error) : 0;
  }

  private async measured(): Promise<Measured> {
    const { reported } = this;
    const since = await this.countedSince(this.host.input.sinceLast);
    const usage = reported === null ? since : withMeasured(reported.usage, since);
    return measuredAs(usage, this.admitted.quote);
  }

  private bounded(usage: unknown): Bounded | null {
    const { channel } = this.admitted;
    const { upstreamModel } = this.host.facts;
    const attempt = { channel, upstreamModel, sent: null };
    return this.charge.bounded(this.host.usageIn(usage), { attempt, outputSize: noOutput });
  }

  private countedSince(input: SessionContent): Promise<Usage> {
    const { call, caller } = this.admitted;
    const { counting } = this.host.core;
    const counter = { counting, model: call.model, userId: caller.account.userId };
    return measuredUsage(input, this.output.content, counter);
  }

  private async used(use: Bounded & Pick<Settled, 'source'>, end: RequestEnd): Promise<number> {
    this.trace?.used(use.usage, end);
    const amount = await this.charge.whenUsed({ ...use, end }, this.facts);
    this.over();
    return amount;
  }

  private async fail(error: ApiError): Promise<number> {
    this.trace?.failed({ kind: String(error.code || error.type), upstreamStatus: 0 });
    await this.charge.whenFailed({ error, status: error.status }, this.facts);
    this.over();
    return 0;
  }

  private over(): void {
    this.host.core.meters.exchangeEnded(true);
    this.trace?.attemptEnded();
  }

  private get facts(): AttemptFacts {
    return { ...this.host.facts, firstByteMs: this.firstByteMs };
  }
}
