import type { JsonObject } from '../canonical.ts';
import { defined, isObject, textAt } from '../json.ts';
import { refuseRequest } from '../refusal.ts';

const imagePart = (part: JsonObject): JsonObject => {
  const url = textAt(part, 'image_url');
  if (url === '') return refuseRequest('Images by file_id cannot be sent to this model');
  const detail = part.detail === 'auto' ? undefined : (part.detail ?? undefined);
  return { type: 'image_url', image_url: defined({ url, detail }) };
};

const filePart = (part: JsonObject): JsonObject => ({
  type: 'file',
  file: defined({
    filename: part.filename ?? undefined,
    file_data: part.file_data ?? undefined,
    file_url: part.file_url ?? undefined,
    file_id: part.file_id ?? undefined,
  }),
});

const partOf = (part: JsonObject): JsonObject => {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { type: 'text', text: textAt(part, 'text') };
    case 'refusal':
      return { type: 'refusal', refusal: textAt(part, 'refusal') };
    case 'input_image':
      return imagePart(part);
    case 'input_file':
      return filePart(part);
    case 'input_audio':
      return { type: 'input_audio', input_audio: part.input_audio };
    default:
      return refuseRequest(`Parts of type ${String(part.type)} cannot be sent to this model`);
  }
};

/** Content as parts of a chat. @throws refusals */
export const partsOf = (content: unknown): readonly JsonObject[] => {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isObject).map(partOf) : [];
};

export const isText = ({ type }: JsonObject): boolean => type === 'text';

const isSpoken = ({ type }: JsonObject): boolean => type === 'text' || type === 'refusal';
const spokenText = (part: JsonObject): string => textAt(part, 'text') + textAt(part, 'refusal');

/** The text of an assistant's turn, as one string. */
export const spokenOf = (content: unknown): string =>
  partsOf(content).filter(isSpoken).map(spokenText).join('');

/** One text stays a text; anything more keeps its parts. */
export const contentOf = (parts: readonly JsonObject[]): unknown => {
  const [only] = parts;
  if (only === undefined) return '';
  return parts.length === 1 && isText(only) ? only.text : parts;
};
