import type { ReportedUsage } from '../../domain/pricing/bound-usage.ts';
import type { ChannelId } from '../../domain/shared/ids.ts';
import type { Admitted } from '../admission/admitted.ts';
import { tooMuch } from '../delivery/answer-timeouts.ts';
import { type Attempts, Delivery } from '../delivery/delivery.ts';
import { ErrorReply } from '../delivery/error-reply.ts';
import {
  clientGoneError,
  internalError,
  lastError,
  notAsked,
  notOffered,
  refusedAnswer,
} from '../delivery/failures.ts';
import { fundedReply } from '../delivery/funded-reply.ts';
import { readHead } from '../delivery/head.ts';
import { passingReply, type ReadingAdapter } from '../delivery/passing-reply.ts';
import { nothing, type Reply } from '../delivery/reply.ts';
import { notTicking, type Tickable } from '../delivery/ticker.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { type ApiError, isApiError } from '../protocol/api-error.ts';
import type { TranslatingAdapter } from '../providers/translate.ts';
import { resolveTransport } from '../providers/transport.ts';
import { reportFailing } from '../routing/health.ts';
import type { AnswerHeaders } from '../upstream/answer-headers.ts';
import type { UpstreamCall, UpstreamListener } from '../upstream/call.ts';
import type { UpstreamFailure, UpstreamRequest } from '../upstream/types.ts';
import { Drain } from './drain.ts';
import { nextChannel } from './next-channel.ts';
import { outgoingRequest } from './outgoing-headers.ts';
import type { RelayCore } from './relay-core.ts';
import { isPreparedApart, preparedFor, type Translation, translationOf } from './translation.ts';

/** A longer request is not kept until its answer has arrived. */
const maxKeptRequest = 65_536;

/** The attempts of one admitted request, from the first dispatch to the answer or the last error. */
export class Exchange implements UpstreamListener, Attempts, Tickable {
  tickerSlot = notTicking;
  readonly owner: number;
  addedUsage = false;
  private readonly core: RelayCore;
  private readonly admitted: Admitted;
  private readonly delivery: Delivery;
  private readonly tried: ChannelId[] = [];
  private channel: UpstreamChannel;
  private upstream: UpstreamCall | null = null;
  private upstreamModel = '';
  /** The body of the request, where it is not the caller's own. */
  private sent: Buffer | null = null;
  private reading: ReadingAdapter | null = null;
  /** Replaces `reading`, where the provider has a different protocol. */
  private translation: Translation | null = null;
  /** The request is being translated; no provider has received it yet. */
  private preparing = false;
  private reply: Reply | null = null;
  private readonly drain = new Drain(() => this.onDrained());
  private dispatchedTick = 0;
  private upstreamEndTick = 0;

  constructor(core: RelayCore, admitted: Admitted, outputLimit: number | null) {
    this.core = core;
    this.admitted = admitted;
    this.owner = admitted.caller.account.userId;
    this.channel = admitted.channel;
    this.delivery = new Delivery(core, { admitted, outputLimit }, this);
  }

  start(): void {
    this.delivery.charge.start();
    this.core.meters.exchangeBegan(this.admitted.call.isStream);
    this.core.ticker.add(this);
    this.admitted.res.on('close', () => this.onClientClose());
    this.delivery.guarded(() => this.attempt());
  }

  onHead(status: number, headers: AnswerHeaders): void {
    this.delivery.guarded(() => {
      const head = readHead(headers);
      const { delivery } = this;
      if (status < 200 || status > 299) {
        this.reply = new ErrorReply(delivery, status, head.retryAfterSeconds);
      } else {
        const reply =
          this.translation?.reply(delivery, status, headers) ??
          passingReply(delivery, this.reading, { status, contentType: head.contentType });
        this.reply = fundedReply(delivery, reply);
      }
    });
  }

  onData(chunk: Buffer): boolean {
    const { delivery } = this;
    try {
      if (!delivery.took(chunk)) {
        this.breakOff(tooMuch);
        return true;
      }
      const goOn = this.reply === null || this.reply.onData(chunk);
      if (!delivery.clientGone) return goOn;
      this.drain.took(chunk);
      return delivery.funding.waiting === null;
    } catch (error) {
      delivery.crash(error);
    }
    return true;
  }

  onEnd(): void {
    this.delivery.guarded(() => {
      this.upstreamEndTick = performance.now();
      this.reply?.onEnd();
    });
  }

  onFailure(failure: UpstreamFailure): void {
    this.delivery.guarded(() => {
      const { channelId } = this.channel;
      const { requestId } = this.admitted;
      const err = this.upstream?.lastError;
      this.core.logger.warn({ requestId, channelId, err }, 'upstream call failed');
      if (this.reply === null) this.failAttempt(failure);
      else this.reply.onBroken(failure);
    });
  }

  onTick(ms: number): void {
    const { charge, timeouts } = this.delivery;
    if (charge.isClaimed) {
      if (charge.isRecorded) this.core.ticker.remove(this);
      return;
    }
    const isHeldBack = this.delivery.isHeldBack || this.reply?.ping === undefined;
    const failure = timeouts.onTick(ms, isHeldBack);
    if (failure !== null) {
      if (!this.preparing) this.delivery.guarded(() => this.breakOff(failure));
      return;
    }
    const { pingMs } = this.core.options.current();
    if (pingMs > 0 && !isHeldBack && timeouts.isQuietFor(pingMs)) this.ping();
  }

  get newest() {
    const { channel, upstreamModel, sent, tried } = this;
    return { channel, upstreamModel, sent, tried };
  }

