import type { CallTrace } from '../../infra/ports/tracing.ts';
import type { RelayRoute } from './routes.ts';

/** Paths that hold the name of a model or an id, as one pattern each. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/^\/(v1|v1beta)\/models\/[^/]+:([A-Za-z]+)$/, '/$1/models/{model}:$2'],
  [/^\/(v1|v1beta)\/models\/.+$/, '/$1/models/{model}'],
  [/^\/v1beta\/openai\/models\/.+$/, '/v1beta/openai/models/{model}'],
  [/^\/v1\/engines\/[^/]+\/embeddings$/, '/v1/engines/{model}/embeddings'],
  [/^\/v1\/responses\/[^/]+(\/input_items)?$/, '/v1/responses/{id}$1'],
  [/^\/v1\/conversations\/[^/]+\/items\/[^/]+$/, '/v1/conversations/{id}/items/{item}'],
  [/^\/v1\/conversations\/[^/]+(\/items)?$/, '/v1/conversations/{id}$1'],
];

const patternOf = (path: string): string => {
  for (const [form, pattern] of patterns) if (form.test(path)) return path.replace(form, pattern);
  return path;
};

/** Modes of drawings, ids and kinds of songs are the caller's own words. */
const taskPatternOf = (path: string): string =>
  path
    .replace(/^\/[^/]+(?=\/mj\/)/, '/{mode}')
    .replace(/(\/mj\/(?:task|image)\/)(?!list-by-condition$)[^/]+/, '$1{id}')
    .replace(/^(\/suno\/fetch\/)[^/]+$/, '$1{id}')
    .replace(/^(\/suno\/submit\/)[^/]+$/, '$1{action}')
    .replace(/^(\/v1\/(?:videos|files|(?:messages\/)?batches)\/)[^/]+/, '$1{id}')
    .replace(/^(\/v1beta\/cachedContents\/)[^/]+/, '$1{id}');

/** Paths that are not served have no pattern. */
export const noteRoute = (trace: CallTrace, route: RelayRoute, path: string): void => {
  if (route.kind === 'task' || route.kind === 'open-task') trace.routed(taskPatternOf(path));
  else if (route.kind !== 'unknown') trace.routed(patternOf(path));
};
