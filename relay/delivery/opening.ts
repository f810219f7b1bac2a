import type { JsonObject } from '../protocol/canonical.ts';
import { isObject, objectAt, objectsAt, parseJson, textAt } from '../protocol/json.ts';
import { dataOf, firstEvent } from './sse-events.ts';

/** Events before the first content of an answer, in any protocol. */
const opening: ReadonlySet<unknown> = new Set([
  ...['ping', 'message_start', 'message-start'],
  ...['response.created', 'response.in_progress', 'response.queued'],
  ...['response.content_part.added', 'response.reasoning_summary_part.added'],
]);
const openedWithoutText: ReadonlySet<unknown> = new Set([
  'text',
  'thinking',
  'message',
  'reasoning',
]);

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || value === undefined || (Array.isArray(value) && !value.length);

const hasMore = (delta: JsonObject): boolean =>
  Object.entries(delta).some(([name, value]) => name !== 'role' && !isEmpty(value));

const choiceHolds = (choice: JsonObject): boolean =>
  typeof choice.finish_reason === 'string' ||
  textAt(choice, 'text') !== '' ||
  hasMore(objectAt(choice, isObject(choice.message) ? 'message' : 'delta'));

const candidateHolds = (candidate: JsonObject): boolean =>
  typeof candidate.finishReason === 'string' ||
  objectsAt(objectAt(candidate, 'content'), 'parts').some((part) =>
    Object.entries(part).some(([name, value]) => name !== 'thought' && !isEmpty(value)),
  );

/**
 * Whether an event holds a part of the answer: a ping, the start of a message or a role alone do not.
 */
export const holdsContent = (event: unknown): boolean => {
  if (!isObject(event)) return true;
  if (Array.isArray(event.choices)) return objectsAt(event, 'choices').some(choiceHolds);
  if (Array.isArray(event.candidates)) return objectsAt(event, 'candidates').some(candidateHolds);
  if (isObject(event.usageMetadata)) return isObject(event.promptFeedback);
  if (opening.has(event.type)) return false;
  const opened = event.content_block ?? event.item;
  if (event.type === 'content_block_start' || event.type === 'response.output_item.added') {
    return (
      !isObject(opened) || !openedWithoutText.has(opened.type) || textAt(opened, 'text') !== ''
    );
  }
  return true;
};

/** The error of an event, as the body of an error response has it; null: it is none. */
const errorIn = (event: unknown): string | null => {
  if (!isObject(event)) return null;
  if (event.type === 'response.failed') {
    return JSON.stringify({ error: objectAt(event, 'response').error ?? event });
  }
  const isError = event.type === 'error' || isObject(event.error) || textAt(event, 'error') !== '';
  return isError ? JSON.stringify(event) : null;
};

/** Reads the first events of a stream up to the first content, or to an error in place of it. */
export class StreamOpening {
  hasContent = false;
  error: Buffer | null = null;

  read(events: Buffer): void {
    let rest = events;
    while (rest.length > 0 && !this.hasContent && this.error === null) {
      const first = firstEvent(rest);
      this.readData(dataOf(first));
      rest = rest.subarray(first.length);
    }
  }

  private readData(data: string | null): void {
    if (data === null) return;
    const event = parseJson(data);
    const error = errorIn(event);
    if (error !== null) this.error = Buffer.from(error);
    else this.hasContent = holdsContent(event);
  }
}
