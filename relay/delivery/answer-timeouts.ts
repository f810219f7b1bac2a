import { type RelayErrorCode, relayError } from '../protocol/relay-errors.ts';
import type { UpstreamFailure } from '../upstream/types.ts';

const lf = 0x0a;

/** What one answer may take. */
export type AnswerBounds = Readonly<{
  /** From the call to the last byte. */
  maxMs: number;
  /** Read from upstream in all. */
  maxBytes: number;
  /** Without one finished line, however many bytes drip in. */
  idleMs: number;
}>;

export const defaultBounds = { maxMs: 3_600_000, maxBytes: 268_435_456 } as const;

/** A line may be as long as a picture; a drip slower than this is no line on its way. */
const minBytesWhileIdle = 65_536;

const broken = (code: RelayErrorCode): UpstreamFailure => ({
  kind: 'timeout',
  upstreamStatus: 0,
  error: relayError(code),
  retryable: false,
});

export const tooMuch: UpstreamFailure = {
  ...broken('upstream_answer_too_large'),
  kind: 'body',
};
const tooSlow = broken('upstream_timeout');

/** Limits of one answer: its duration, its bytes and its idle time. */
export class AnswerTimeouts {
  private readonly bounds: AnswerBounds;
  private bytes = 0;
  private ageMs = 0;
  private idleMs = 0;
  private idleBytes = 0;
  private quietMs = 0;

  constructor(bounds: AnswerBounds) {
    this.bounds = bounds;
  }

  /** false: the answer exceeds its maximum length. */
  took(chunk: Buffer): boolean {
    this.bytes += chunk.length;
    if (chunk[chunk.length - 1] === lf || chunk.includes(lf)) {
      this.idleMs = 0;
      this.idleBytes = 0;
    } else this.idleBytes += chunk.length;
    return this.bytes <= this.bounds.maxBytes;
  }

  /** The client was given something. */
  wrote(): void {
    this.quietMs = 0;
  }

  /** Waiting for a slow client does not count as idle. */
  onTick(ms: number, isHeldBack: boolean): UpstreamFailure | null {
    this.ageMs += ms;
    this.quietMs += ms;
    if (this.ageMs > this.bounds.maxMs) return tooSlow;
    if (isHeldBack || this.bytes === 0) return null;
    this.idleMs += ms;
    const isDrip = this.idleBytes < minBytesWhileIdle;
    return isDrip && this.idleMs > this.bounds.idleMs ? tooSlow : null;
  }

  /** Nothing has reached the client for that long: once for each interval. */
  isQuietFor(intervalMs: number): boolean {
    if (this.quietMs < intervalMs) return false;
    this.quietMs = 0;
    return true;
  }
}
