import type { RequestEnd } from '../../domain/account/events.ts';
import { producesText } from '../protocol/operations.ts';
import { relayError } from '../protocol/relay-errors.ts';
import { lastUsage, tellsOfError } from '../protocol/usage-scan.ts';
import type { Wire } from '../providers/types.ts';
import { producedText, thoughtText } from '../settlement/stream-text.ts';
import type { UpstreamFailure } from '../upstream/types.ts';
import { type AnswerGuard, guardedAnswer, guardFor } from './answer-guard.ts';
import { tooMuch } from './answer-timeouts.ts';
import { nothing, type Produced, type Reply, type ReplyHost, type RunningAnswer } from './reply.ts';
import { textBytes } from './text-bytes.ts';

/** Up to here an answer is kept whole, so that a broken one can be retried; beyond, it passes on. */
const maxKeptBytes = 1_048_576;
/** An answer whose texts are searched is kept whole. */
const maxSearchedBytes = 67_108_864;

/** The end of a long answer, which contains its usage, however it was cut into reads. */
const tailBytes = 16_384;

/** Audio is played while it arrives: it must not wait until it is whole. */
const playedAtOnce = /^(?:audio|video)\//i;

const bytesPerToken = 4;

const notJson = {
  ...relayError('bad_response_body', 'The upstream answered with something else than JSON'),
  type: 'upstream_error',
};

type Head = Readonly<{ status: number; contentType: string }>;

const parse = (bytes: Buffer, start = 0, end = bytes.length): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8', start, end));
  } catch {
    return null;
  }
};

const isErrorAnswer = (answer: unknown): boolean => {
  if (typeof answer !== 'object' || answer === null || !('error' in answer)) return false;
  const { error } = answer;
  if (typeof error === 'string') return error !== '' && !('choices' in answer);
  return typeof error === 'object' && error !== null;
};

