import type { RequestEnd } from '../../domain/account/events.ts';
import { errorBody } from '../protocol/api-error.ts';
import type { Settled } from '../settlement/charge.ts';
import { outcomeOf } from '../settlement/outcome.ts';
import { maxTokensOf } from '../settlement/output-size.ts';
import { SseMeter } from '../settlement/sse-meter.ts';
import { StreamRecord } from '../settlement/stream-text.ts';
import type { UpstreamFailure } from '../upstream/types.ts';
import { type AnswerGuard, guardFor } from './answer-guard.ts';
import {
  type Produced,
  pingComment,
  type Reply,
  type ReplyHost,
  type RunningAnswer,
  streamHeaders,
} from './reply.ts';
import { type CutReason, cutOffEvent, usageEvent } from './stream-events.ts';

const ownTerminator = Buffer.from('data: [DONE]\n\n');
const errorStart = /^data:\s*\{\s*"error"\s*:\s*[{"]/;

const parse = (json: Buffer | null): unknown => {
  if (json === null) return null;
  try {
    return JSON.parse(json.toString('utf8'));
  } catch {
    return null;
  }
};

/** An answer as server-sent events, passed on as it arrives. */
export class StreamReply implements Reply, Produced, RunningAnswer {
  private readonly host: ReplyHost;
  private readonly contentType: string;
  private readonly meter: SseMeter;
  private readonly record = new StreamRecord();
  private readonly guard: AnswerGuard | null;
  private cut: CutReason = 'quota';
  private begun = false;
  private ended = false;

  constructor(host: ReplyHost, contentType: string) {
    this.host = host;
    this.contentType = contentType;
    this.meter = new SseMeter(host.addedUsage, host.admitted.call.operation === 'completions');
    this.guard = guardFor(host);
  }

  onData(chunk: Buffer): boolean {
    if (this.ended) return true;
    const events = this.redacted(this.meter.push(chunk));
    const goOn = events.length === 0 || this.pass(events);
    if (this.ended) return true;
    if (this.cut === 'words') this.cutOff();
    else if (this.meter.terminator !== null) this.end('complete', null);
    else this.host.cover(this.meter.producedTokens(), this);
    return goOn;
  }

  onEnd(): void {
    if (this.ended) return;
    const rest = this.redacted(this.meter.flush());
    if (rest.length > 0) this.pass(rest);
    if (this.ended) return;
    if (this.cut === 'words') {
      this.cutOff();
      return;
    }
    if (!this.begun && this.meter.usage === null) {
      this.ended = true;
      this.host.failAttempt(this.host.failureOf(502, Buffer.alloc(0)));
      return;
    }
    this.end('complete', null);
  }

  onBroken(failure: UpstreamFailure): void {
    if (this.ended) return;
    if (this.begun || this.meter.usage !== null) {
      this.end('upstream-broken', failure);
      return;
    }
    this.ended = true;
    this.host.failAttempt(failure);
  }

  onDrained(): void {
    if (this.ended) return;
    this.host.stopUpstream();
    this.end('client-gone', null);
  }

  onUnfunded(): void {
    if (!this.ended) this.cutOff();
  }

  soFar() {
    const reported = this.host.usageOf(parse(this.meter.usage));
    return { reported, produced: this, isPartial: reported === null };
  }

  ping(): Buffer | null {
    return this.begun && !this.ended && !this.meter.isWithinEvent ? pingComment : null;
  }

  produced(): string | number {
    return this.record.produced();
  }

  roughTokens(): number {
    return this.meter.producedTokens();
  }

  /** Audio and pictures are no text, and arrived in bytes all the same. */
  maxTokens(): number {
    return Math.max(maxTokensOf(this.record.produced()), this.meter.producedBytes());
  }

  maxThoughtTokens(): number {
    return this.record.thoughtBytes();
  }

  /** An error in the middle of the stream is passed on redacted. */
  private redacted(events: Buffer): Buffer {
    return this.meter.tellsError ? this.host.redactEvents(events) : events;
  }

  private pass(events: Buffer): boolean {
    if (!this.begun) {
      if (this.isRefusal(events)) return true;
      this.begun = true;
      this.host.noteFirstByte();
      this.host.writeHead(200, this.contentType, streamHeaders);
    }
    this.record.add(events);
    if (this.guard === null) return this.host.write(events);
    if (this.cut === 'words') return true;
    const { allowed, isOver } = this.guard.events(events);
    if (isOver) this.cut = 'words';
    return allowed.length === 0 || this.host.write(allowed);
  }

  /** An error as the first event: nothing reached the client, so another channel may answer. */
  private isRefusal(events: Buffer): boolean {
    if (!errorStart.test(events.toString('latin1', 0, 64))) return false;
    this.ended = true;
    const [line = ''] = events
      .toString('utf8')
      .slice(5)
      .split(/[\r\n]/);
    this.host.stopUpstream();
    this.host.failAttempt(this.host.failureOf(502, Buffer.from(line)));
    return true;
  }

  private cutOff(): void {
    this.host.stopUpstream();
    this.end('cut-off', null);
  }

  private end(reason: RequestEnd, failure: UpstreamFailure | null): void {
    this.ended = true;
    const reported = this.host.usageOf(parse(this.meter.usage));
    const produced = reported === null ? this.record.read() : null;
    const outcome = outcomeOf({
      reason,
      isClientGone: this.host.clientGone,
      isBroken: failure !== null || produced?.hasError === true,
      // Usage is in the last event alone.
      hasFinalReport: reported !== null,
      isEmpty: produced?.isEmpty === true,
    });
    if (outcome.kind === 'uncharged') {
      this.host.abandon(failure ?? this.host.failureOf(502, Buffer.alloc(0)), () =>
        this.close(failure, null),
      );
      return;
    }
    this.host.settle({ ...outcome, reported, produced: this }, (settled) => {
      if (outcome.end === 'cut-off') this.host.write(cutOffEvent(this.host.admitted, this.cut));
      this.close(failure, settled);
    });
  }

  /** The last bytes: what is still owed to the client, then `[DONE]`. */
  private close(failure: UpstreamFailure | null, settled: Settled | null): void {
    const { requestId, wantsUsage } = this.host.admitted;
    const last = this.meter.terminator ?? ownTerminator;
    const parts: Buffer[] = [];
    if (failure !== null)
      parts.push(Buffer.from(`data: ${errorBody(failure.error, requestId)}\n\n`));
    if (wantsUsage && settled?.source === 'counted') {
      parts.push(usageEvent(this.host.admitted, settled.usage));
    }
    this.host.end(parts.length === 0 ? last : Buffer.concat([...parts, last]));
  }
}
