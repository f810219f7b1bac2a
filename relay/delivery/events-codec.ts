import type { StreamRecord, StreamText } from '../settlement/stream-text.ts';
import { type EventsGuard, eventsGuardFor } from './answer-guard.ts';
import { StreamOpening } from './opening.ts';
import type { ReplyHost } from './reply.ts';

/** What the codecs share whose events are passed on as they arrive. */
export abstract class EventsCodec {
  readonly contentType: string;
  readonly takesComments = true;
  protected readonly host: ReplyHost;
  protected readonly opening = new StreamOpening();
  protected readonly guard: EventsGuard | null;
  protected readonly record: StreamRecord;

  constructor(host: ReplyHost, contentType: string, record: StreamRecord) {
    this.host = host;
    this.contentType = contentType;
    this.record = record;
    this.guard = eventsGuardFor(host);
  }

  get hasContent(): boolean {
    return this.opening.hasContent;
  }

  get refusal(): Buffer | null {
    return this.opening.error;
  }

  get isBlocked(): boolean {
    return this.guard?.isOver === true;
  }

  text(): StreamText {
    return this.record.read();
  }

  produced(): string | number {
    return this.record.produced();
  }

  /** Finds the first content; events with output and without an error need not be parsed. */
  protected open(events: Buffer, hasOutput: boolean): void {
    if (hasOutput) this.opening.hasContent = true;
    else this.opening.read(events);
  }

  /** What waits for more text: none follows. */
  protected rest(): Buffer[] {
    return this.guard === null ? [] : [this.guard.rest()];
  }
}
