import { type Attributes, SpanKind } from '@opentelemetry/api';
import type { RequestEnd } from '../../domain/account/events.ts';
import type { Usage } from '../../domain/pricing/types.ts';
import type { CallTrace, TracedAttempt } from '../ports/tracing.ts';
import { attemptSpan, modelIn } from './gen-ai.ts';
import { now, type WriteSpan } from './spans.ts';

/** Including what was read from a cache: the convention counts it in. */
const inputTokensOf = ({ promptTokens, cachedTokens, cacheCreationTokens, cacheApart }: Usage) =>
  cacheApart === true ? promptTokens + cachedTokens + cacheCreationTokens : promptTokens;

/** Chunks of an answer that are searched for the name of its model. */
const searchedChunks = 4;

/** Place of a span in its trace. */
export type SpanPlace = Readonly<{ traceId: string; spanId: string; parentSpanId: string }>;

/** Keeps the facts of one request to a provider until its span is over. */
export class AttemptTrace
  implements Pick<CallTrace, 'received' | 'used' | 'failed' | 'attemptEnded'>
{
  readonly #write: WriteSpan;
  readonly #place: SpanPlace;
  readonly #name: string;
  readonly #attributes: Attributes;
  readonly #startMs = now();
  #chunks = 0;
  #hasFailed = false;

  constructor(write: WriteSpan, place: SpanPlace, attempt: TracedAttempt) {
    const { name, attributes } = attemptSpan(attempt);
    this.#write = write;
    this.#place = place;
    this.#name = name;
    this.#attributes = attributes;
  }

  /** Further facts of it. */
  noted(attributes: Attributes): this {
    Object.assign(this.#attributes, attributes);
    return this;
  }

  received(chunk: Uint8Array): void {
    if (this.#chunks >= searchedChunks) return;
    this.#chunks += 1;
    const model = modelIn(chunk);
    if (model === null) return;
    this.noted({ 'gen_ai.response.model': model });
    this.#chunks = searchedChunks;
  }

  used(usage: Usage, end: RequestEnd): void {
    this.noted({
      'gen_ai.usage.input_tokens': inputTokensOf(usage),
      'gen_ai.usage.output_tokens': usage.completionTokens,
    });
    if (end === 'upstream-broken') this.#fail(end);
  }

  failed({ kind, upstreamStatus }: Readonly<{ kind: string; upstreamStatus: number }>): void {
    this.#fail(upstreamStatus >= 400 ? String(upstreamStatus) : kind);
  }

  /** One of few: a status of HTTP, or what kept the provider from answering. */
  #fail(errorType: string): void {
    this.#hasFailed = true;
    this.noted({ 'error.type': errorType });
  }

  attemptEnded(): void {
    this.#write({
      ...this.#place,
      name: this.#name,
      kind: SpanKind.CLIENT,
      startMs: this.#startMs,
      endMs: now(),
      attributes: this.#attributes,
      isError: this.#hasFailed,
    });
  }
}
