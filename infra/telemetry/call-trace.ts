import { type Attributes, SpanKind } from '@opentelemetry/api';
import type { RequestEnd } from '../../domain/account/events.ts';
import type { Usage } from '../../domain/pricing/types.ts';
import type { RequestId } from '../../domain/shared/ids.ts';
import type {
  ArrivedCall,
  CallTrace,
  ResponseTrace,
  SessionTrace,
  TracedAttempt,
} from '../ports/tracing.ts';
import { AttemptTrace } from './attempt-trace.ts';
import { now, type WriteSpan } from './spans.ts';
import { markedRequestId, parseTraceparent, spanIdsOf, traceparentOf } from './trace-ids.ts';

export type CallTraceSettings = Readonly<{
  write: WriteSpan;
  newSpanId: () => string;
  /** Whether a call is sampled whose caller does not decide it. */
  isSampled: (traceId: string) => boolean;
}>;

/** Place of the own span of a call or session. */
type OwnPlace = Readonly<{ traceId: string; spanId: string; parentSpanId: string | null }>;

/** Keeps the facts of a call until its spans are over; a call that is not sampled writes none. */
class SpanningCall implements CallTrace {
  readonly requestId: RequestId;
  protected readonly settings: CallTraceSettings;
  protected readonly place: OwnPlace;
  protected readonly isSampled: boolean;
  readonly #startMs = now();
  readonly #method: string;
  readonly #attributes: Attributes;
  #route: string | null = null;
  #attempt: AttemptTrace | null = null;

  /** `ownSpanId` null: the one that its request id names. */
  constructor(settings: CallTraceSettings, call: ArrivedCall, ownSpanId: string | null) {
    const parent = parseTraceparent(call.traceparent);
    const traceId = parent?.traceId ?? null;
    const own = spanIdsOf(call.requestId).traceId;
    this.settings = settings;
    this.isSampled = parent?.isSampled ?? settings.isSampled(own);
    this.requestId = markedRequestId(call.requestId, { isSampled: this.isSampled, traceId });
    const ids = spanIdsOf(this.requestId, traceId ?? undefined);
    const spanId = ownSpanId ?? ids.callSpanId;
    this.place = { traceId: ids.traceId, spanId, parentSpanId: parent?.spanId ?? null };
    this.#method = call.method;
    this.#attributes = {
      'http.request.method': call.method,
      'url.path': call.path,
      'tollgate.request.id': this.requestId,
    };
  }

  routed(route: string): void {
    this.#route = route;
  }

  dispatched(attempt: TracedAttempt): string {
    this.attemptEnded();
    const { traceId, spanId: parentSpanId } = this.place;
    const spanId = this.settings.newSpanId();
    const place = { traceId, spanId, parentSpanId };
    if (this.isSampled) this.#attempt = new AttemptTrace(this.settings.write, place, attempt);
    return traceparentOf({ traceId, spanId, isSampled: this.isSampled });
  }

  received(chunk: Uint8Array): void {
    this.#attempt?.received(chunk);
  }

  used(usage: Usage, end: RequestEnd): void {
    this.#attempt?.used(usage, end);
  }

  failed(failure: Readonly<{ kind: string; upstreamStatus: number }>): void {
    this.#attempt?.failed(failure);
  }

  attemptEnded(): void {
    this.#attempt?.attemptEnded();
    this.#attempt = null;
  }

  ended(status: number, errorType: string | null = status >= 500 ? String(status) : null): void {
    if (!this.isSampled) return;
    this.settings.write({
      ...this.place,
      name: this.#route === null ? this.#method : `${this.#method} ${this.#route}`,
      kind: SpanKind.SERVER,
      startMs: this.#startMs,
      endMs: now(),
      attributes: {
        ...this.#attributes,
        ...(this.#route === null ? {} : { 'http.route': this.#route }),
        'http.response.status_code': status,
        ...(errorType === null ? {} : { 'error.type': errorType }),
      },
      isError: errorType !== null,
    });
  }
}

/**
 * A session's first response has its request id: the span that this id names is that of the
 * response, below which its charge is placed, and the session has a separate span id.
 */
class SpanningSession extends SpanningCall implements SessionTrace {
  get traceparent(): string {
    const { traceId, spanId } = this.place;
    return traceparentOf({ traceId, spanId, isSampled: this.isSampled });
  }

  requestIdWithin(requestId: RequestId): RequestId {
    const { traceId } = this.place;
    return markedRequestId(requestId, { isSampled: this.isSampled, traceId });
  }

  responded(requestId: RequestId, attempt: TracedAttempt): ResponseTrace | null {
    if (!this.isSampled) return null;
    const { traceId, spanId: parentSpanId } = this.place;
    const { callSpanId: spanId } = spanIdsOf(requestId);
    return new AttemptTrace(this.settings.write, { traceId, spanId, parentSpanId }, attempt).noted({
      'tollgate.request.id': requestId,
    });
  }
}

export const beginCallTrace = (settings: CallTraceSettings, call: ArrivedCall): CallTrace =>
  new SpanningCall(settings, call, null);

export const beginSessionTrace = (settings: CallTraceSettings, call: ArrivedCall): SessionTrace =>
  new SpanningSession(settings, call, settings.newSpanId());
