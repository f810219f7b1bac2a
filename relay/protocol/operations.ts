import type { MediaOperation, TextOperation } from './calls.ts';

const generating: ReadonlySet<TextOperation> = new Set(['chat', 'completions', 'responses']);

/** Do answers hold text that the model wrote, which is paid by the token? */
export const producesText = (operation: TextOperation): boolean => generating.has(operation);

const media: ReadonlySet<TextOperation> = new Set(['images', 'speech', 'transcription']);

/** Pictures or sound. */
export const isMedia = (operation: TextOperation): operation is MediaOperation =>
  media.has(operation);
