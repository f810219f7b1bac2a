import type { RequestEnd } from '../../domain/account/events.ts';
import { errorText } from '../protocol/api-error.ts';
import { OutputScan } from '../protocol/output-scan.ts';
import { tellsOfError } from '../protocol/usage-scan.ts';
import type { UsageGatherer, Wire } from '../providers/types.ts';
import { wholeEventsEnd } from '../settlement/event-terminator.ts';
import { outcomeOf } from '../settlement/outcome.ts';
import { maxTokensOf } from '../settlement/output-size.ts';
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
import { cutOffParts } from './stream-events.ts';

const empty = Buffer.alloc(0);
const lf = 0x0a;
const cr = 0x0d;
const letterE = 0x65;
/** A longer unfinished event is passed on as it arrives: no report of usage is that long. */
const maxHeldBytes = 4_194_304;
const errorStart =
  /^(?:event:\s*error(?:\r\n?|\n))?data:\s*\{\s*(?:"type"\s*:\s*"error"|"error"\s*:)/;

const hasLineEnd = (bytes: Buffer): boolean => bytes.includes(lf) || bytes.includes(cr);

/** Names of events count at the start of a line alone: a model may write them in its text. */
const markAt = (events: Buffer, mark: Buffer): number => {
  const isName = mark[0] === letterE;
  let at = events.indexOf(mark);
  const isInText = (): boolean => at > 0 && events[at - 1] !== lf && events[at - 1] !== cr;
  while (isName && isInText()) at = events.indexOf(mark, at + 1);
  return at;
};

/** A stream in the caller's own protocol: events are passed on as they arrive. */
export class NativeStream implements Reply, Produced, RunningAnswer {
  private readonly host: ReplyHost;
  private readonly contentType: string;
  private readonly wire: Wire;
  private readonly gatherer: UsageGatherer;
  private readonly record: StreamRecord;
  private carry: Buffer[] = [];
  private carried = 0;
  /** The last events, kept back until the request is booked. */
  private held: Buffer = empty;
  /** The first and the last events that were passed on. */
  private first: Buffer = empty;
  private last: Buffer = empty;
  private readonly guard: AnswerGuard | null;
  /** A blocked word was found. */
  private silenced = false;
  private begun = false;
  private ended = false;
  /** A piece of an event too long to be held has been passed on. */
  private isWithinEvent = false;
  private readonly scan: OutputScan;
  private bytes = 0;

  constructor(host: ReplyHost, contentType: string, wire: Wire) {
    this.host = host;
    this.contentType = contentType;
    this.wire = wire;
    this.gatherer = wire.gather();
    this.record = new StreamRecord(wire.text);
    this.scan = new OutputScan(wire.outputMembers);
    this.guard = guardFor(host, wire.text);
  }

  onData(chunk: Buffer): boolean {
    if (this.ended) return true;
    this.carry.push(chunk);
    this.carried += chunk.length;
    // Pieces of a long event are put together once, not with each read.
    if (this.carried <= maxHeldBytes && !hasLineEnd(chunk)) return true;
    const bytes = this.takeCarried();
    const whole = wholeEventsEnd(bytes);
    const end = bytes.length - whole > maxHeldBytes ? bytes.length : whole;
    this.isWithinEvent = end > whole;
    if (end < bytes.length) this.carry.push(bytes.subarray(end));
    this.carried = bytes.length - end;
    return end === 0 || this.take(bytes.subarray(0, end));
  }

  onEnd(): void {
    if (this.ended) return;
    if (this.carried > 0) this.take(this.takeCarried());
    if (this.ended) return;
    if (!this.begun && this.held.length === 0) {
      this.ended = true;
      this.host.failAttempt(this.host.failureOf(502, empty));
      return;
    }
    this.end('complete', null);
  }

  onBroken(failure: UpstreamFailure): void {
    if (this.ended) return;
    if (this.begun || this.gatherer.found() !== null) {
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
    const reported = this.host.usageOf(this.gatherer.found());
    return { reported, produced: this, isPartial: true };
  }

  ping(): Buffer | null {
    return this.begun && !this.ended && !this.isWithinEvent ? pingComment : null;
  }

  produced(): string | number {
    return this.record.produced();
  }

  roughTokens(): number {
    return this.tokens();
  }

  /** Pictures are no text, and arrived in bytes all the same. */
  maxTokens(): number {
    const bytes = this.bytes - this.scan.events * this.wire.overheadBytes;
    return Math.max(maxTokensOf(this.record.produced()), bytes);
  }

  maxThoughtTokens(): number {
    return 0;
  }

  private takeCarried(): Buffer {
    const [first = empty] = this.carry;
    const bytes = this.carry.length === 1 ? first : Buffer.concat(this.carry, this.carried);
    this.carry = [];
    this.carried = 0;
    return bytes;
  }

  private take(events: Buffer): boolean {
    if (!this.begun && this.isRefusal(events)) return true;
    this.gatherer.read(events);
    this.record.add(events);
    if (this.isWithinEvent) this.scan.addPiece(events.length);
    else this.scan.add(events);
    this.bytes += events.length;
    const redacted = tellsOfError(events) ? this.host.redactEvents(events) : events;
    if (this.guard === null) return this.hand(redacted);
    const { allowed, isOver } = this.guard.events(redacted);
    if (!isOver) return this.hand(allowed);
    this.silenced = true;
    this.pass(allowed);
    this.cutOff();
    return true;
  }

  private hand(events: Buffer): boolean {
    const last = this.held.length > 0 ? 0 : this.closingStart(events);
    const goOn = last === 0 || this.pass(last === -1 ? events : events.subarray(0, last));
    if (last !== -1) this.held = Buffer.concat([this.held, events.subarray(last)]);
    if (last !== -1 && this.wire.endsAtClosing) this.end('complete', null);
    else if (last === -1) this.host.cover(this.tokens(), this);
    return goOn;
  }

  private cutOff(): void {
    this.host.stopUpstream();
    this.end('cut-off', null);
  }

  private get cutOffEvents(): string {
    const reason = this.silenced ? 'words' : 'quota';
    const { notice } = cutOffParts(this.host.admitted, reason);
    return this.wire.cutOff({ reason, notice, first: this.first, last: this.last });
  }

  private tokens(): number {
    const reported = this.wire.outputSoFar?.(this.gatherer) ?? 0;
    return Math.ceil(Math.max(this.scan.tokens, reported));
  }

  /** Where the closing event begins; -1: it is not there. */
  private closingStart(events: Buffer): number {
    for (const mark of this.wire.closing) {
      const at = markAt(events, mark);
      if (at !== -1) return wholeEventsEnd(events.subarray(0, at + 1));
    }
    return -1;
  }

  private pass(events: Buffer): boolean {
    if (events.length === 0) return true;
    this.begin();
    if (this.first.length === 0) this.first = events;
    this.last = events;
    return this.host.write(events);
  }

  private begin(): void {
    if (this.begun) return;
    this.begun = true;
    this.host.noteFirstByte();
    this.host.writeHead(200, this.contentType, streamHeaders);
  }

  /** An error as the first event: nothing reached the client, so another channel may answer. */
  private isRefusal(events: Buffer): boolean {
    if (!errorStart.test(events.toString('latin1', 0, 96))) return false;
    this.ended = true;
    const text = events.toString('utf8');
    const [line = ''] = text.slice(text.indexOf('data:') + 5).split(/[\r\n]/);
    this.host.stopUpstream();
    this.host.failAttempt(this.host.failureOf(502, Buffer.from(line)));
    return true;
  }

  private end(reason: RequestEnd, failure: UpstreamFailure | null): void {
    this.ended = true;
    const reported = this.host.usageOf(this.gatherer.found());
    // The first event of a stream may report its prompt; the closing event reports the whole.
    const hasFinalReport = reported !== null && reason === 'complete' && this.held.length > 0;
    const produced = hasFinalReport ? null : this.record.read();
    const outcome = outcomeOf({
      reason,
      isClientGone: this.host.clientGone,
      isBroken: failure !== null || produced?.hasError === true,
      hasFinalReport,
      isEmpty: produced?.isEmpty === true,
    });
    if (outcome.kind === 'uncharged') {
      const why = failure ?? this.host.failureOf(502, empty);
      this.host.abandon(why, () => this.close(failure, ''));
      return;
    }
    this.host.settle({ ...outcome, reported, produced: this }, () =>
      this.close(failure, outcome.end === 'cut-off' ? this.cutOffEvents : ''),
    );
  }

  private close(failure: UpstreamFailure | null, cutOff: string): void {
    const { requestId, call } = this.host.admitted;
    this.begin();
    const own = cutOff === '' ? this.held : Buffer.from(cutOff);
    if (failure === null) {
      this.host.end(own);
      return;
    }
    const text = errorText(failure.error, requestId, call.protocol);
    const name = call.protocol === 'claude' ? 'event: error\n' : '';
    this.host.end(Buffer.concat([own, Buffer.from(`${name}data: ${text}\n\n`)]));
  }
}
