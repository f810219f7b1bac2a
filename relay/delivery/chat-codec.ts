import type { ReportedUsage } from '../../domain/pricing/bound-usage.ts';
import { errorBody } from '../protocol/api-error.ts';
import { parseJson } from '../protocol/json.ts';
import { maxTokensOf } from '../settlement/output-size.ts';
import { SseMeter } from '../settlement/sse-meter.ts';
import { StreamRecord } from '../settlement/stream-text.ts';
import { EventsCodec } from './events-codec.ts';
import type { ReplyHost } from './reply.ts';
import type { StreamCodec, StreamEnding } from './stream-codec.ts';
import { cutOffChunk, dataEvent, usageChunk } from './stream-events.ts';

const ownTerminator = Buffer.from('data: [DONE]\n\n');

/** Chunks of OpenAI's chat and completions, passed on as they arrive. */
export class ChatCodec extends EventsCodec implements StreamCodec {
  private readonly meter: SseMeter;

  constructor(host: ReplyHost, contentType: string) {
    super(host, contentType, new StreamRecord());
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
    const { meter } = this;
    if (!this.opening.hasContent) {
      this.open(events, !meter.tellsError && meter.producedTokens() > 0);
    }
    if (events.length > 0) this.record.add(events);
    // An error in the middle of the stream is passed on redacted.
    const redacted = meter.tellsError ? this.host.redactEvents(events) : events;
    return this.guard === null ? redacted : this.guard.events(redacted);
  }

  get hasAnswer(): boolean {
    return this.opening.hasContent || this.meter.usage !== null;
  }

  get isClosed(): boolean {
    return this.meter.terminator !== null;
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
    const parts = this.rest();
    if (cut !== null) parts.push(Buffer.from(dataEvent(cutOffChunk(admitted, cut))));
    if (failure !== null) {
      parts.push(Buffer.from(`data: ${errorBody(failure.error, admitted.requestId)}\n\n`));
    }
    if (admitted.wantsUsage && settled?.source === 'counted') {
      parts.push(Buffer.from(dataEvent(usageChunk(admitted, settled.usage))));
    }
    const last = this.meter.terminator ?? ownTerminator;
    return parts.length === 0 ? last : Buffer.concat([...parts, last]);
  }
}
