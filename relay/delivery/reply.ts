import type { RequestEnd } from '../../domain/account/events.ts';
import type { ReportedUsage } from '../../domain/pricing/bound-usage.ts';
import type { Admitted } from '../admission/admitted.ts';
import type { ContentFilter } from '../feeds/content-filter.ts';
import type { ApiError } from '../protocol/api-error.ts';
import type { Settled } from '../settlement/charge.ts';
import { noOutput, type OutputSize } from '../settlement/output-size.ts';
import type { UpstreamFailure } from '../upstream/types.ts';

/** How one answer of an upstream reaches the client. */
export interface Reply {
  /** false: wait until the client has taken what it was given. */
  onData(chunk: Buffer): boolean;
  onEnd(): void;
  onBroken(failure: UpstreamFailure): void;
  /** The time or size allowed for reading on after the client has gone is used up. */
  onDrained(): void;
  /** Of event streams: what may be sent while the provider is silent; null: nothing now. */
  ping?(): Buffer | null;
  /** Of answers that are funded while they run: no more of this one is. */
  onUnfunded?(): void;
}

/** Headers of an answer that is written while it is made. */
export const streamHeaders = ['Cache-Control', 'no-cache', 'X-Accel-Buffering', 'no'] as const;

export const pingComment = Buffer.from(': PING\n\n');

/** What a reply needs of the exchange that it belongs to. */
export interface ReplyHost {
  readonly admitted: Admitted;
  readonly clientGone: boolean;
  readonly addedUsage: boolean;
  /** Output tokens over all choices that the caller allows; null: no limit named. */
  readonly outputLimit: number | null;
  /** Words that answers may not hold. */
  readonly filter: ContentFilter;
  /** An answer holds such a word. */
  detected(word: string): void;
  usageOf(reported: unknown): ReportedUsage | null;
  failureOf(status: number, body: Buffer): UpstreamFailure;
  /** A response with a success status that contains an error. */
  unusable(error: ApiError): UpstreamFailure;
  /** Error events without the channel's key and addresses. */
  redactEvents(events: Buffer): Buffer;
  /** The same of an answer in one piece. */
  redactAnswer(answer: Buffer): Buffer;
  /** Bytes that go out whole, without the channel's key and the caller's token. */
  masked(bytes: Buffer): Buffer;
  /** Continues with the result; any failure ends the request. */
  whenDone<T>(work: Promise<T>, then: (result: T) => void): void;
  /** Starts the answer; once. */
  writeHead(status: number, contentType: string, more: readonly string[]): void;
  /** false: the client is slow; `resume` of the call follows by itself. */
  write(bytes: Buffer): boolean;
  /** The last bytes of an answer that was passed on unchanged. */
  end(bytes: Buffer): void;
  noteFirstByte(): void;
  /** A provider keeps this response. */
  noteResponse(id: string): void;
  /** Estimated output so far, and the answer that can compute it exactly. */
  cover(tokens: number, answer: RunningAnswer): void;
  stopUpstream(): void;
  /** This attempt gave nothing to the client: another channel, or the error. */
  failAttempt(failure: UpstreamFailure): void;
  /** Books the charge, then lets `last` write the last bytes. */
  settle(report: SettleReport, last: (settled: Settled) => void): void;
  /** Replaces an answer that was booked: it contains blocked words. */
  forbid(): void;
  /** Books that nothing is charged after the answer has begun, then lets `last` end it. */
  abandon(failure: UpstreamFailure, last: () => void): void;
}

/** Read only when it is needed: reading the text takes time. */
export type Produced = OutputSize & Readonly<{ produced(): string | number }>;
export const nothing: Produced = { ...noOutput, produced: () => '' };

/** An answer that has not ended: what would be settled if it did now. */
export type RunningAnswer = Readonly<{ soFar(): Omit<SettleReport, 'end'> }>;

export type SettleReport = Readonly<{
  end: RequestEnd;
  reported: ReportedUsage | null;
  /** What was produced, as text or as tokens, for when nothing usable was reported. */
  produced: Produced;
  /** It broke off: some providers report the whole only at the end, and first words before it. */
  isPartial?: boolean;
}>;
