import type { JsonObject } from '../../../protocol/canonical.ts';
import {
  defined,
  isObject,
  objectAt,
  objectsAt,
  parseObject,
  textAt,
} from '../../../protocol/json.ts';
import { refuseRequest } from '../../../protocol/refusal.ts';
import type { MediaLoader } from '../media.ts';
import { contentText } from '../openai-chunks.ts';
import type { ToolNames } from '../tool-names.ts';

export type PartTools = Readonly<{ load: MediaLoader; names: ToolNames }>;

/** More would be refused upstream. */
const maxImages = 16;

const textPart = (text: string): readonly JsonObject[] => (text === '' ? [] : [{ text }]);

const isOwnUri = (url: string): boolean =>
  url.startsWith('gs://') ||
  /^https:\/\/(www\.)?(youtube\.com|youtu\.be|generativelanguage\.googleapis\.com)\//.test(url);

/** The provider fetches its own storage and videos by itself. */
const mediaPart = async (url: string, load: MediaLoader): Promise<JsonObject> => {
  if (isOwnUri(url)) return { fileData: { fileUri: url } };
  const { mimeType, data } = await load(url);
  return { inlineData: { mimeType, data } };
};

const audioPart = (audio: JsonObject): JsonObject => ({
  inlineData: {
    mimeType: `audio/${textAt(audio, 'format') || 'wav'}`,
    data: textAt(audio, 'data').replace(/^data:[^,]*,/, ''),
  },
});

const filePart = (file: JsonObject, load: MediaLoader): Promise<JsonObject> => {
  const source = textAt(file, 'file_data') || textAt(file, 'file_url');
  return source === ''
    ? refuseRequest('Files must be sent with their data; ids of files are unknown to this model')
    : mediaPart(source, load);
};

const partsOf = async (part: JsonObject, load: MediaLoader): Promise<readonly JsonObject[]> => {
  switch (part.type) {
    case 'text':
      return textPart(textAt(part, 'text'));
    case 'refusal':
      return textPart(textAt(part, 'refusal'));
    case 'image_url': {
      const own = part.image_url;
      return [
        await mediaPart(isObject(own) ? textAt(own, 'url') : textAt(part, 'image_url'), load),
      ];
    }
    case 'video_url':
      return [await mediaPart(textAt(objectAt(part, 'video_url'), 'url'), load)];
    case 'file':
      return [await filePart(objectAt(part, 'file'), load)];
    case 'input_audio':
      return [audioPart(objectAt(part, 'input_audio'))];
    default:
      // Parts of the provider's own go up as they are.
      return [part];
  }
};

/** Content as a list of parts, in order and without empty texts. */
export const contentParts = async (
  content: unknown,
  load: MediaLoader,
): Promise<readonly JsonObject[]> => {
  if (typeof content === 'string') return textPart(content);
  if (!Array.isArray(content)) return [];
  const own = content.filter(isObject);
  if (own.filter(({ type }) => type === 'image_url').length > maxImages) {
    return refuseRequest(`A message can have ${maxImages} images at most`);
  }
  return (await Promise.all(own.map((part) => partsOf(part, load)))).flat();
};

/** The signature of a thought that the provider requires back with a call. */
const signatureOf = (call: JsonObject): unknown =>
  objectAt(objectAt(call, 'extra_content'), 'google').thought_signature ??
  objectAt(call, 'function').thought_signature;

const callPart = (call: JsonObject, names: ToolNames): JsonObject => {
  const own = objectAt(call, 'function');
  const text = textAt(own, 'arguments');
  const args =
    text.trim() === ''
      ? {}
      : (parseObject(text) ?? refuseRequest('The arguments of a tool call are not JSON'));
  return defined({
    functionCall: { name: names.up(textAt(own, 'name')), args },
    thoughtSignature: signatureOf(call),
  });
};

export const assistantParts = async (
  message: JsonObject,
  { load, names }: PartTools,
): Promise<readonly JsonObject[]> => {
  const parts = await contentParts(message.content ?? message.refusal, load);
  const proof = objectAt(objectAt(message, 'extra_content'), 'google').thought_signature;
  const last = parts.at(-1);
  const proven =
    proof === undefined || last === undefined
      ? parts
      : [...parts.slice(0, -1), { ...last, thoughtSignature: proof }];
  return [...proven, ...objectsAt(message, 'tool_calls').map((call) => callPart(call, names))];
};

/** A tool's answer; an object goes as it is, everything else as its content, failures as such. */
export const resultPart = (message: JsonObject, name: string, { names }: PartTools): JsonObject => {
  const text = contentText(message.content, '\n');
  const isError = message.is_error === true;
  const response = isError ? { error: text } : (parseObject(text) ?? { content: text });
  return { functionResponse: { name: names.up(name), response } };
};
