import type { RequestEnd } from '../../domain/account/events.ts';
import type { Usage } from '../../domain/pricing/types.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { RequestId } from '../../domain/shared/ids.ts';

/** A call as it arrives at a relay. */
export type ArrivedCall = Readonly<{
  requestId: RequestId;
  method: string;
  /** Without query, which may hold a key. */
  path: string;
  /** Of the caller, by W3C Trace Context. */
  traceparent: string | undefined;
}>;

/** A request to a provider. */
export type TracedAttempt = Readonly<{
  operation: string;
  protocol: string;
  /** The type of its channel. */
  channelType: number;
  channelId: number;
  /** As the provider's request names it. */
  model: string;
  /** Scheme, host and port. */
  origin: string;
}>;

/** The span of one call, and those of its attempts. Texts of people and keys never enter it. */
export interface CallTrace {
  /** The trace of the call from here on: settlement and projections attach their spans to it. */
  readonly requestId: RequestId;
  /** The path as a pattern, for paths that the relay serves. */
  routed(route: string): void;
  /** Begins the span of an attempt; the answer is the `traceparent` to send along. */
  dispatched(attempt: TracedAttempt): string;
  /** Bytes of the newest attempt's answer. */
  received(chunk: Uint8Array): void;
  /** What is charged, and how the answer ended. */
  used(usage: Usage, end: RequestEnd): void;
  /** The newest attempt failed; a status of 0: the provider gave none. */
  failed(failure: Readonly<{ kind: string; upstreamStatus: number }>): void;
  /** The newest attempt is over. */
  attemptEnded(): void;
  /**
   * The caller has its answer, or has left; `errorType` where the status does not show an error.
   */
  ended(status: number, errorType?: string): void;
}

/** The span of one response within a session, for which there is no request of HTTP. */
export type ResponseTrace = Pick<CallTrace, 'used' | 'failed' | 'attemptEnded'>;

/** The span of a websocket, from its upgrade to its end. */
export interface SessionTrace extends CallTrace {
  /** For requests that are made within it: they are of its trace, below its span. */
  readonly traceparent: string;
  /** The request id of a response within it. */
  requestIdWithin(requestId: RequestId): RequestId;
  /** Begins the span of a response; null: the session is not sampled. */
  responded(requestId: RequestId, attempt: TracedAttempt): ResponseTrace | null;
}

/** Tasks that were polled at a provider at once. */
export type TracedPoll = Readonly<{
  platform: string;
  channelType: number;
  channelId: number;
  /** By the request that submitted each; `status` null: the provider did not report it. */
  tasks: readonly Readonly<{ requestId: RequestId; status: string | null }>[];
  /** The provider did not answer. */
  hasFailed: boolean;
}>;

/** Of a relay. Where no collector is configured there is none of these. */
export interface RelayTracing {
  begin(call: ArrivedCall): CallTrace;
  beginSession(call: ArrivedCall): SessionTrace;
  /** Unix milliseconds, with fractions. */
  now(): number;
  /** A poll of tasks at providers, since then. */
  polled(poll: TracedPoll, sinceMs: number): void;
}

/** Of those who write and read the log. Times are Unix milliseconds, with fractions. */
export interface LogTracing {
  now(): number;
  /** The charges of these requests are in the log. */
  settled(requests: readonly RequestId[], sinceMs: number): void;
  /** What these events change is shown. */
  projected(events: readonly Recorded[], sinceMs: number): void;
}
