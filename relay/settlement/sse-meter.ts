import { OutputScan, outputMembers } from '../protocol/output-scan.ts';
import { hasNoChoices, nextReport } from '../protocol/usage-scan.ts';
import { firstEventEnd, wholeEventsEnd } from './event-terminator.ts';

const lf = 0x0a;
const cr = 0x0d;
const done = Buffer.from('[DONE]');
const dataField = Buffer.from('data:');
const empty = Buffer.alloc(0);

/** A longer unfinished event is passed on as it arrives: no usage report is that long. */
const maxHeldBytes = 65_536;
/** Of a stream whose texts are searched. */
const maxSearchedBytes = 4_194_304;
const longTailBytes = 4_096;

/** Where answers hold what they produce. */
const chatMembers = outputMembers('content', 'reasoning_content', 'reasoning', 'arguments');
const completionMembers = outputMembers('text');

const countEvents = (events: Buffer): number => {
  let count = 0;
  let at = events.indexOf(dataField);
  while (at !== -1) {
    count += 1;
    at = events.indexOf(dataField, at + dataField.length);
  }
  return Math.max(count, 1);
};

/** Start of the event around `at`. */
const eventStart = (bytes: Buffer, at: number): number => wholeEventsEnd(bytes.subarray(0, at));

/** End of the event that starts at `start`. */
const eventEnd = (events: Buffer, start: number): number => {
  const length = firstEventEnd(events.subarray(start));
  return length === -1 ? events.length : start + length;
};

/** Where the closing `data: [DONE]` begins when whole events end with it; -1: they do not. */
const doneStart = (events: Buffer): number => {
  let at = events.length - 1;
  while (at >= 0 && (events[at] === lf || events[at] === cr || events[at] === 0x20)) at -= 1;
  if (at < 5 || events[at] !== 0x5d) return -1;
  const start = at - 5;
  if (events.compare(done, 0, 6, start, at + 1) !== 0) return -1;
  const field = events.lastIndexOf(dataField, start);
  return field === -1 ? start : field;
};

type MeterOptions = Readonly<{ isCompletion?: boolean; isSearched?: boolean }>;

/**
 * Reads a stream of OpenAI events as it passes: whole events are passed on at once, an unfinished
 * one waits for its end (a client cannot use it earlier), `[DONE]` is kept back until the request
 * is booked, and a usage report that the client did not request is removed.
 */
export class SseMeter {
  private readonly withholdUsage: boolean;
  private readonly maxHeldBytes: number;
  private readonly scan: OutputScan;
  private carry: Buffer = empty;
  private inLongEvent = false;
  private longTail: Buffer = empty;
  /** JSON of the newest usage object. */
  usage: Buffer | null = null;
  /** The terminator once it arrived; nothing counts after it. */
  terminator: Buffer | null = null;
  /** The provider reported an error. */
  tellsError = false;
  private events = 0;
  private bytes = 0;
  /** The shortest event so far: about the size of an event without its text. */
  private shortest = 0;

  constructor(
    withholdUsage: boolean,
    { isCompletion = false, isSearched = false }: MeterOptions = {},
  ) {
    this.withholdUsage = withholdUsage;
    this.maxHeldBytes = isSearched ? maxSearchedBytes : maxHeldBytes;
    this.scan = new OutputScan(isCompletion ? completionMembers : chatMembers);
  }

  /** What may go to the client now; empty when nothing may. */
  push(chunk: Buffer): Buffer {
    if (this.terminator !== null) return empty;
    if (this.inLongEvent) return this.passLongEvent(chunk);
    const bytes = this.carry.length === 0 ? chunk : Buffer.concat([this.carry, chunk]);
    const end = wholeEventsEnd(bytes);
    this.carry = end === bytes.length ? empty : bytes.subarray(end);
    if (this.carry.length > this.maxHeldBytes) {
      const events = end === 0 ? empty : this.read(bytes.subarray(0, end));
      const begun = this.carry;
      this.carry = empty;
      this.inLongEvent = true;
      this.longTail = begun.subarray(-longTailBytes);
      this.passed(begun);
      return events.length === 0 ? begun : Buffer.concat([events, begun]);
    }
    return end === 0 ? empty : this.read(end === bytes.length ? bytes : bytes.subarray(0, end));
  }

  /** About how many tokens were produced. Guides reservations; bills never rest on it. */
  producedTokens(): number {
    return Math.ceil(this.scan.tokens);
  }

  /** Bytes beyond what an empty event takes. */
  producedBytes(): number {
    return Math.ceil(this.bytes - this.events * this.shortest);
  }

  /** A piece of an event too long to be held has been passed on. */
  get isWithinEvent(): boolean {
    return this.inLongEvent;
  }

  /** What an upstream left unfinished at its end, read as if it were whole. */
  flush(): Buffer {
    const rest = this.carry;
    this.carry = empty;
    if (rest.length === 0 || this.terminator !== null) return empty;
    return this.read(Buffer.concat([rest, Buffer.from('\n\n')]));
  }

  private passLongEvent(chunk: Buffer): Buffer {
    const end = firstEventEnd(Buffer.concat([this.longTail.subarray(-2), chunk]));
    const cut = end === -1 ? -1 : end - Math.min(this.longTail.length, 2);
    const own = cut === -1 ? chunk : chunk.subarray(0, cut);
    this.passed(own);
    this.longTail = Buffer.concat([this.longTail, own]).subarray(-longTailBytes);
    if (cut === -1) return own;
    this.inLongEvent = false;
    this.findUsage(this.longTail);
    this.longTail = empty;
    const rest = this.push(chunk.subarray(cut));
    return rest.length === 0 ? own : Buffer.concat([own, rest]);
  }

  /** A piece of an event too long to be held. */
  private passed(piece: Buffer): void {
    this.bytes += piece.length;
    this.scan.addPiece(piece.length);
  }

  private read(whole: Buffer): Buffer {
    const terminatorAt = doneStart(whole);
    const body = terminatorAt === -1 ? whole : whole.subarray(0, terminatorAt);
    if (terminatorAt !== -1) this.terminator = whole.subarray(terminatorAt);
    if (body.length === 0) return body;
    // A piece hardly longer than the shortest event is one event.
    const events = body.length < 2 * this.shortest ? 1 : countEvents(body);
    this.events += events;
    this.bytes += body.length;
    this.scan.add(body);
    const each = body.length / events;
    if (this.shortest === 0 || each < this.shortest) this.shortest = each;
    return this.findUsage(body);
  }

  /** Notes usage; gives back the events without those that are to be withheld. */
  private findUsage(events: Buffer): Buffer {
    let found = nextReport(events, 0);
    if (found === null) return events;
    const kept: Buffer[] = [];
    let at = 0;
    while (found !== null) {
      if (found.isError) {
        this.tellsError = true;
        found = nextReport(events, found.end);
        continue;
      }
      this.usage = events.subarray(found.start, found.end);
      if (this.withholdUsage && !this.inLongEvent) {
        const start = eventStart(events, found.key);
        const end = eventEnd(events, start);
        if (start >= at && hasNoChoices(events.subarray(start, end))) {
          kept.push(events.subarray(at, start));
          at = end;
        }
      }
      found = nextReport(events, found.end);
    }
    if (at === 0) return events;
    kept.push(events.subarray(at));
    return Buffer.concat(kept);
  }
}
