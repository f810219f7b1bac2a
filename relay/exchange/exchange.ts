import type { ReportedUsage } from '../../domain/pricing/bound-usage.ts';
import { isApiError } from '../admission/caller.ts';
import type { ContentFilter } from '../admission/sensitive-words.ts';
import type { ApiError } from '../ingress/api-error.ts';
import { wayFor } from '../providers/registry.ts';
import type { TranslatingAdapter } from '../providers/translate.ts';
import type { UpstreamFailure, UpstreamRequest } from '../providers/types.ts';
import { chooseChannel } from '../routing/choose.ts';
import { reportFailing } from '../routing/health.ts';
import type { AnswerHeaders } from '../upstream/answer-headers.ts';
import type { UpstreamListener } from '../upstream/call.ts';
import { Delivery } from './delivery.ts';
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
import { readHead } from './head.ts';
import { passingReply, type ReadingAdapter } from './passing-reply.ts';
import { tooMuch } from './pulse.ts';
import { nothing, type Reply, type ReplyHost } from './reply.ts';
import { isPreparedApart, preparedFor, type Translation, translationOf } from './translation.ts';

/** Bytes read on after the client has gone. */
const maxDrainBytes = 16_777_216;
/** A longer request is not kept until its answer has come. */
const maxKeptRequest = 65_536;

/** One admitted request from its first attempt to its one outcome. */
export class Exchange extends Delivery implements UpstreamListener, ReplyHost {
  reading: ReadingAdapter | null = null;
  /** In place of the adapter, where the provider has a protocol of its own. */
  private translation: Translation | null = null;
  /** The request is being translated; no provider has seen it yet. */
  private preparing = false;
  private reply: Reply | null = null;
  private drainedBytes = 0;
  addedUsage = false;

  start(): void {
    this.booking.start();
    this.core.meters.exchangeBegan(this.admitted.call.isStream);
    this.core.pace.add(this);
    this.admitted.res.on('close', () => this.onClientClose());
    this.guarded(() => this.attempt());
  }

  onHead(status: number, headers: AnswerHeaders): void {
    this.guarded(() => {
      const head = readHead(headers);
      if (status < 200 || status > 299) {
        this.reply = new ErrorReply(this, status, head.retryAfterSeconds);
      } else if (head.isEncoded) {
        this.stopUpstream();
        this.failAttempt(this.failureOf(502, Buffer.alloc(0)));
      } else if (this.translation !== null) {
        this.reply = this.translation.reply(this, status, headers);
      } else this.reply = passingReply(this, status, head.contentType);
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
    return reported === null ? null : (this.reading?.usage(reported) ?? null);
  }

  failureOf(status: number, body: Buffer): UpstreamFailure {
    const error = (this.translation ?? this.reading)?.failure(status, body) ?? internalError;
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

  heard(word: string): void {
    const { requestId } = this.admitted;
    this.core.logger.warn({ requestId, word }, 'an answer holds a sensitive word');
  }

  get filter(): ContentFilter {
    return this.core.options.current().filter;
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

  private get retryTimes(): number {
    return this.admitted.route.pinned === null ? this.core.options.current().retryTimes : 0;
  }

  private attempt(): void {
    this.tried.push(this.channel.channelId);
    this.reply = null;
    this.reading = null;
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
    this.reading = way.adapter;
    if (way.kind === 'enveloped' || isPreparedApart(this.admitted.call, true)) {
      this.prepareSent();
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
    this.prepare(translationOf(this.core, this.tryOut, adapter), (made) => {
      this.translation = made;
      this.dispatch(made.request);
    });
  }

  /** In the caller's own words, in an envelope or too long to be looked through here. */
  private prepareSent(): void {
    this.prepare(preparedFor(this.core, this.tryOut, true), ({ request }) =>
      this.dispatch(request),
    );
  }

  private get tryOut() {
    const { call, caller } = this.admitted;
    return { call, channel: this.channel, owner: caller.account.userId };
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
    this.sent = request.body.length <= maxKeptRequest ? request.body : null;
    this.dispatchedTick = performance.now();
    this.upstream = this.core.upstream.dispatch(request, this);
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
}
