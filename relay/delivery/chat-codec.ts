import type { ReportedUsage } from '../../domain/pricing/bound-usage.ts';
import { errorBody } from '../protocol/api-error.ts';
import { parseJson } from '../protocol/json.ts';
import { maxTokensOf } from '../settlement/output-size.ts';
import { SseMeter } from '../settlement/sse-meter.ts';
import { StreamRecord, type StreamText } from '../settlement/stream-text.ts';
import { type EventsGuard, eventsGuardFor } from './answer-guard.ts';
import { StreamOpening } from './opening.ts';
import type { ReplyHost } from './reply.ts';
import type { StreamCodec, StreamEnding } from './stream-codec.ts';
import { cutOffEvent, usageEvent } from './stream-events.ts';

const ownTerminator = Buffer.from('data: [DONE]\n\n');

/** Chunks of OpenAI's chat and completions, passed on as they arrive. */
export class ChatCodec implements StreamCodec {
  readonly contentType: string;
  readonly takesComments = true;
  private readonly host: ReplyHost;
  private readonly meter: SseMeter;
  private readonly record = new StreamRecord();
  private readonly opening = new StreamOpening();
  private readonly guard: EventsGuard | null;

  constructor(host: ReplyHost, contentType: string) {
    this.host = host;
    this.contentType = contentType;
    this.guard = eventsGuardFor(host);
    const isCompletion = host.admitted.call.operation === 'completions';
    this.meter = new SseMeter(host.addedUsage, { isCompletion, isSearched: this.guard !== null });
  }

  push(chunk: Buffer): Buffer {
    return this.read(this.meter.push(chunk));
  }

  flush(): Buffer {
    return this.read(this.meter.flush());
  }

  private read(events: Buffer): Buffer {
    if (!this.opening.hasContent) this.opening.read(events);
    if (events.length > 0) this.record.add(events);
    // An error in the middle of the stream is passed on redacted.
    const redacted = this.meter.tellsError ? this.host.redactEvents(events) : events;
    return this.guard === null ? redacted : this.guard.events(redacted);
  }

  get hasContent(): boolean {
    return this.opening.hasContent;
  }

  get refusal(): Buffer | null {
    return this.opening.error;
  }

  get hasAnswer(): boolean {
    return this.opening.hasContent || this.meter.usage !== null;
  }

  get isClosed(): boolean {
    return this.meter.terminator !== null;
  }

  get isBlocked(): boolean {
    return this.guard?.isOver === true;
  }

  get isWithinEvent(): boolean {
    return this.meter.isWithinEvent;
  }

  reported(): ReportedUsage | null {
    const { usage } = this.meter;
    return this.host.usageOf(usage === null ? null : (parseJson(usage.toString('utf8')) ?? null));
  }

  /** Usage is in the last event alone. */
  isFinal(reported: ReportedUsage | null): boolean {
    return reported !== null;
  }

  text(): StreamText {
    return this.record.read();
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

  ending({ cut, failure, settled }: StreamEnding): Buffer {
    const { admitted } = this.host;
    const parts: Buffer[] = this.guard === null ? [] : [this.guard.rest()];
    if (cut !== null) parts.push(cutOffEvent(admitted, cut));
    if (failure !== null) {
      parts.push(Buffer.from(`data: ${errorBody(failure.error, admitted.requestId)}\n\n`));
    }
    if (admitted.wantsUsage && settled?.source === 'counted') {
      parts.push(usageEvent(admitted, settled.usage));
    }
    const last = this.meter.terminator ?? ownTerminator;
    return parts.length === 0 ? last : Buffer.concat([...parts, last]);
  }
}
