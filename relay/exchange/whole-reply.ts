import type { RequestEnd } from '../../domain/account/events.ts';
import { producedText } from '../metering/stream-text.ts';
import { lastUsage } from '../metering/usage-scan.ts';
import { producesText } from '../providers/shared/operations.ts';
import type { UpstreamFailure, Wire } from '../providers/types.ts';
import { nothing, type Produced, type Reply, type ReplyHost } from './reply.ts';

/** Up to here an answer is kept whole, so that a broken one can be retried; beyond, it passes on. */
const maxKeptBytes = 1_048_576;

const bytesPerToken = 4;

type Head = Readonly<{ status: number; contentType: string }>;

const parse = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
};

const isErrorAnswer = (answer: unknown): boolean =>
  typeof answer === 'object' &&
  answer !== null &&
  'error' in answer &&
  typeof answer.error === 'object' &&
  answer.error !== null;

/** An answer in one piece. Its usage stands near the end. */
export class WholeReply implements Reply, Produced {
  private readonly host: ReplyHost;
  private readonly head: Head;
  private readonly wire: Wire | undefined;
  private chunks: Buffer[] = [];
  private bytes = 0;
  /** Set once the answer is too long to be kept: the newest chunk, held back. */
  private held: Buffer | null = null;
  private ended = false;

  constructor(host: ReplyHost, head: Head, wire?: Wire) {
    this.host = host;
    this.head = head;
    this.wire = wire;
  }

  onData(chunk: Buffer): boolean {
    if (this.ended) return true;
    this.bytes += chunk.length;
    if (this.held !== null) return this.passOn(chunk);
    this.chunks.push(chunk);
    if (this.bytes <= maxKeptBytes) return true;
    const last = this.chunks.pop() ?? chunk;
    this.host.writeHead(this.head.status, ['Content-Type', this.head.contentType]);
    const goOn = this.host.write(Buffer.concat(this.chunks));
    this.chunks = [];
    this.held = last;
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

  /** The client is gone and the answer did not come in time: what was asked is billed. */
  onDrained(): void {
    if (this.ended) return;
    this.ended = true;
    this.host.stopUpstream();
    this.host.settle({ end: 'client-gone', reported: null, produced: nothing }, () => {});
  }

  /** The text of an answer that was passed on is gone by; its size is the only witness left. */
  produced(): string | number {
    if (this.held === null) {
      return (this.wire?.text ?? producedText)(parse(Buffer.concat(this.chunks)));
    }
    if (!producesText(this.host.admitted.call.operation)) return 0;
    return Math.ceil(this.bytes / bytesPerToken);
  }

  private passOn(chunk: Buffer): boolean {
    const before = this.held;
    this.held = chunk;
    return before === null || this.host.write(before);
  }

  private usageIn(bytes: Buffer): unknown {
    if (this.wire !== undefined) return this.wire.wholeUsage(bytes);
    const found = lastUsage(bytes);
    return found === null ? null : parse(bytes.subarray(found.start, found.end));
  }

  private endKept(): void {
    const [first] = this.chunks;
    const body = this.chunks.length === 1 && first ? first : Buffer.concat(this.chunks);
    const reported = this.host.usageOf(this.usageIn(body));
    if (reported === null && isErrorAnswer(parse(body))) {
      // "All is well" around an error: the caller gets an error, and nobody pays.
      this.host.failAttempt(this.host.failureOf(502, body));
      return;
    }
    const end = this.host.clientGone ? 'client-gone' : 'complete';
    this.host.settle({ end, reported, produced: this }, () => {
      this.host.writeHead(this.head.status, [
        'Content-Type',
        this.head.contentType,
        'Content-Length',
        String(body.length),
      ]);
      this.host.admitted.res.end(body);
    });
  }

  private endPassed(end: RequestEnd): void {
    const tail = this.held ?? Buffer.alloc(0);
    const reported = this.host.usageOf(this.usageIn(tail));
    this.host.settle({ end, reported, produced: this }, () => {
      if (end === 'upstream-broken') this.host.admitted.res.destroy();
      else this.host.end(tail);
    });
  }
}
