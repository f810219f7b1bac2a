import { errorText } from '../protocol/api-error.ts';
import { relayError } from '../protocol/relay-errors.ts';
import { createSseReader, type SseEvent } from '../providers/shared/sse.ts';

const tooLong = relayError('bad_response_body', 'The upstream sent an event without an end');

/**
 * Writes events of Gemini's protocol as the members of one list, for a caller who requested no
 * events.
 */
export class ListFraming {
  readonly contentType = 'application/json; charset=UTF-8';
  private readonly requestId: string;
  private readonly reader = createSseReader();
  private written = 0;
  private isBroken = false;

  constructor(requestId: string) {
    this.requestId = requestId;
  }

  events(bytes: Buffer): Buffer {
    return Buffer.from(this.listed(bytes));
  }

  end(bytes: Buffer): Buffer {
    const last = this.listed(bytes) + this.members(this.reader.end());
    const error = this.isBroken ? this.member(errorText(tooLong, this.requestId, 'gemini')) : '';
    return Buffer.from(`${last}${error}${this.written === 0 ? '[]' : ']'}`);
  }

  private listed(bytes: Buffer): string {
    if (this.isBroken) return '';
    const events = this.reader.push(bytes);
    this.isBroken = events === null;
    return this.members(events ?? []);
  }

  private members(events: readonly SseEvent[]): string {
    return events.map(({ data }) => this.member(data)).join('');
  }

  private member(json: string): string {
    this.written += 1;
    return `${this.written === 1 ? '[' : ',\r\n'}${json}`;
  }
}
