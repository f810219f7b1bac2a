import type { ReportedUsage } from '../../domain/pricing/bound-usage.ts';
import type { ChannelId } from '../../domain/shared/ids.ts';
import { isApiError } from '../admission/caller.ts';
import { type ContentFilter, sensitiveWords } from '../admission/sensitive-words.ts';
import { type ApiError, sendError } from '../ingress/api-error.ts';
import { wayFor } from '../providers/registry.ts';
import type { TranslatingAdapter } from '../providers/translate.ts';
import type {
  EnvelopedAdapter,
  PassThroughAdapter,
  UpstreamFailure,
  UpstreamRequest,
} from '../providers/types.ts';
import type { RelayCore } from '../relay-core.ts';
import { chooseChannel } from '../routing/choose.ts';
import { reportFailing } from '../routing/health.ts';
import type { UpstreamChannel } from '../routing/upstream-channel.ts';
import type { UpstreamCall, UpstreamListener } from '../upstream/call.ts';
import type { Admitted } from './admitted.ts';
import { type AttemptFacts, Booking, type Settled } from './booking.ts';
import { ClientStream } from './client-stream.ts';
import { discreetAnswer, discreetEvents } from './discretion.ts';
import { ErrorReply } from './error-reply.ts';
import {
  clientGoneError,
  internalError,
  lastError,
  notAsked,
  notOffered,
  refusedAnswer,
  unusableAnswer,
} from './failures.ts';
import { Funding } from './funding.ts';
import { readHead } from './head.ts';
import { NativeStream } from './native-stream.ts';
import { type Paced, unpaced } from './pace.ts';
import { Pulse, tooMuch } from './pulse.ts';
import { nothing, type Reply, type ReplyHost, type SettleReport } from './reply.ts';
import { StreamReply } from './stream-reply.ts';
import { envelopeOf, type Translation, translationOf } from './translation.ts';
import { UnlabelledReply } from './unlabelled-reply.ts';
import { UnwrappedReply } from './unwrapped-reply.ts';
import { WholeReply } from './whole-reply.ts';

/** How answers are read that are not translated. */
type ReadingAdapter = Omit<PassThroughAdapter, 'request'> & Pick<EnvelopedAdapter, 'unwrap'>;

type Bounded = NonNullable<ReturnType<Booking['bounded']>>;

/** Bytes read on after the client has gone. */
const maxDrainBytes = 16_777_216;

/** A report from before the break may lack what was said after it. */
const withAtLeast = ({ usage, note }: Bounded, completionTokens: number) =>
  usage.completionTokens >= completionTokens
    ? { usage, note, source: 'upstream' as const }
    : {
        usage: { ...usage, completionTokens },
        note: 'the answer broke off; what was received is counted',
        source: 'counted' as const,
      };

/** One admitted request from its first attempt to its one outcome. */
export class Exchange implements UpstreamListener, ReplyHost, Paced {
  readonly admitted: Admitted;
  private readonly core: RelayCore;
  private readonly funding: Funding;
  private readonly booking: Booking;
  private readonly client: ClientStream;
  private readonly pulse: Pulse;
  private readonly tried: ChannelId[] = [];
  private channel: UpstreamChannel;
  private adapter: ReadingAdapter | null = null;
  /** In place of the adapter, where the provider has a protocol of its own. */
  private translation: Translation | null = null;
  /** The request is being translated; no provider has seen it yet. */
  private preparing = false;
  private upstream: UpstreamCall | null = null;
  private reply: Reply | null = null;
  private upstreamModel = '';
  private firstByteMs: number | null = null;
  private dispatchedTick = 0;
  private upstreamEndTick = 0;
  private drainTimer: NodeJS.Timeout | null = null;
  private drainedBytes = 0;
  addedUsage = false;
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

  start(): void {
    this.booking.start();
    this.core.meters.exchangeBegan(this.admitted.call.isStream);
    this.core.pace.add(this);
    this.admitted.res.on('close', () => this.onClientClose());
    this.guarded(() => this.attempt());
  }

