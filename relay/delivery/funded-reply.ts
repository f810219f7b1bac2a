import type { Funding } from '../settlement/funding.ts';
import type { UpstreamFailure } from '../upstream/types.ts';
import type { Reply } from './reply.ts';

/** What pays for an answer and what reads it. */
type Funded = Readonly<{
  funding: Pick<Funding, 'waiting' | 'coveredBytes' | 'exhausted'>;
  guarded: (work: () => void) => void;
  resumeUpstream: () => void;
}>;

/**
 * Passes a stream on only as far as it is funded: a long read is passed on in pieces, and what
 * arrives while a lease request is outstanding waits for its answer. What is left over without
 * quota is not delivered.
 */
class FundedReply implements Reply {
  private readonly funded: Funded;
  private readonly inner: Reply;
  readonly ping?: () => Buffer | null;
  private passed = 0;
  private waiting: Buffer[] = [];
  private isWaiting = false;
  private isOver = false;
  /** What arrived while the stream waited. */
  private ending: (() => void) | null = null;

  constructor(funded: Funded, inner: Reply) {
    this.funded = funded;
    this.inner = inner;
    if (inner.ping === undefined) return;
    // Not assigned as a literal (decision 0023, "Memory that a scavenge cannot free").
    const ping = (): Buffer | null => inner.ping?.() ?? null;
    this.ping = ping;
  }

  onData(chunk: Buffer): boolean {
    if (this.isOver) return true;
    if (!this.isWaiting) return this.pass(chunk);
    this.waiting.push(chunk);
    return false;
  }

  onEnd(): void {
    this.endWith(() => this.inner.onEnd());
  }

  onBroken(failure: UpstreamFailure): void {
    this.endWith(() => this.inner.onBroken(failure));
  }

  onDrained(): void {
    this.isOver = true;
    this.inner.onDrained();
  }

  private endWith(end: () => void): void {
    if (this.isOver) return;
    if (this.isWaiting) this.ending ??= end;
    else end();
  }

  /** Passes as much as is funded, piece by piece. */
  private pass(chunk: Buffer): boolean {
    const { funding } = this.funded;
    let goOn = true;
    let at = 0;
    while (at < chunk.length) {
      const end = Math.min(chunk.length, at + funding.coveredBytes(this.passed));
      const piece = end - at === chunk.length ? chunk : chunk.subarray(at, end);
      goOn = this.inner.onData(piece) && goOn;
      this.passed += piece.length;
      at = end;
      if (funding.waiting === null) continue;
      if (at < chunk.length) this.waiting.unshift(chunk.subarray(at));
      this.wait(funding.waiting);
      return false;
    }
    return goOn;
  }

  private wait(answer: Promise<void>): void {
    this.isWaiting = true;
    void answer.then(() => this.funded.guarded(() => this.goOn()));
  }

  private goOn(): void {
    this.isWaiting = false;
    if (this.isOver) return;
    if (this.funded.funding.exhausted) {
      this.isOver = true;
      this.waiting = [];
      this.inner.onUnfunded?.();
      return;
    }
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      this.pass(next);
      if (this.isWaiting) return;
    }
    if (this.ending !== null) this.ending();
    else this.funded.resumeUpstream();
  }
}

/** The reply itself where it is paid for as a whole. */
export const fundedReply = (funded: Funded, reply: Reply): Reply =>
  reply.onUnfunded === undefined ? reply : new FundedReply(funded, reply);
