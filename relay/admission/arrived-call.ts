import type { IncomingMessage } from 'node:http';
import type { RequestId } from '../../domain/shared/ids.ts';
import type { ArrivedCall } from '../../infra/ports/tracing.ts';

const maxPath = 256;

const pathOf = ({ url = '/' }: IncomingMessage): string =>
  (url.split('?', 1)[0] ?? '').slice(0, maxPath);

/** What the span of a request begins with. Only where a collector is configured. */
export const arrivedCall = (req: IncomingMessage, requestId: RequestId): ArrivedCall => {
  const { traceparent } = req.headers;
  return {
    requestId,
    method: req.method ?? 'GET',
    path: pathOf(req),
    traceparent: typeof traceparent === 'string' ? traceparent : undefined,
  };
};