  onHead(status: number, headers: readonly Buffer[]): void {
    this.guarded(() => {
      const head = readHead(headers);
      if (status < 200 || status > 299) {
        this.reply = new ErrorReply(this, status, head.retryAfterSeconds);
      } else if (head.isEncoded) {
        this.stopUpstream();
        this.failAttempt(this.failureOf(502, Buffer.alloc(0)));
      } else if (this.translation !== null) {
        this.reply = this.translation.reply(this, status, headers);
      } else if (head.contentType.startsWith('text/event-stream')) {
        this.reply = this.eventsReply(head.contentType);
      } else {
        const whole = () => this.wholeReply(status, head.contentType);
        const events = () => this.eventsReply('text/event-stream');
        const { isStream } = this.admitted.call;
        this.reply = isStream ? new UnlabelledReply(this, { events, whole }) : whole();
      }
    });
  }

  onData(chunk: Buffer): boolean {
    try {
      if (!this.pulse.took(chunk)) {
        this.breakOff(tooMuch);
        return true;
      }
      const goOn = this.reply === null || this.reply.onData(chunk);
      if (!this.clientGone) return goOn;
      this.drainedBytes += chunk.length;
      if (this.drainedBytes > maxDrainBytes) this.reply?.onDrained();
    } catch (error) {
      this.crash(error);
    }
    return true;
  }

  onEnd(): void {
    this.guarded(() => {
      this.upstreamEndTick = performance.now();
      this.reply?.onEnd();
    });
  }

  onFailure(failure: UpstreamFailure): void {
    this.guarded(() => {
      const { channelId } = this.channel;
      const { requestId } = this.admitted;
      const err = this.upstream?.lastError;
      this.core.logger.warn({ requestId, channelId, err }, 'upstream call failed');
      if (this.reply === null) this.failAttempt(failure);
      else this.reply.onBroken(failure);
    });
  }

  beat(ms: number): void {
    if (this.booking.isClaimed) {
      if (this.booking.isRecorded) this.core.pace.remove(this);
      return;
    }
    const { reply } = this;
    const isHeldBack = this.client.isSlow || reply?.ping === undefined;
    const failure = this.pulse.beat(ms, isHeldBack);
    if (failure !== null) {
      if (!this.preparing) this.guarded(() => this.breakOff(failure));
      return;
    }
    const { pingMs } = this.core.options.current();
    if (pingMs > 0 && !isHeldBack && this.pulse.isQuietFor(pingMs)) this.ping();
  }

  usageOf(reported: unknown): ReportedUsage | null {
    return reported === null ? null : (this.adapter?.usage(reported) ?? null);
  }

  failureOf(status: number, body: Buffer): UpstreamFailure {
    const error = (this.translation ?? this.adapter)?.failure(status, body) ?? internalError;
    return refusedAnswer(this.channel, status, error);
  }

  unusable(error: ApiError): UpstreamFailure {
    return unusableAnswer(this.channel, error);
  }

  discreet(events: Buffer): Buffer {
    return discreetEvents(this.channel, events);
  }

  discreetAnswer(answer: Buffer): Buffer {
    return discreetAnswer(this.channel, answer);
  }

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

  readonly heard = (word: string): void => {
    const { requestId } = this.admitted;
    this.core.logger.warn({ requestId, word }, 'an answer holds a sensitive word');
  };

  get filter(): ContentFilter {
    return this.core.options.current().filter;
  }

  outgrew(tokens: number): boolean {
    this.funding.cover(tokens);
    return this.funding.exhausted;
  }

  stopUpstream(): void {
    this.upstream?.abort();
  }

  failAttempt(failure: UpstreamFailure): void {
    this.core.meters.attemptFailed(failure.kind);
    reportFailing(this.core, this.channel, { failure, body: this.admitted.call.body });
    if (!this.clientGone && failure.retryable && this.tried.length <= this.retryTimes) {
      const next = chooseChannel(this.admitted.route.tiers, this.tried);
      if (next !== null) {
        this.channel = next;
        this.attempt();
        return;
      }
    }
    this.refuse(lastError(failure));
  }

