import type { IncomingMessage } from 'node:http';
import type { RequestId } from '../../domain/shared/ids.ts';
import type { CallTrace, RelayTracing } from '../../infra/ports/tracing.ts';
import type { RelayRoute } from './routes.ts';

const maxPath = 256;

const pathOf = ({ url = '/' }: IncomingMessage): string =>
  (url.split('?', 1)[0] ?? '').slice(0, maxPath);

/** Only where a collector is configured. */
export const beginTrace = (
  tracing: RelayTracing,
  req: IncomingMessage,
  requestId: RequestId,
): CallTrace => {
  const { traceparent } = req.headers;
  return tracing.begin({
    requestId,
    method: req.method ?? 'GET',
    path: pathOf(req),
    traceparent: typeof traceparent === 'string' ? traceparent : undefined,
  });
};

/** Paths that hold the name of a model or an id, as one pattern each. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/^\/(v1|v1beta)\/models\/[^/]+:([A-Za-z]+)$/, '/$1/models/{model}:$2'],
  [/^\/(v1|v1beta)\/models\/.+$/, '/$1/models/{model}'],
  [/^\/v1beta\/openai\/models\/.+$/, '/v1beta/openai/models/{model}'],
  [/^\/v1\/engines\/[^/]+\/embeddings$/, '/v1/engines/{model}/embeddings'],
  [/^\/v1\/responses\/[^/]+(\/input_items)?$/, '/v1/responses/{id}$1'],
];

const patternOf = (path: string): string => {
  for (const [form, pattern] of patterns) if (form.test(path)) return path.replace(form, pattern);
  return path;
};

/** Paths that are not served, and those of tasks, have no pattern. */
export const noteRoute = (trace: CallTrace, route: RelayRoute, path: string): void => {
  if (route.kind !== 'unknown' && route.kind !== 'task') trace.routed(patternOf(path));
};
