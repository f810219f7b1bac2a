import { type Attributes, SpanKind } from '@opentelemetry/api';
import type { RequestEnd } from '../../domain/account/events.ts';
import type { Usage } from '../../domain/pricing/types.ts';
import type { RequestId } from '../../domain/shared/ids.ts';
import type { ArrivedCall, CallTrace, TracedAttempt } from '../ports/tracing.ts';
import { attemptSpan, modelIn } from './gen-ai.ts';
import { now, type WriteSpan } from './spans.ts';
import {
  markedRequestId,
  parseTraceparent,
  spanIdsOf,
  type TraceIds,
  traceparentOf,
} from './trace-ids.ts';

/** With what came from a cache: the convention counts it in. */
const inputTokensOf = ({ promptTokens, cachedTokens, cacheCreationTokens, cacheApart }: Usage) =>
  cacheApart === true ? promptTokens + cachedTokens + cacheCreationTokens : promptTokens;

/** Chunks of an answer that are searched for the name of its model. */
const searchedChunks = 4;

type Attempt = {
  readonly spanId: string;
  readonly startMs: number;
  readonly name: string;
  readonly attributes: Attributes;
  chunks: number;
  hasFailed: boolean;
};

export type CallTraceSettings = Readonly<{
  write: WriteSpan;
  newSpanId: () => string;
  /** Whether a call is sampled whose caller does not say so. */
  isSampled: (traceId: string) => boolean;
}>;

/** Keeps what is known of a call until its spans are over; a call that is not sampled writes none. */
class SpanningCall implements CallTrace {
  readonly requestId: RequestId;
  readonly #settings: CallTraceSettings;
  readonly #ids: TraceIds;
  readonly #parentSpanId: string | null;
  readonly #isSampled: boolean;
  readonly #startMs = now();
  readonly #method: string;
  readonly #attributes: Attributes;
  #route: string | null = null;
  #attempt: Attempt | null = null;

  constructor(settings: CallTraceSettings, call: ArrivedCall) {
    const parent = parseTraceparent(call.traceparent);
    const traceId = parent?.traceId ?? null;
    const own = spanIdsOf(call.requestId).traceId;
    this.#settings = settings;
    this.#isSampled = parent?.isSampled ?? settings.isSampled(own);
    this.requestId = markedRequestId(call.requestId, { isSampled: this.#isSampled, traceId });
    this.#ids = spanIdsOf(this.requestId, traceId ?? undefined);
    this.#parentSpanId = parent?.spanId ?? null;
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
    const spanId = this.#settings.newSpanId();
    if (this.#isSampled) {
      const span = attemptSpan(attempt);
      this.#attempt = { spanId, startMs: now(), ...span, chunks: 0, hasFailed: false };
    }
    return traceparentOf({ traceId: this.#ids.traceId, spanId, isSampled: this.#isSampled });
  }

  received(chunk: Uint8Array): void {
    const attempt = this.#attempt;
    if (attempt === null || attempt.chunks >= searchedChunks) return;
    attempt.chunks += 1;
    const model = modelIn(chunk);
    if (model === null) return;
    attempt.attributes['gen_ai.response.model'] = model;
    attempt.chunks = searchedChunks;
  }

  used(usage: Usage, end: RequestEnd): void {
    if (this.#attempt === null) return;
    this.#attempt.attributes['gen_ai.usage.input_tokens'] = inputTokensOf(usage);
    this.#attempt.attributes['gen_ai.usage.output_tokens'] = usage.completionTokens;
    if (end === 'upstream-broken') this.#fail(end);
  }

  failed({ kind, upstreamStatus }: Readonly<{ kind: string; upstreamStatus: number }>): void {
    this.#fail(upstreamStatus >= 400 ? String(upstreamStatus) : kind);
  }

  attemptEnded(): void {
    const attempt = this.#attempt;
    if (attempt === null) return;
    this.#attempt = null;
    this.#settings.write({
      name: attempt.name,
      kind: SpanKind.CLIENT,
      traceId: this.#ids.traceId,
      spanId: attempt.spanId,
      parentSpanId: this.#ids.callSpanId,
      startMs: attempt.startMs,
      endMs: now(),
      attributes: attempt.attributes,
      isError: attempt.hasFailed,
    });
  }

  /** One of few: a status of HTTP, or what kept the provider from answering. */
  #fail(errorType: string): void {
    if (this.#attempt === null) return;
    this.#attempt.hasFailed = true;
    this.#attempt.attributes['error.type'] = errorType;
  }

  ended(status: number): void {
    if (!this.#isSampled) return;
    const isError = status >= 500;
    this.#settings.write({
      name: this.#route === null ? this.#method : `${this.#method} ${this.#route}`,
      kind: SpanKind.SERVER,
      traceId: this.#ids.traceId,
      spanId: this.#ids.callSpanId,
      parentSpanId: this.#parentSpanId,
      startMs: this.#startMs,
      endMs: now(),
      attributes: {
        ...this.#attributes,
        ...(this.#route === null ? {} : { 'http.route': this.#route }),
        'http.response.status_code': status,
        ...(isError ? { 'error.type': String(status) } : {}),
      },
      isError,
    });
  }
}

export const beginCallTrace = (settings: CallTraceSettings, call: ArrivedCall): CallTrace =>
  new SpanningCall(settings, call);