  settle(report: SettleReport, last: (settled: Settled) => void): void {
    if (!this.booking.claim()) return;
    const bounded = this.booking.bounded(report.reported);
    if (bounded !== null && report.isPartial !== true) {
      // Written out: a spread costs as much as the scan of a body.
      const { usage, note } = bounded;
      this.bookUse({ usage, source: 'upstream', note, end: report.end }, last);
      return;
    }
    const note = report.reported === null ? null : 'the report of upstream could not be used';
    this.booking.counted(report.produced.produced(), this.upstreamModel).then(
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

  private get retryTimes(): number {
    return this.admitted.route.pinned === null ? this.core.options.current().retryTimes : 0;
  }

  private get facts(): AttemptFacts {
    const { channelId } = this.channel;
    const { tried, upstreamModel, firstByteMs } = this;
    return { channelId, tried, upstreamModel, firstByteMs };
  }

  private eventsReply(contentType: string): Reply {
    const wire = this.adapter?.wire;
    if (wire === undefined) return new StreamReply(this, contentType);
    const events = new NativeStream(this, contentType, wire);
    const unwrap = this.adapter?.unwrap?.();
    return unwrap === undefined ? events : new UnwrappedReply(this, unwrap, events);
  }

  private wholeReply(status: number, contentType: string): Reply {
    return new WholeReply(this, { status, contentType }, this.adapter?.wire);
  }

  private attempt(): void {
    this.tried.push(this.channel.channelId);
    this.reply = null;
    this.adapter = null;
    this.translation = null;
    const way = wayFor(this.channel, this.admitted.call);
    if (way === null) {
      this.failAttempt(notOffered);
      return;
    }
    if (way.kind === 'translated') {
      this.translate(way.adapter);
      return;
    }
    this.adapter = way.adapter;
    if (way.kind === 'enveloped') {
      this.envelop(way.adapter);
      return;
    }
    const options = this.core.options.current();
    const request = way.adapter.request(this.admitted.call, this.channel, options);
    if (isApiError(request)) {
      this.refuse(request);
      return;
    }
    this.dispatch(request);
  }

  private translate(adapter: TranslatingAdapter): void {
    const { channel } = this;
    this.prepare(translationOf(this.core, this.admitted.call, { adapter, channel }), (made) => {
      this.translation = made;
      this.dispatch(made.request);
    });
  }

  private envelop(adapter: EnvelopedAdapter): void {
    const { channel } = this;
    this.prepare(envelopeOf(this.core, this.admitted.call, { adapter, channel }), (request) =>
      this.dispatch(request),
    );
  }

  /** Waits for what an attempt needs before it can be made. */
  private prepare<T extends object>(work: Promise<T | ApiError>, then: (made: T) => void): void {
    this.preparing = true;
    this.whenDone(work, (made) => {
      this.preparing = false;
      if (this.booking.isClaimed) return;
      if (this.clientGone) this.refuse(clientGoneError);
      else if (isApiError(made)) this.failAttempt(notAsked(made));
      else then(made);
    });
  }

  private dispatch(request: UpstreamRequest): void {
    this.upstreamModel = request.upstreamModel;
    this.addedUsage = request.addedUsage;
    this.dispatchedTick = performance.now();
    this.upstream = this.core.upstream.dispatch(request, this);
  }

  private refuse(error: ApiError): void {
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

  private onClientClose(): void {
    if (this.clientGone || this.admitted.res.writableFinished) return;
    this.clientGone = true;
    if (this.booking.isClaimed) return;
    this.drainTimer = setTimeout(() => {
      this.guarded(() => {
        if (this.reply !== null) this.reply.onDrained();
        else this.giveUpWaiting();
      });
    }, this.core.settings.drainMs);
    // A call that waited for the client goes on by itself now.
    this.upstream?.resume();
  }

  /** The provider took the request and has not said a word: the prompt is billed. */
  private giveUpWaiting(): void {
    if (this.preparing) return;
    this.stopUpstream();
    this.settle({ end: 'client-gone', reported: null, produced: nothing }, () => {});
  }

  /** A comment, which clients leave out, so that nothing between them and us hangs up. */
  private ping(): void {
    const comment = this.reply?.ping?.() ?? null;
    if (comment !== null && !this.clientGone) this.client.write(comment);
  }

  /** The upstream goes beyond what one answer may take. */
  private breakOff(failure: UpstreamFailure): void {
    const { requestId } = this.admitted;
    const { channelId } = this.channel;
    this.core.logger.warn({ requestId, channelId, code: failure.error.code }, 'answer broken off');
    this.stopUpstream();
    if (this.reply === null) this.failAttempt(failure);
    else this.reply.onBroken(failure);
  }

  /** Whatever goes wrong in our own code, the request has its one outcome. */
  private guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.crash(error);
    }
  }

  private crash(error: unknown): void {
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