  usageOf(reported: unknown): ReportedUsage | null {
    return reported === null ? null : (this.reading?.usage(reported) ?? null);
  }

  failureOf(status: number, body: Buffer): UpstreamFailure {
    const error = (this.translation ?? this.reading)?.failure(status, body) ?? internalError;
    return refusedAnswer(this.channel, status, error);
  }

  stopUpstream(): void {
    this.upstream?.abort();
  }

  resumeUpstream(): void {
    this.upstream?.resume();
  }

  failAttempt(failure: UpstreamFailure): void {
    this.core.meters.attemptFailed(failure.kind);
    this.admitted.trace?.failed(failure);
    this.core.coolDowns.note(this.channel.channelId, failure);
    reportFailing(this.core, this.channel, { failure, body: this.admitted.call.body });
    const mayRetry = failure.retryable && this.tried.length <= this.retryTimes;
    if (!this.delivery.clientGone && mayRetry) {
      const { channel, tried } = this;
      const next = nextChannel(this.core.coolDowns, this.admitted, { channel, failure, tried });
      if (next !== null) {
        this.channel = next;
        this.attempt();
        return;
      }
    }
    this.delivery.refuse(lastError(failure, this.admitted.call.protocol));
  }

  onRecorded(): void {
    this.core.ticker.remove(this);
    this.drain.stop();
    this.core.meters.exchangeEnded(this.admitted.call.isStream);
    const now = performance.now();
    const upstreamMs = Math.max(0, (this.upstreamEndTick || now) - this.dispatchedTick);
    this.core.meters.latency(Math.max(0, now - this.admitted.arrivedTick - upstreamMs), upstreamMs);
  }

  private get retryTimes(): number {
    return this.admitted.route.pinned === null ? this.core.options.current().retryTimes : 0;
  }

  private attempt(): void {
    this.tried.push(this.channel.channelId);
    this.reply = null;
    this.reading = null;
    this.translation = null;
    const transport = resolveTransport(this.channel, this.admitted.call);
    if (transport === null) {
      this.failAttempt(notOffered);
      return;
    }
    if (transport.kind === 'translated') {
      this.translate(transport.adapter);
      return;
    }
    this.reading = transport.adapter;
    if (transport.kind === 'enveloped' || isPreparedApart(this.admitted.call, true)) {
      this.prepareUntranslated();
      return;
    }
    const options = this.core.options.current();
    const request = transport.adapter.request(this.admitted.call, this.channel, options);
    if (isApiError(request)) {
      this.delivery.refuse(request);
      return;
    }
    this.dispatch(request);
  }

  private translate(adapter: TranslatingAdapter): void {
    this.prepare(translationOf(this.core, this.nextAttempt, adapter), (made) => {
      this.translation = made;
      this.dispatch(made.request);
    });
  }

  /** In the caller's protocol, but in an envelope or too long to be scanned on this thread. */
  private prepareUntranslated(): void {
    this.prepare(preparedFor(this.core, this.nextAttempt, true), ({ request }) =>
      this.dispatch(request),
    );
  }

  private get nextAttempt() {
    return { call: this.admitted.call, channel: this.channel, owner: this.owner };
  }

  /** Waits for what an attempt needs before it can be made. */
  private prepare<T extends object>(work: Promise<T | ApiError>, then: (made: T) => void): void {
    this.preparing = true;
    this.delivery.whenDone(work, (made) => {
      this.preparing = false;
      if (this.delivery.charge.isClaimed) return;
      if (this.delivery.clientGone) this.delivery.refuse(clientGoneError);
      else if (isApiError(made)) this.failAttempt(notAsked(this.channel, made));
      else then(made);
    });
  }

  private dispatch(request: UpstreamRequest): void {
    this.upstreamModel = request.upstreamModel;
    this.addedUsage = request.addedUsage;
    this.sent = request.body.length <= maxKeptRequest ? request.body : null;
    this.dispatchedTick = performance.now();
    const { admitted, channel, translation } = this;
    const going = { admitted, channel, isPassed: translation === null };
    this.upstream = this.core.upstream.dispatch(outgoingRequest(request, going), this);
  }

  private onClientClose(): void {
    const { delivery } = this;
    if (delivery.clientGone || this.admitted.res.writableFinished) return;
    delivery.clientGone = true;
    if (delivery.charge.isClaimed) return;
    this.drain.start(this.core.options.current().drains ? this.core.settings.drainMs : 0);
    // A call that waited for the client continues now.
    delivery.resumeUpstream();
  }

  /** Where the provider took the request and has sent nothing yet, the prompt is charged. */
  private onDrained(): void {
    this.delivery.guarded(() => {
      if (this.reply !== null) this.reply.onDrained();
      else if (!this.preparing) {
        this.stopUpstream();
        this.delivery.settle({ end: 'client-gone', reported: null, produced: nothing }, () => {});
      }
    });
  }

  /** An SSE comment, which clients ignore, so that no proxy closes a quiet connection. */
  private ping(): void {
    const comment = this.reply?.ping?.() ?? null;
    if (comment !== null && !this.delivery.clientGone) this.delivery.client.write(comment);
  }

  /** The upstream exceeds what one answer may take. */
  private breakOff(failure: UpstreamFailure): void {
    const { requestId } = this.admitted;
    const { channelId } = this.channel;
    this.core.logger.warn({ requestId, channelId, code: failure.error.code }, 'answer broken off');
    this.stopUpstream();
    if (this.reply === null) this.failAttempt(failure);
    else this.reply.onBroken(failure);
  }
}
