import type { RequestEnd } from '../../domain/account/events.ts';
import type { ReportedUsage } from '../../domain/pricing/bound-usage.ts';
import { type ApiError, errorText } from '../protocol/api-error.ts';
import { OutputScan } from '../protocol/output-scan.ts';
import { relayError } from '../protocol/relay-errors.ts';
import { tellsOfError } from '../protocol/usage-scan.ts';
import type { EnvelopedAdapter, UsageGatherer, Wire } from '../providers/types.ts';
import { wholeEventsEnd } from '../settlement/event-terminator.ts';
import { maxTokensOf } from '../settlement/output-size.ts';
import { StreamRecord } from '../settlement/stream-text.ts';
import type { EventsGuard } from './answer-guard.ts';
import { EventsCodec } from './events-codec.ts';
import type { ReplyHost } from './reply.ts';
import type { StreamCodec, StreamEnding } from './stream-codec.ts';
import { cutOffNotice } from './stream-events.ts';

const empty = Buffer.alloc(0);
const lf = 0x0a;
const cr = 0x0d;
const letterE = 0x65;
/** A longer unfinished event is passed on as it arrives: no report of usage is that long. */
const maxHeldBytes = 4_194_304;

const unreadable = {
  ...relayError('bad_response_body', 'The upstream sent something that cannot be read'),
  type: 'upstream_error',
};

const hasLineEnd = (bytes: Buffer): boolean => bytes.includes(lf) || bytes.includes(cr);

/** Names of events count at the start of a line alone: a model may write them in its text. */
const markAt = (events: Buffer, mark: Buffer): number => {
  const isName = mark[0] === letterE;
  let at = events.indexOf(mark);
  const isInText = (): boolean => at > 0 && events[at - 1] !== lf && events[at - 1] !== cr;
  while (isName && isInText()) at = events.indexOf(mark, at + 1);
  return at;
};

type Reading = Pick<EnvelopedAdapter, 'usage' | 'unwrap'> & Readonly<{ wire: Wire }>;

/** Events in the caller's own protocol, passed on as they arrive. */
export class WireCodec extends EventsCodec implements StreamCodec {
  private readonly wire: Wire;
  private readonly usageOf: Reading['usage'];
  /** Takes events out of what the host wraps them in; null: they come as they are. */
  private readonly unwrap: ((bytes: Buffer) => Buffer | null) | null;
  private readonly gatherer: UsageGatherer;
  private readonly scan: OutputScan;
  private carry: Buffer[] = [];
  private carried = 0;
  /** The last events, kept back until the request is booked. */
  private held: Buffer = empty;
  /** The first and the last events that were passed on. */
  private first: Buffer = empty;
  private last: Buffer = empty;
  /** A piece of an event too long to be held has been passed on. */
  isWithinEvent = false;
  private bytes = 0;

  constructor(host: ReplyHost, contentType: string, { wire, usage, unwrap }: Reading) {
    super(host, contentType, new StreamRecord(wire.text));
    this.wire = wire;
    this.usageOf = usage;
    this.unwrap = unwrap?.() ?? null;
    this.gatherer = wire.gather();
    this.scan = new OutputScan(wire.outputMembers);
  }

  push(chunk: Buffer): Buffer | ApiError {
    if (this.unwrap === null) return this.pushEvents(chunk);
    const events = this.unwrap(chunk);
    return events === null ? unreadable : this.pushEvents(events);
  }

  flush(): Buffer {
    return this.carried === 0 ? empty : this.read(this.takeCarried());
  }

  private pushEvents(chunk: Buffer): Buffer {
    this.carry.push(chunk);
    this.carried += chunk.length;
    // Pieces of a long event are put together once, not with each read.
    if (this.carried <= maxHeldBytes && !hasLineEnd(chunk)) return empty;
    const bytes = this.takeCarried();
    const whole = wholeEventsEnd(bytes);
    const end = bytes.length - whole > maxHeldBytes ? bytes.length : whole;
    this.isWithinEvent = end > whole;
    if (end < bytes.length) this.carry.push(bytes.subarray(end));
    this.carried = bytes.length - end;
    return end === 0 ? empty : this.read(bytes.subarray(0, end));
  }

