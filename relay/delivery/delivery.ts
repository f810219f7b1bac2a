import type { ReportedUsage } from '../../domain/pricing/bound-usage.ts';
import type { ChannelId } from '../../domain/shared/ids.ts';
import type { Admitted } from '../admission/admitted.ts';
import { sensitiveWords } from '../admission/sensitive-words.ts';
import type { ContentFilter } from '../feeds/content-filter.ts';
import { writeAnswerHead } from '../protocol/answer-head.ts';
import { answerType } from '../protocol/answer-types.ts';
import { type ApiError, sendError } from '../protocol/api-error.ts';
import { type AttemptFacts, Charge, type Settled } from '../settlement/charge.ts';
import { Funding, type Measured, measuredAs } from '../settlement/funding.ts';
import type { Attempted } from '../settlement/usage-bound.ts';
import type { UpstreamFailure } from '../upstream/types.ts';
import { AnswerSecrets } from './answer-secrets.ts';
import { AnswerTimeouts } from './answer-timeouts.ts';
import { ClientStream } from './client-stream.ts';
import type { DeliveryDeps } from './deps.ts';
import { clientGoneError, internalError, unusableAnswer } from './failures.ts';
import { redactAnswer, redactEvents } from './redaction.ts';
import type { ReplyHost, RunningAnswer, SettleReport } from './reply.ts';

/** What a delivery needs of the attempts that feed it. */
export interface Attempts {
  /** Usage was requested from the provider although the caller did not request it. */
  readonly addedUsage: boolean;
  /** Channel and request of the newest attempt, and the channels tried so far. */
  readonly newest: Attempted & Readonly<{ tried: readonly ChannelId[] }>;
  usageOf(reported: unknown): ReportedUsage | null;
  failureOf(status: number, body: Buffer): UpstreamFailure;
  failAttempt(failure: UpstreamFailure): void;
  stopUpstream(): void;
  resumeUpstream(): void;
  /** The outcome is in the journal; the caller may have the last bytes. */
  onRecorded(): void;
}

type Bounded = NonNullable<ReturnType<Charge['bounded']>>;

/** A report from before the break may lack what was produced after it. */
const withAtLeast = ({ usage, note }: Bounded, completionTokens: number) =>
  usage.completionTokens >= completionTokens
    ? { usage, note, source: 'upstream' as const }
    : {
        usage: { ...usage, completionTokens },
        note: 'the answer broke off; what was received is counted',
        source: 'counted' as const,
      };

/** One admitted request towards its caller: the bytes of the answer, and the one outcome. */
export class Delivery implements ReplyHost {
  readonly admitted: Admitted;
  readonly charge: Charge;
  readonly client: ClientStream;
  readonly timeouts: AnswerTimeouts;
  clientGone = false;
  private readonly core: DeliveryDeps;
  readonly funding: Funding;
  private readonly attempts: Attempts;
  private readonly secrets: AnswerSecrets;
  private firstByteMs: number | null = null;
  private running: RunningAnswer | null = null;

  constructor(
    core: DeliveryDeps,
    { admitted, outputLimit }: Readonly<{ admitted: Admitted; outputLimit: number | null }>,
    attempts: Attempts,
  ) {
    this.core = core;
    this.admitted = admitted;
    this.attempts = attempts;
    this.secrets = new AnswerSecrets(admitted, () => attempts.newest.channel);
    const { reservation, quote, coveredTokens } = admitted;
    this.funding = new Funding(core.leaseBook, {
      reservation,
      quote,
      coveredTokens,
      outputLimit,
      measure: () => this.measured(),
    });
    this.charge = new Charge(core, admitted, this.funding);
    this.client = new ClientStream(admitted.res, {
      resume: () => this.resumeUpstream(),
      maskOf: () => this.secrets.mask(),
    });
    this.timeouts = new AnswerTimeouts(core.answerBounds);
  }

  /** Bytes of upstream; false: the answer takes more than it may. */
  took(chunk: Buffer): boolean {
    this.admitted.trace?.received(chunk);
    return this.timeouts.took(chunk);
  }

  get addedUsage(): boolean {
    return this.attempts.addedUsage;
  }

  get outputLimit(): number | null {
    return this.funding.outputLimit;
  }

  get filter(): ContentFilter {
    return this.core.options.current().filter;
  }

  detected(word: string): void {
    const { requestId } = this.admitted;
    this.core.logger.warn({ requestId, word }, 'an answer holds a sensitive word');
  }

  usageOf(reported: unknown): ReportedUsage | null {
    return this.attempts.usageOf(reported);
  }

  noteResponse(id: string): void {
    const { userId } = this.admitted.caller.account;
    const { channelId } = this.attempts.newest.channel;
    this.core.keptResponses.note(id, { userId, channelId });
  }

  failureOf(status: number, body: Buffer): UpstreamFailure {
    return this.attempts.failureOf(status, this.secrets.withoutToken(body));
  }

  unusable(error: ApiError): UpstreamFailure {
    return unusableAnswer(this.attempts.newest.channel, this.secrets.error(error));
  }

  redactEvents(events: Buffer): Buffer {
    return redactEvents(this.attempts.newest.channel, events);
  }

  redactAnswer(answer: Buffer): Buffer {
    return redactAnswer(this.attempts.newest.channel, answer);
  }

