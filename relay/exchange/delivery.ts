import type { ChannelId } from '../../domain/shared/ids.ts';
import { sensitiveWords } from '../admission/sensitive-words.ts';
import { type ApiError, sendError } from '../ingress/api-error.ts';
import type { UpstreamFailure } from '../providers/types.ts';
import type { RelayCore } from '../relay-core.ts';
import type { UpstreamChannel } from '../routing/upstream-channel.ts';
import type { UpstreamCall } from '../upstream/call.ts';
import type { Admitted } from './admitted.ts';
import { type AttemptFacts, Booking, type Settled } from './booking.ts';
import { ClientStream } from './client-stream.ts';
import { clientGoneError, internalError } from './failures.ts';
import { Funding } from './funding.ts';
import { type Paced, unpaced } from './pace.ts';
import { Pulse } from './pulse.ts';
import type { SettleReport } from './reply.ts';

type Bounded = NonNullable<ReturnType<Booking['bounded']>>;

/** A report from before the break may lack what was said after it. */
const withAtLeast = ({ usage, note }: Bounded, completionTokens: number) =>
  usage.completionTokens >= completionTokens
    ? { usage, note, source: 'upstream' as const }
    : {
        usage: { ...usage, completionTokens },
        note: 'the answer broke off; what was received is counted',
        source: 'counted' as const,
      };

/**
 * What the client and the books are given of one admitted request. It is the lower half of an
 * exchange, and no object of its own: one for each request is enough.
 */
export abstract class Delivery implements Paced {
  readonly admitted: Admitted;
  protected readonly core: RelayCore;
  private readonly funding: Funding;
  protected readonly booking: Booking;
  protected readonly client: ClientStream;
  protected readonly pulse: Pulse;
  protected readonly tried: ChannelId[] = [];
  protected channel: UpstreamChannel;
  protected upstream: UpstreamCall | null = null;
  protected upstreamModel = '';
  private firstByteMs: number | null = null;
  /** What went up, where it is not the caller's own body. */
  protected sent: Buffer | null = null;
  protected dispatchedTick = 0;
  protected upstreamEndTick = 0;
  protected drainTimer: NodeJS.Timeout | null = null;
  paceSlot = unpaced;
  clientGone = false;

  constructor(core: RelayCore, admitted: Admitted, outputLimit: number | null) {
    this.core = core;
    this.admitted = admitted;
    this.channel = admitted.channel;
    const { reservation, quote, coveredTokens } = admitted;
    const ask = { reservation, quote, coveredTokens, outputLimit };
    this.funding = new Funding(core.leaseBook, ask);
    this.booking = new Booking(core, admitted, this.funding);
    this.client = new ClientStream(admitted.res, () => this.upstream?.resume());
    this.pulse = new Pulse(core.answerBounds);
  }

  abstract beat(ms: number): void;

  whenDone<T>(work: Promise<T>, then: (result: T) => void): void {
    work.then(
      (result) => this.guarded(() => then(result)),
      (error: unknown) => this.crash(error),
    );
  }

  writeHead(status: number, headers: readonly string[]): void {
    const { res, req, requestId } = this.admitted;
    if (this.clientGone || res.headersSent) return;
    const all = [...headers, 'X-Request-Id', requestId, 'X-Oneapi-Request-Id', requestId];
    if (req.headers.origin !== undefined) all.push('Access-Control-Allow-Origin', '*');
    res.writeHead(status, all);
  }

  write(bytes: Buffer): boolean {
    this.pulse.wrote();
    return this.clientGone || this.client.write(bytes);
  }

  end(bytes: Buffer): void {
    this.client.end(bytes);
  }

  noteFirstByte(): void {
    this.firstByteMs = Math.max(0, this.core.clock().getTime() - this.admitted.startedAtMs);
  }

  outgrew(tokens: number): boolean {
    this.funding.cover(tokens);
    return this.funding.exhausted;
  }

  stopUpstream(): void {
    this.upstream?.abort();
  }

  settle(report: SettleReport, last: (settled: Settled) => void): void {
    if (!this.booking.claim()) return;
    const answered = { attempt: this.attempted, seen: report.produced };
    const bounded = this.booking.bounded(report.reported, answered);
    if (bounded !== null && report.isPartial !== true) {
      // Written out: a spread costs as much as the scan of a body.
      const { usage, note } = bounded;
      this.bookUse({ usage, source: 'upstream', note, end: report.end }, last);
      return;
    }
    const note = report.reported === null ? null : 'the report of upstream could not be used';
    this.booking.counted(report.produced.produced(), answered).then(
      (usage) => {
        const use =
          bounded === null
            ? { usage, source: 'counted' as const, note }
            : withAtLeast(bounded, usage.completionTokens);
        this.bookUse({ ...use, end: report.end }, last);
      },
      (error: unknown) => this.crash(error),
    );
  }

  abandon(failure: UpstreamFailure, last: () => void): void {
    if (!this.booking.claim()) return;
    const outcome = { error: failure.error, status: this.clientGone ? 499 : 200 };
    this.booking.failed(outcome, this.facts, () => this.finish(last));
  }

  forbid(): void {
    const { res, requestId } = this.admitted;
    sendError(res, sensitiveWords, requestId);
  }

  private get attempted() {
    const { channel, upstreamModel, sent } = this;
    return { channel, upstreamModel, sent };
  }

  private get facts(): AttemptFacts {
    const { channelId } = this.channel;
    const { tried, upstreamModel, firstByteMs } = this;
    return { channelId, tried, upstreamModel, firstByteMs };
  }

  protected refuse(error: ApiError): void {
    if (this.booking.claim()) this.recordRefusal(error);
  }

  private recordRefusal(error: ApiError): void {
    const outcome = this.clientGone ? clientGoneError : error;
    const booked = { error: outcome, status: outcome.status };
    this.booking.failed(booked, this.facts, () =>
      this.finish(() => sendError(this.admitted.res, outcome, this.admitted.requestId)),
    );
  }

  private bookUse(use: Parameters<Booking['used']>[0], last: (settled: Settled) => void): void {
    this.booking.used(use, this.facts, () => this.finish(() => last(use)));
  }

  /** The outcome is booked: the client may have the last bytes. */
  private finish(last: () => void): void {
    this.core.pace.remove(this);
    if (this.drainTimer !== null) clearTimeout(this.drainTimer);
    this.core.meters.exchangeEnded(this.admitted.call.isStream);
    if (!this.clientGone) last();
    const now = performance.now();
    const upstreamEnd = this.upstreamEndTick || now;
    const upstreamMs = Math.max(0, upstreamEnd - this.dispatchedTick);
    this.core.meters.latency(Math.max(0, now - this.admitted.arrivedTick - upstreamMs), upstreamMs);
  }

  /** Whatever goes wrong in our own code, the request has its one outcome. */
  protected guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.crash(error);
    }
  }

  protected crash(error: unknown): void {
    const { requestId, res } = this.admitted;
    this.core.logger.error({ requestId, err: error }, 'request failed inside the relay');
    this.stopUpstream();
    if (this.booking.isRecorded) {
      res.destroy();
      return;
    }
    this.booking.claim();
    this.recordRefusal(internalError);
  }
}
