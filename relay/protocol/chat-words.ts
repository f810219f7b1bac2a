import { picturesIn } from './anthropic/reply.ts';
import type { JsonObject } from './canonical.ts';
import { textAt } from './json.ts';

/** The reasoning of a message, or of a delta of one. */
export const thoughtIn = (message: JsonObject): string =>
  textAt(message, 'reasoning_content') || textAt(message, 'reasoning');

/** The text of a message, or of a delta of one; pictures are included as links. */
export const wordsIn = (message: JsonObject): string =>
  (textAt(message, 'content') || textAt(message, 'refusal')) + picturesIn(message);
