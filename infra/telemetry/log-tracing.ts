import { SpanKind } from '@opentelemetry/api';
import type { LogTracing } from '../ports/tracing.ts';
import { now, type WriteSpan } from './spans.ts';
import { traceIdsOf } from './trace-ids.ts';

/**
 * The charge of a call and its projection, in the trace of the call. Calls that are settled or
 * shown together have a span each, because each belongs to a separate trace.
 */
export const createLogTracing = (write: WriteSpan, newSpanId: () => string): LogTracing => ({
  now,
  settled: (requests, startMs) => {
    const endMs = now();
    for (const requestId of requests) {
      const ids = traceIdsOf(requestId);
      if (ids === null) continue;
      write({
        name: 'settle',
        kind: SpanKind.CONSUMER,
        traceId: ids.traceId,
        spanId: ids.settlementSpanId,
        parentSpanId: ids.callSpanId,
        startMs,
        endMs,
        attributes: { 'tollgate.request.id': requestId, 'tollgate.batch.size': requests.length },
      });
    }
  },
  projected: (events, startMs) => {
    const endMs = now();
    for (const { event, position } of events) {
      if (event.type !== 'RequestCharged') continue;
      const { requestId } = (event.data as Readonly<{ call: { requestId: string } }>).call;
      const ids = traceIdsOf(requestId);
      if (ids === null) continue;
      write({
        name: 'project',
        kind: SpanKind.CONSUMER,
        traceId: ids.traceId,
        spanId: newSpanId(),
        parentSpanId: ids.settlementSpanId,
        startMs,
        endMs,
        attributes: {
          'tollgate.request.id': requestId,
          'tollgate.event.position': String(position),
          'tollgate.batch.size': events.length,
        },
      });
    }
  },
});
