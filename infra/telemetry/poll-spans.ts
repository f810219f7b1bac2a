import { SpanKind } from '@opentelemetry/api';
import type { TracedPoll } from '../ports/tracing.ts';
import { providerName } from './gen-ai.ts';
import { now, type WriteSpan } from './spans.ts';
import { traceIdsOf } from './trace-ids.ts';

/**
 * A poll of tasks, in the trace of the request that submitted each. Tasks that are polled together
 * have a span each, because each belongs to a separate trace.
 */
export const writePollSpans =
  (write: WriteSpan, newSpanId: () => string) =>
  ({ platform, channelType, channelId, tasks, hasFailed }: TracedPoll, startMs: number): void => {
    const endMs = now();
    for (const { requestId, status } of tasks) {
      const ids = traceIdsOf(requestId);
      if (ids === null) continue;
      write({
        name: `poll ${platform}`,
        kind: SpanKind.CLIENT,
        traceId: ids.traceId,
        spanId: newSpanId(),
        parentSpanId: ids.callSpanId,
        startMs,
        endMs,
        attributes: {
          'gen_ai.provider.name': providerName(channelType),
          'tollgate.channel.id': channelId,
          'tollgate.request.id': requestId,
          'tollgate.batch.size': tasks.length,
          ...(status === null ? {} : { 'tollgate.task.status': status }),
          ...(hasFailed ? { 'error.type': 'no_answer' } : {}),
        },
        isError: hasFailed,
      });
    }
  };