/** What these calls answer is JSON; a page of a web site or half an answer is none. */
const jsonOperations: ReadonlySet<string> = new Set([
  ...['chat', 'completions', 'embeddings', 'responses', 'moderations', 'rerank'],
]);
const jsonStart = /^\s*(?:[{[]|$)/;

/** An answer in one piece. Its usage is near the end. */
export class WholeReply implements Reply, Produced, RunningAnswer {
  private readonly host: ReplyHost;
  private readonly head: Head;
  private readonly wire: Wire | undefined;
  private readonly guard: AnswerGuard<Buffer> | null;
  private chunks: Buffer[] = [];
  private bytes = 0;
  /** Set once the answer is too long to be kept: its newest bytes, held back. */
  private held: Buffer[] | null = null;
  private heldBytes = 0;
  /** Of those that were passed on: what is no base64. */
  private passedText = 0;
  private ended = false;
  /** Set where a long answer is paid for while it arrives: nothing else limits it. */
  readonly onUnfunded?: () => void;
  private readonly maxKept: number;
  private readonly tailBytes: number;

  constructor(host: ReplyHost, head: Head, wire?: Wire) {
    this.host = host;
    const isPlayed = playedAtOnce.test(head.contentType);
    this.guard = guardFor(host);
    const maxKept = this.guard === null ? maxKeptBytes : maxSearchedBytes;
    this.maxKept = isPlayed ? 0 : maxKept;
    this.tailBytes = isPlayed ? 256 : tailBytes;
    this.head = head;
    this.wire = wire;
    if (host.outputLimit === null && producesText(host.admitted.call.operation)) {
      const cutOff = (): void => this.cutOff();
      this.onUnfunded = cutOff;
    }
  }

  onData(chunk: Buffer): boolean {
    if (this.ended) return true;
    this.bytes += chunk.length;
    if (this.held !== null) return this.passOn(chunk);
    this.chunks.push(chunk);
    if (this.bytes <= this.maxKept) return true;
    const [start] = this.chunks;
    if (this.isNoJson(start ?? chunk) || this.isTooLong()) return true;
    this.host.writeHead(this.head.status, this.head.contentType, []);
    const kept = this.chunks;
    this.chunks = [];
    this.held = [];
    let goOn = true;
    for (const piece of kept) goOn = this.passOn(piece) && goOn;
    return goOn;
  }

  onEnd(): void {
    if (this.ended) return;
    this.ended = true;
    if (this.held !== null) this.endPassed(this.host.clientGone ? 'client-gone' : 'complete');
    else this.endKept();
  }

  onBroken(failure: UpstreamFailure): void {
    if (this.ended) return;
    this.ended = true;
    if (this.held === null) this.host.failAttempt(failure);
    else this.endPassed('upstream-broken');
  }

  /** The client is gone and the answer did not arrive in time: the prompt is billed. */
  onDrained(): void {
    if (this.ended) return;
    this.ended = true;
    this.host.stopUpstream();
    this.host.settle({ end: 'client-gone', reported: null, produced: nothing }, () => {});
  }

  /** Of an answer that was passed on only the size of its text remains. */
  produced(): string | number {
    if (this.held === null) {
      return (this.wire?.text ?? producedText)(parse(Buffer.concat(this.chunks)));
    }
    if (!producesText(this.host.admitted.call.operation)) return 0;
    return Math.ceil(this.passedText / bytesPerToken);
  }

  soFar() {
    return { reported: null, produced: this };
  }

  roughTokens(): number {
    return this.bytes / 2;
  }

  maxTokens(): number {
    return this.bytes;
  }

  maxThoughtTokens(): number {
    if (this.held !== null) return 0;
    return Buffer.byteLength(thoughtText(parse(Buffer.concat(this.chunks))));
  }

  /** Everything but the newest bytes goes to the client. */
  private passOn(chunk: Buffer): boolean {
    const held = this.held ?? [];
    this.passedText += textBytes(chunk);
    const cut = Math.max(0, chunk.length - this.tailBytes);
    if (cut > 0) held.push(chunk.subarray(0, cut));
    held.push(chunk.subarray(cut));
    this.heldBytes += chunk.length;
    let goOn = true;
    for (let first = held[0]; first !== undefined; first = held[0]) {
      if (this.heldBytes - first.length < this.tailBytes) break;
      held.shift();
      this.heldBytes -= first.length;
      goOn = this.host.write(first) && goOn;
    }
    if (this.onUnfunded !== undefined) {
      this.host.cover(Math.ceil(this.passedText / bytesPerToken), this);
    }
    return goOn;
  }

  /** More is not funded: the caller has the beginning. */
  private cutOff(): void {
    if (this.ended) return;
    this.ended = true;
    this.host.stopUpstream();
    this.endPassed('cut-off');
  }

  /** Fails the attempt when its texts cannot be searched. */
  private isTooLong(): boolean {
    if (this.guard === null) return false;
    this.ended = true;
    this.host.stopUpstream();
    this.host.failAttempt(tooMuch);
    return true;
  }

  /** Fails the attempt when the response cannot be what was requested. */
  private isNoJson(start: Buffer): boolean {
    if (!jsonOperations.has(this.host.admitted.call.operation)) return false;
    if (jsonStart.test(start.toString('latin1', 0, 256))) return false;
    this.ended = true;
    this.host.stopUpstream();
    this.host.failAttempt(this.host.unusable(notJson));
    return true;
  }

  private usageIn(bytes: Buffer): unknown {
    if (this.wire !== undefined) return this.wire.wholeUsage(bytes);
    const found = lastUsage(bytes);
    return found === null ? null : parse(bytes, found.start, found.end);
  }

  private endKept(): void {
    const [first] = this.chunks;
    const body = this.chunks.length === 1 && first ? first : Buffer.concat(this.chunks);
    const reported = this.host.usageOf(this.usageIn(body));
    if (reported === null && this.isNoAnswer(body)) return;
    const end = this.host.clientGone ? 'client-gone' : 'complete';
    const redacted = tellsOfError(body) ? this.host.redactAnswer(body) : body;
    const allowed = this.guard === null ? redacted : guardedAnswer(this.guard, redacted);
    this.host.settle({ end, reported, produced: this }, () => {
      if (allowed === null) this.host.forbid();
      else this.send(this.host.masked(allowed));
    });
  }

  private send(body: Buffer): void {
    const length = ['Content-Length', String(body.length)];
    this.host.writeHead(this.head.status, this.head.contentType, length);
    this.host.admitted.res.end(body);
  }

  /** "All is well" around an error or nonsense: the caller gets an error and is not charged. */
  private isNoAnswer(body: Buffer): boolean {
    const answer = parse(body);
    const isJson = jsonOperations.has(this.host.admitted.call.operation);
    const isNonsense = isJson && (answer === null || typeof answer !== 'object');
    if (isNonsense) this.host.failAttempt(this.host.unusable(notJson));
    else if (isErrorAnswer(answer)) this.host.failAttempt(this.host.failureOf(502, body));
    else return false;
    return true;
  }

  private endPassed(end: RequestEnd): void {
    const tail = Buffer.concat(this.held ?? []);
    const reported = this.host.usageOf(this.usageIn(tail));
    this.host.settle({ end, reported, produced: this }, () => {
      if (end === 'upstream-broken' || end === 'cut-off') this.host.admitted.res.destroy();
      else this.host.end(tail);
    });
  }
}
