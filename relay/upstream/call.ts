import { relayError } from '../protocol/relay-errors.ts';
import type { AnswerHeaders } from './answer-headers.ts';
import { BodyDecoder, decoderOf, isEncoded } from './body-decoder.ts';
import { IdleTimeout } from './idle-timeout.ts';
import { largeBytes, type ReadingTurns, type WaitingCall } from './reading-turns.ts';
import type { UpstreamFailure } from './types.ts';

/** Events of a call for its caller. After `onEnd` or `onFailure` there are no more. */
export type UpstreamListener = {
  /** The user whose calls share their turns of the event loop; absent: it waits for none. */
  readonly owner?: number;
  onHead: (status: number, headers: AnswerHeaders) => void;
  /** false: wait until `resume`. */
  onData: (chunk: Buffer) => boolean;
  onEnd: () => void;
  onFailure: (failure: UpstreamFailure) => void;
};

export type Abort = (reason?: Error) => void;

/** Codes of undici, which carries the calls through proxies. */
const timeouts = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** Contains no hosts and addresses, which are the operator's business. */
const failureOf = (error: Error): UpstreamFailure => {
  const code = 'code' in error ? String(error.code) : '';
  if (error instanceof IdleTimeout || timeouts.has(code)) {
    return {
      kind: 'timeout',
      upstreamStatus: 0,
      error: relayError('upstream_timeout'),
      retryable: false,
    };
  }
  return {
    kind: 'connect',
    upstreamStatus: 0,
    error: relayError('do_request_failed'),
    retryable: true,
  };
};

const encodingFailure = (message: string): UpstreamFailure => ({
  kind: 'body',
  upstreamStatus: 0,
  error: { ...relayError('bad_response_encoding', message), type: 'upstream_error' },
  retryable: true,
});

/** A longer one is no name of an encoding: it may hold anything. */
const codingName = /^[a-z][a-z0-9-]{1,15}$/i;
const unknownEncoding = (coding: string): UpstreamFailure => {
  const name = codingName.test(coding) ? coding : 'unknown';
  return encodingFailure(`The upstream answered in an encoding that cannot be read: ${name}`);
};
const brokenEncoding = encodingFailure('The compressed answer of the upstream cannot be read');

const isGood = (status: number): boolean => status >= 200 && status < 300;

/** One request to a provider over any transport: our own connections, a websocket, or a proxy by undici. */
export class UpstreamCall implements WaitingCall {
  private readonly listener: UpstreamListener;
  private readonly turns: ReadingTurns;
  private abortRequest: Abort | null = null;
  private resumeReading: (() => void) | null = null;
  private over = false;
  /** For an answer that is encoded although no encoding was accepted. */
  private decoder: BodyDecoder | null = null;
  /** What broke the call, while bytes from before it are still decoded. */
  private broken: Error | null = null;
  /** For the log: what went wrong, with the address that callers do not see. */
  lastError: Error | null = null;

  /** Pieces that wait for their turn, and what follows them; null: none does. */
  private late: Buffer[] | null = null;
  private isWaiting = false;
  private lateEnd: (() => void) | null = null;

  constructor(listener: UpstreamListener, turns: ReadingTurns) {
    this.listener = listener;
    this.turns = turns;
  }

  /** Ends the call; the listener gets nothing more. */
  abort(): void {
    if (this.over) return;
    this.over = true;
    this.stop();
  }

  resume(): void {
    if (this.over) return;
    if (this.late !== null) this.waitForTurn();
    else if (this.decoder !== null) this.decoder.resume();
    else this.resumeReading?.();
  }

  /** Hands a piece that had to wait to the listener. */
  takeTurn(): number {
    this.isWaiting = false;
    const piece = this.over ? undefined : this.late?.shift();
    if (piece === undefined) return 0;
    const goOn = this.listener.onData(piece);
    if (this.over) return piece.length;
    if (this.late?.length === 0) this.late = null;
    if (this.late === null && this.lateEnd !== null) this.lateEnd();
    else if (goOn) this.resume();
    return piece.length;
  }

  onConnect(abort: Abort): void {
    if (this.over) abort(new Error('aborted by the relay'));
    else this.abortRequest = abort;
  }

  onHead(status: number, headers: AnswerHeaders, resume: () => void): void {
    if (this.over) return;
    this.resumeReading = resume;
    const coding = headers.get('content-encoding');
    if (isEncoded(coding) && !this.decodes(status, coding)) return;
    this.listener.onHead(status, headers);
  }

  onData(chunk: Buffer): boolean {
    if (this.over) return true;
    return this.decoder === null ? this.deliver(chunk) : this.decoder.push(chunk);
  }

  onComplete(): void {
    if (this.over) return;
    if (this.decoder === null) this.succeed();
    else this.endDecoding(this.decoder);
  }

  onError(error: Error): void {
    if (this.over || this.broken !== null) return;
    this.abortRequest = null;
    if (this.decoder === null) this.fail(failureOf(error), error);
    else {
      this.broken = error;
      this.endDecoding(this.decoder);
    }
  }

  /** The connection may serve another call from now on. */
  private endDecoding(decoder: BodyDecoder): void {
    this.abortRequest = null;
    this.resumeReading = null;
    decoder.end();
  }

  /** false: the answer cannot be read. */
  private decodes(status: number, coding: string): boolean {
    const make = decoderOf(coding);
    if (make !== null) {
      this.decoder = new BodyDecoder(make, {
        onData: (chunk) => this.over || this.deliver(chunk),
        onEnd: () => this.decoded(null),
        onError: (error) => this.decoded(error),
        onDrain: () => this.resumeReading?.(),
      });
      return true;
    }
    // The status of a refusal counts for more than its words.
    if (!isGood(status)) return true;
    const failure = unknownEncoding(coding);
    this.fail(failure, new Error(failure.error.message));
    return false;
  }

  private decoded(error: Error | null): void {
    if (this.over) return;
    if (this.broken !== null) this.fail(failureOf(this.broken), this.broken);
    else if (error !== null) this.fail(brokenEncoding, error);
    else this.succeed();
  }

  private deliver(chunk: Buffer): boolean {
    const { owner } = this.listener;
    if (this.late === null) {
      const isShort = owner === undefined || chunk.length < largeBytes;
      if (isShort || this.turns.take(owner, chunk.length)) return this.listener.onData(chunk);
      this.late = [];
    }
    this.late.push(chunk);
    this.waitForTurn();
    return false;
  }

  private waitForTurn(): void {
    if (this.isWaiting) return;
    this.isWaiting = true;
    this.turns.wait(this.listener.owner ?? 0, this);
  }

  private succeed(): void {
    if (this.late !== null) {
      this.lateEnd = () => this.succeed();
      return;
    }
    this.over = true;
    this.listener.onEnd();
  }

  private fail(failure: UpstreamFailure, error: Error): void {
    if (this.late !== null) {
      this.lateEnd = () => this.fail(failure, error);
      return;
    }
    this.over = true;
    this.lastError = error;
    this.stop();
    this.listener.onFailure(failure);
  }

  private stop(): void {
    this.abortRequest?.(new Error('aborted by the relay'));
    this.decoder?.destroy();
  }
}
