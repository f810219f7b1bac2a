import type { TextOperation } from './calls.ts';

/** A drawing in XML may hold script. */
const picture = /^image\/(?![^;]*xml)[\w.+-]+(?:;|$)/i;
const film = /^(?:video\/[\w.+-]+|(?:application|binary)\/(?:octet-stream|binary))\s*(?:;|$)/i;
const sound = /^(?:audio\/[\w.+-]+|application\/octet-stream|text\/event-stream)\s*(?:;|$)/i;
const words =
  /^(?:application\/(?:json|x-ndjson|x-subrip)|text\/(?:event-stream|plain|vtt|srt))\s*(?:;|$)/i;
const json = /^(?:application\/(?:json|x-ndjson)|text\/event-stream)\s*(?:;|$)/i;

/** Types of most answers. */
const usual: ReadonlySet<string> = new Set([
  ...['application/json', 'application/json; charset=utf-8', 'application/json; charset=UTF-8'],
  ...['text/event-stream', 'text/event-stream; charset=utf-8'],
]);

export const isUsualType = (contentType: string): boolean => usual.has(contentType);

export const isPicture = (contentType: string): boolean => picture.test(contentType);

/** A film or its pictures. */
export const isFilm = (contentType: string): boolean =>
  film.test(contentType) || picture.test(contentType);

const allowed = (operation: TextOperation, contentType: string): boolean => {
  if (operation === 'speech') return sound.test(contentType) || json.test(contentType);
  if (operation === 'transcription') return words.test(contentType);
  return json.test(contentType) || (operation === 'images' && picture.test(contentType));
};

/** The type of an answer: a provider's own where the operation has such answers. */
export const answerType = (operation: TextOperation, contentType: string): string => {
  if (usual.has(contentType) || allowed(operation, contentType)) return contentType;
  return operation === 'speech' ? 'application/octet-stream' : 'application/json';
};