  masked(bytes: Buffer): Buffer {
    return this.secrets.whole(bytes);
  }

  failAttempt(failure: UpstreamFailure): void {
    this.attempts.failAttempt(failure);
  }

  stopUpstream(): void {
    this.attempts.stopUpstream();
  }

  whenDone<T>(work: Promise<T>, then: (result: T) => void): void {
    work.then(
      (result) => this.guarded(() => then(result)),
      (error: unknown) => this.crash(error),
    );
  }

  writeHead(status: number, contentType: string, more: readonly string[]): void {
    const { res, call } = this.admitted;
    if (this.clientGone || res.headersSent) return;
    const type = this.secrets.type(answerType(call.operation, contentType));
    writeAnswerHead(this.admitted, status, ['Content-Type', type].concat(more));
  }

  write(bytes: Buffer): boolean {
    this.timeouts.wrote();
    return this.clientGone || this.client.write(bytes);
  }

  end(bytes: Buffer): void {
    this.client.end(bytes);
  }

  noteFirstByte(): void {
    this.firstByteMs = Math.max(0, this.core.clock().getTime() - this.admitted.startedAtMs);
    this.core.meters.firstByte(this.firstByteMs);
  }

  cover(tokens: number, answer: RunningAnswer): void {
    this.running = answer;
    this.funding.cover(tokens);
  }

  /** The client or the money for it must be waited for. */
  get isHeldBack(): boolean {
    return this.funding.waiting !== null || (this.client.isSlow && !this.clientGone);
  }

  /** Reads on, where nothing must be waited for. */
  resumeUpstream(): void {
    if (!this.isHeldBack) this.attempts.resumeUpstream();
  }

  settle(report: SettleReport, last: (settled: Settled) => void): void {
    if (!this.charge.claim()) return;
    const answered = { attempt: this.attempts.newest, outputSize: report.produced };
    const bounded = this.charge.bounded(report.reported, answered);
    if (bounded !== null && report.isPartial !== true) {
      // Field by field: a spread costs as much as the scan of a body.
      const { usage, note } = bounded;
      this.recordUse({ usage, source: 'upstream', note, end: report.end }, last);
      return;
    }
    const note = report.reported === null ? null : 'the report of upstream could not be used';
    this.countedUse(bounded, report.produced.produced(), answered).then(
      (use) => this.recordUse({ note, ...use, end: report.end }, last),
      (error: unknown) => this.crash(error),
    );
  }

  abandon(failure: UpstreamFailure, last: () => void): void {
    if (!this.charge.claim()) return;
    this.admitted.trace?.failed(failure);
    const outcome = { error: failure.error, status: this.clientGone ? 499 : 200 };
    this.charge.failed(outcome, this.facts, () => this.finish(last));
  }

  forbid(): void {
    const { res, requestId } = this.admitted;
    sendError(res, sensitiveWords, requestId);
  }

  /** Ends the request with an error; nothing is charged. */
  refuse(error: ApiError): void {
    if (this.charge.claim()) this.recordRefusal(error);
  }

  /** An exception inside `work` still gives the request its one outcome. */
  guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.crash(error);
    }
  }

  crash(error: unknown): void {
    const { requestId, res } = this.admitted;
    this.core.logger.error({ requestId, err: error }, 'request failed inside the relay');
    this.stopUpstream();
    if (this.charge.isRecorded) {
      res.destroy();
      return;
    }
    this.charge.claim();
    this.recordRefusal(internalError);
  }

  /** What the answer would be charged if it ended now. */
  private async measured(): Promise<Measured | null> {
    if (this.running === null) return null;
    const { reported, produced, isPartial } = this.running.soFar();
    const answered = { attempt: this.attempts.newest, outputSize: produced };
    const bounded = this.charge.bounded(reported, answered);
    const { usage } =
      bounded !== null && isPartial !== true
        ? bounded
        : await this.countedUse(bounded, produced.produced(), answered);
    return measuredAs(usage, this.admitted.quote);
  }

  private get facts(): AttemptFacts {
    const { channel, tried, upstreamModel } = this.attempts.newest;
    const { firstByteMs } = this;
    return { channelId: channel.channelId, tried, upstreamModel, firstByteMs };
  }

  /** By what was received, and by the report of its beginning where there is one. */
  private async countedUse(
    bounded: Bounded | null,
    produced: string | number,
    answered: Parameters<Charge['counted']>[1],
  ) {
    const usage = await this.charge.counted(produced, answered);
    if (bounded !== null) return withAtLeast(bounded, usage.completionTokens);
    return { usage, source: 'counted' as const };
  }

  private recordRefusal(error: ApiError): void {
    const outcome = this.clientGone ? clientGoneError : error;
    const booked = { error: outcome, status: outcome.status };
    this.charge.failed(booked, this.facts, () =>
      this.finish(() => sendError(this.admitted.res, outcome, this.admitted.requestId)),
    );
  }

  private recordUse(use: Parameters<Charge['used']>[0], last: (settled: Settled) => void): void {
    this.admitted.trace?.used(use.usage, use.end);
    this.charge.used(use, this.facts, () => this.finish(() => last(use)));
  }

  private finish(last: () => void): void {
    if (!this.clientGone) last();
    this.admitted.trace?.attemptEnded();
    this.attempts.onRecorded();
  }
}
