import type { RequestEnd } from '../../domain/account/events.ts';
import type { ApiError } from '../protocol/api-error.ts';
import { outcomeOf } from '../settlement/outcome.ts';
import type { UpstreamFailure } from '../upstream/types.ts';
import type { ListFraming } from './list-framing.ts';
import {
  pingComment,
  type Reply,
  type ReplyHost,
  type RunningAnswer,
  streamHeaders,
} from './reply.ts';
import type { StreamCodec } from './stream-codec.ts';
import type { CutReason } from './stream-events.ts';

const empty = Buffer.alloc(0);

/** What precedes the first content waits for it, up to this size and time. */
const maxHeldBytes = 65_536;
const maxHeldMs = 10_000;

/**
 * A stream on its way to the caller, in any protocol. What precedes the first content is held: until
 * then another channel may answer instead.
 */
export class StreamReply implements Reply, RunningAnswer {
  private readonly host: ReplyHost;
  private readonly codec: StreamCodec;
  /** Writes the events as the members of one list; null: as they are. */
  private readonly framing: ListFraming | null;
  private held: Buffer[] | null = null;
  private heldBytes = 0;
  private heldSince = 0;
  private begun = false;
  private ended = false;

  constructor(host: ReplyHost, codec: StreamCodec, framing: ListFraming | null = null) {
    this.host = host;
    this.codec = codec;
    this.framing = framing;
  }

  onData(chunk: Buffer): boolean {
    if (this.ended) return true;
    const { codec } = this;
    const goOn = this.pass(codec.push(chunk));
    if (this.ended) return true;
    if (codec.isBlocked) this.cutOff('words');
    else if (codec.isClosed) this.end('complete', null);
    else this.host.cover(codec.roughTokens(), this);
    return goOn;
  }

  onEnd(): void {
    if (this.ended) return;
    this.pass(this.codec.flush());
    if (this.ended) return;
    if (this.codec.isBlocked) this.cutOff('words');
    else if (this.begun || this.codec.hasAnswer) this.end('complete', null);
    else this.fail(this.host.failureOf(502, empty));
  }

  onBroken(failure: UpstreamFailure): void {
    if (this.ended) return;
    if (this.begun || this.codec.hasContent) this.end('upstream-broken', failure);
    else this.fail(failure);
  }

  onDrained(): void {
    if (this.ended) return;
    this.host.stopUpstream();
    this.end('client-gone', null);
  }

  onUnfunded(): void {
    if (!this.ended) this.cutOff('quota');
  }

  soFar() {
    const reported = this.codec.reported();
    const isPartial = !this.codec.isFinal(reported, null);
    return { reported, produced: this.codec, isPartial };
  }

  ping(): Buffer | null {
    if (this.ended || !this.takesComments) return null;
    if (!this.begun && this.held === null) return null;
    this.begin();
    return pingComment;
  }

  private get takesComments(): boolean {
    return this.framing === null && this.codec.takesComments && !this.codec.isWithinEvent;
  }

  private pass(bytes: Buffer | ApiError): boolean {
    if (!Buffer.isBuffer(bytes)) {
      this.host.stopUpstream();
      this.onBroken(this.host.unusable(bytes));
      return true;
    }
    if (!this.begun) {
      const { refusal } = this.codec;
      if (refusal !== null) {
        this.host.stopUpstream();
        this.fail(this.host.failureOf(502, refusal));
        return true;
      }
      if (bytes.length === 0 || this.holds(bytes)) return true;
      this.begin();
    }
    return bytes.length === 0 || this.write(bytes);
  }

  private write(bytes: Buffer): boolean {
    const framed = this.framing?.events(bytes) ?? bytes;
    return framed.length === 0 || this.host.write(framed);
  }

  private holds(bytes: Buffer): boolean {
    if (this.codec.hasContent) return false;
    const now = performance.now();
    if (this.held === null) {
      this.held = [];
      this.heldSince = now;
    }
    this.heldBytes += bytes.length;
    if (this.heldBytes > maxHeldBytes || now - this.heldSince > maxHeldMs) return false;
    this.held.push(bytes);
    return true;
  }

  private begin(): void {
    if (this.begun) return;
    this.begun = true;
    this.host.noteFirstByte();
    this.host.writeHead(200, this.framing?.contentType ?? this.codec.contentType, streamHeaders);
    for (const bytes of this.held ?? []) this.write(bytes);
    this.held = null;
  }

  /** Nothing reached the caller: another channel may answer. */
  private fail(failure: UpstreamFailure): void {
    this.ended = true;
    this.host.failAttempt(failure);
  }

  private cutOff(reason: CutReason): void {
    this.host.stopUpstream();
    this.end('cut-off', null, reason);
  }

  private end(reason: RequestEnd, failure: UpstreamFailure | null, cut: CutReason = 'quota'): void {
    this.ended = true;
    const { codec, host } = this;
    const reported = codec.reported();
    const hasFinalReport = codec.isFinal(reported, reason);
    const text = hasFinalReport ? null : codec.text();
    const outcome = outcomeOf({
      reason,
      isClientGone: host.clientGone,
      isBroken: failure !== null || text?.hasError === true,
      hasFinalReport,
      isEmpty: text?.isEmpty === true,
    });
    if (outcome.kind === 'uncharged') {
      const why = failure ?? host.failureOf(502, empty);
      host.abandon(why, () => this.close(codec.ending({ cut: null, failure, settled: null })));
      return;
    }
    const isCut = outcome.end === 'cut-off';
    host.settle({ ...outcome, reported, produced: codec }, (settled) =>
      this.close(codec.ending({ cut: isCut ? cut : null, failure, settled })),
    );
  }

  private close(last: Buffer): void {
    this.begin();
    this.host.end(this.framing?.end(last) ?? last);
  }
}
