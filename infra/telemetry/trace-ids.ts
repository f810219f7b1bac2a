import { hash } from 'node:crypto';
import type { RequestId } from '../../domain/shared/ids.ts';

/** Places of the spans of one call: they follow from its request id. */
export type TraceIds = Readonly<{
  traceId: string;
  /** Of the call at the relay. */
  callSpanId: string;
  /** Of its charge. */
  settlementSpanId: string;
}>;

/** A caller's own trace, 32 digits; `0`: the call is not sampled. Request ids hold no other dash. */
const mark = /-([0-9a-f]{32}|0)$/;

/** The trace of a request id; null where the call is not sampled. */
export const traceIdsOf = (requestId: RequestId): TraceIds | null => {
  const own = mark.exec(requestId)?.[1];
  return own === '0' ? null : spanIdsOf(requestId, own);
};

/** As above, whether it is sampled or not; in the trace of the caller where that is given. */
export const spanIdsOf = (requestId: RequestId, callersTraceId?: string): TraceIds => {
  const digest = hash('sha256', requestId, 'hex');
  return {
    traceId: callersTraceId ?? digest.slice(0, 32),
    callSpanId: digest.slice(32, 48),
    settlementSpanId: digest.slice(48, 64),
  };
};

/** The request id by which everyone finds the caller's trace, or sees that there is none. */
export const markedRequestId = (
  requestId: RequestId,
  { isSampled, traceId }: Readonly<{ isSampled: boolean; traceId: string | null }>,
): RequestId => {
  if (!isSampled) return `${requestId}-0`;
  return traceId === null ? requestId : `${requestId}-${traceId}`;
};

export type Traceparent = Readonly<{ traceId: string; spanId: string; isSampled: boolean }>;

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const zeros = /^0+$/;

/** https://www.w3.org/TR/trace-context/#traceparent-header; null where it is to be ignored. */
export const parseTraceparent = (header: string | undefined): Traceparent | null => {
  const [, version, traceId = '', spanId = '', flags = '', rest] = form.exec(header ?? '') ?? [];
  if (version === undefined || version === 'ff') return null;
  if (version === '00' && rest !== undefined) return null;
  if (zeros.test(traceId) || zeros.test(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
};

export const traceparentOf = ({ traceId, spanId, isSampled }: Traceparent): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
