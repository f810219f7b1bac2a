import type { JsonObject } from '../protocol/canonical.ts';
import { defined, isObject, objectsAt, textAt } from '../protocol/json.ts';

const sourceOf = (url: string, title: unknown): JsonObject => ({
  type: 'url_citation',
  url_citation: defined({ url, title: typeof title === 'string' ? title : undefined }),
});

/** Sources that some providers list outside of the choices. */
const sourcesOf = (answer: JsonObject): readonly JsonObject[] => {
  const results = objectsAt(answer, 'search_results').filter((own) => textAt(own, 'url') !== '');
  if (results.length > 0) return results.map((own) => sourceOf(textAt(own, 'url'), own.title));
  const urls = Array.isArray(answer.citations) ? answer.citations : [];
  return urls.filter((url) => typeof url === 'string').map((url) => sourceOf(url, undefined));
};

const annotated = (choice: JsonObject, sources: readonly JsonObject[]): JsonObject => {
  const member = isObject(choice.message) ? 'message' : 'delta';
  const own = isObject(choice[member]) ? choice[member] : {};
  if (objectsAt(own, 'annotations').length > 0) return choice;
  return { ...choice, [member]: { ...own, annotations: sources } };
};

const withSources = (answer: JsonObject, sources: readonly JsonObject[]): JsonObject => {
  const [first = { index: 0 }, ...others] = objectsAt(answer, 'choices');
  return { ...answer, choices: [annotated(first, sources), ...others] };
};

/** A whole answer whose sources are annotations of its message. */
export const withListedSources = (answer: JsonObject): JsonObject => {
  const sources = sourcesOf(answer);
  return sources.length === 0 ? answer : withSources(answer, sources);
};

const isLast = ({ finish_reason: finish }: JsonObject): boolean => typeof finish === 'string';

/** The same of a stream, whose chunks may all list them: they are listed once, with the last one. */
export const listedSources = (): ((chunk: JsonObject) => JsonObject) => {
  let isListed = false;
  let hasEnded = false;
  let known: readonly JsonObject[] = [];
  return (chunk) => {
    const own = sourcesOf(chunk);
    if (own.length > 0) known = own;
    hasEnded ||= objectsAt(chunk, 'choices').some(isLast);
    if (isListed || !hasEnded || known.length === 0) return chunk;
    isListed = true;
    return withSources(chunk, known);
  };
};