  private takeCarried(): Buffer {
    const [first = empty] = this.carry;
    const bytes = this.carry.length === 1 ? first : Buffer.concat(this.carry, this.carried);
    this.carry = [];
    this.carried = 0;
    return bytes;
  }

  private read(events: Buffer): Buffer {
    this.gatherer.read(events);
    this.record.add(events);
    if (this.isWithinEvent) this.scan.addPiece(events.length);
    else this.scan.add(events);
    this.bytes += events.length;
    const hasError = tellsOfError(events);
    if (!this.opening.hasContent) this.open(events, !hasError && this.scan.tokens > 0);
    const redacted = hasError ? this.host.redactEvents(events) : events;
    const closing = this.held.length > 0 ? 0 : this.closingStart(redacted);
    if (this.guard !== null) return this.guarded(this.guard, redacted, closing !== -1);
    if (closing === -1) return this.noted(redacted);
    this.held = Buffer.concat([this.held, redacted.subarray(closing)]);
    return this.noted(redacted.subarray(0, closing));
  }

  /** From the closing event on, nothing waits for more text. */
  private guarded(guard: EventsGuard, events: Buffer, isClosing: boolean): Buffer {
    const allowed = guard.events(events);
    if (!isClosing || guard.isOver) return this.noted(allowed);
    this.held = Buffer.concat([this.held, allowed, guard.rest()]);
    return empty;
  }

  private noted(passed: Buffer): Buffer {
    if (passed.length === 0) return passed;
    if (this.first.length === 0) this.first = passed;
    this.last = passed;
    return passed;
  }

  /** Where the closing event begins; -1: it is not there. */
  private closingStart(events: Buffer): number {
    for (const mark of this.wire.closing) {
      const at = markAt(events, mark);
      if (at !== -1) return wholeEventsEnd(events.subarray(0, at + 1));
    }
    return -1;
  }

  get hasAnswer(): boolean {
    return this.opening.hasContent || this.held.length > 0;
  }

  get isClosed(): boolean {
    return this.wire.endsAtClosing && this.held.length > 0;
  }

  reported(): ReportedUsage | null {
    const report = this.gatherer.found();
    return report === null ? null : this.usageOf(report);
  }

  /** The first event of a stream may report its prompt; the closing event reports the whole. */
  isFinal(reported: ReportedUsage | null, reason: RequestEnd | null): boolean {
    return reported !== null && reason === 'complete' && this.held.length > 0;
  }

  roughTokens(): number {
    const reported = this.wire.outputSoFar?.(this.gatherer) ?? 0;
    return Math.ceil(Math.max(this.scan.tokens, reported));
  }

  /** Pictures are no text, and arrived in bytes all the same. */
  maxTokens(): number {
    const bytes = this.bytes - this.scan.events * this.wire.overheadBytes;
    return Math.max(maxTokensOf(this.record.produced()), bytes);
  }

  maxThoughtTokens(): number {
    return 0;
  }

  ending({ cut, failure }: StreamEnding): Buffer {
    const { requestId, call } = this.host.admitted;
    const parts = this.rest().map((events) => this.noted(events));
    parts.push(this.held);
    if (cut !== null) {
      const notice = cutOffNotice(requestId, cut);
      const { first, last } = this;
      const lastEvents = this.wire.cutOff({ reason: cut, notice, first, last });
      if (lastEvents !== '') parts[parts.length - 1] = Buffer.from(lastEvents);
    }
    if (failure !== null) {
      const name = call.protocol === 'claude' ? 'event: error\n' : '';
      const text = errorText(failure.error, requestId, call.protocol);
      parts.push(Buffer.from(`${name}data: ${text}\n\n`));
    }
    return parts.length === 1 ? (parts[0] ?? empty) : Buffer.concat(parts);
  }
}
