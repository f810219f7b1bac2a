import { gatewayError } from '../protocol/api-error.ts';
import { AnswerHeaders } from './answer-headers.ts';
import { IdleTimeout } from './idle-timeout.ts';
import type { UpstreamFailure } from './types.ts';

/** What a call tells the one who made it. After `onEnd` or `onFailure` nothing more comes. */
export type UpstreamListener = {
  onHead: (status: number, headers: AnswerHeaders) => void;
  /** false: wait until `resume`. */
  onData: (chunk: Buffer) => boolean;
  onEnd: () => void;
  onFailure: (failure: UpstreamFailure) => void;
};

export type Abort = (reason?: Error) => void;

/** As undici says it, which carries the calls through proxies. */
const timeouts = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** Says nothing of hosts and addresses, which are the operator's business. */
const failureOf = (error: Error): UpstreamFailure => {
  const code = 'code' in error ? String(error.code) : '';
  if (error instanceof IdleTimeout || timeouts.has(code)) {
    return {
      kind: 'timeout',
      upstreamStatus: 0,
      error: gatewayError(504, 'upstream_timeout', 'The upstream did not answer in time'),
      retryable: false,
    };
  }
  return {
    kind: 'connect',
    upstreamStatus: 0,
    error: gatewayError(500, 'do_request_failed', 'The request to the upstream address failed'),
    retryable: true,
  };
};

/**
 * One request to a provider, whatever carries it: our own connections, a websocket, or undici's
 * `dispatch`, whose handler this is.
 */
export class UpstreamCall {
  private readonly listener: UpstreamListener;
  private abortRequest: Abort | null = null;
  private resumeReading: (() => void) | null = null;
  private over = false;
  /** For the log: what went wrong, with the address that callers do not see. */
  lastError: Error | null = null;

  constructor(listener: UpstreamListener) {
    this.listener = listener;
  }

  /** Ends the call; the listener hears nothing more. */
  abort(): void {
    if (this.over) return;
    this.over = true;
    this.abortRequest?.(new Error('aborted by the relay'));
  }

  resume(): void {
    if (!this.over) this.resumeReading?.();
  }

  onConnect(abort: Abort): void {
    if (this.over) abort(new Error('aborted by the relay'));
    else this.abortRequest = abort;
  }

  onHead(status: number, headers: AnswerHeaders, resume: () => void): void {
    if (this.over) return;
    this.resumeReading = resume;
    this.listener.onHead(status, headers);
  }

  /** The head as undici says it: names and values in turn. */
  onHeaders(status: number, raw: Buffer[], resume: () => void): boolean {
    if (status >= 200) this.onHead(status, AnswerHeaders.of(raw), resume);
    return true;
  }

  onData(chunk: Buffer): boolean {
    return this.over || this.listener.onData(chunk);
  }

  onComplete(): void {
    if (this.over) return;
    this.over = true;
    this.listener.onEnd();
  }

  onError(error: Error): void {
    if (this.over) return;
    this.over = true;
    this.lastError = error;
    this.listener.onFailure(failureOf(error));
  }
}
