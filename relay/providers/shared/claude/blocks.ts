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
import type { ToolNames } from '../tool-names.ts';

type Tools = Readonly<{ load: MediaLoader; names: ToolNames }>;

const cached = (from: JsonObject, block: JsonObject): JsonObject =>
  from.cache_control === undefined ? block : { ...block, cache_control: from.cache_control };

const fileBlock = async (source: string, title: string, load: MediaLoader): Promise<JsonObject> => {
  const { mimeType, data } = await load(source);
  if (mimeType.startsWith('image/')) {
    return { type: 'image', source: { type: 'base64', media_type: mimeType, data } };
  }
  const named = title === '' ? {} : { title };
  if (mimeType === 'application/pdf') {
    return { type: 'document', source: { type: 'base64', media_type: mimeType, data }, ...named };
  }
  if (mimeType.startsWith('text/')) {
    const text = Buffer.from(data, 'base64').toString('utf8');
    return {
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: text },
      ...named,
    };
  }
  return refuseRequest(`Files of type ${mimeType} cannot be sent to this model`);
};

const filePart = (file: JsonObject, load: MediaLoader): Promise<JsonObject> | JsonObject => {
  const source = textAt(file, 'file_data') || textAt(file, 'file_url');
  if (source !== '') return fileBlock(source, textAt(file, 'filename'), load);
  const id = textAt(file, 'file_id');
  return { type: 'document', source: { type: 'file', file_id: id } };
};

/** One part of a content list; null for an empty text, which the provider refuses. */
const partBlock = async (part: JsonObject, load: MediaLoader): Promise<JsonObject | null> => {
  if (part.type === 'text' || part.type === 'refusal') {
    const text = textAt(part, 'text') || textAt(part, 'refusal');
    return text === '' ? null : cached(part, { type: 'text', text });
  }
  if (part.type === 'image_url') {
    const url = isObject(part.image_url)
      ? textAt(part.image_url, 'url')
      : textAt(part, 'image_url');
    return cached(part, await fileBlock(url, '', load));
  }
  if (part.type === 'file') return cached(part, await filePart(objectAt(part, 'file'), load));
  if (part.type === 'input_audio') return refuseRequest('This model takes no audio');
  // Blocks of the provider's own go up as they are.
  return part;
};

/** Content as a list of blocks, in order. */
export const contentBlocks = async (
  content: unknown,
  load: MediaLoader,
): Promise<readonly JsonObject[]> => {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  if (!Array.isArray(content)) return [];
  const blocks = await Promise.all(content.filter(isObject).map((part) => partBlock(part, load)));
  return blocks.filter((block) => block !== null);
};

const proofOf = (detail: JsonObject, reasoning: string): JsonObject | null => {
  if (typeof detail.data === 'string') return { type: 'redacted_thinking', data: detail.data };
  if (typeof detail.signature !== 'string') return null;
  const thinking = typeof detail.text === 'string' && detail.text !== '' ? detail.text : reasoning;
  return { type: 'thinking', thinking, signature: detail.signature };
};

/** Pieces of one thought as streams send them: the text in parts, then the signature. */
const joined = (details: readonly JsonObject[]): readonly JsonObject[] => {
  const byIndex = new Map<unknown, JsonObject>();
  details.forEach((detail, at) => {
    const key = detail.index ?? at;
    const known = byIndex.get(key) ?? {};
    const text = textAt(known, 'text') + textAt(detail, 'text');
    byIndex.set(key, { ...known, ...detail, text });
  });
  return [...byIndex.values()];
};

/** Signed reasoning of an earlier turn; without its proof the provider refuses it. */
const thinkingBlocks = (message: JsonObject): readonly JsonObject[] => {
  const own = objectsAt(message, 'thinking_blocks');
  if (own.length > 0) return own;
  const reasoning = textAt(message, 'reasoning_content') || textAt(message, 'reasoning');
  return joined(objectsAt(message, 'reasoning_details'))
    .map((detail) => proofOf(detail, reasoning))
    .filter((block) => block !== null);
};

const toolUse = (call: JsonObject, names: ToolNames): JsonObject => {
  const { name, arguments: text } = objectAt(call, 'function');
  const args = typeof text === 'string' && text.trim() !== '' ? text : '{}';
  const input = parseObject(args) ?? refuseRequest('The arguments of a tool call are not JSON');
  return cached(call, { type: 'tool_use', id: call.id, name: names.up(String(name)), input });
};

export const assistantBlocks = async (
  message: JsonObject,
  { load, names }: Tools,
): Promise<readonly JsonObject[]> => [
  ...thinkingBlocks(message),
  ...objectsAt(message, 'provider_content').filter(({ type }) => typeof type === 'string'),
  ...(await contentBlocks(message.content ?? message.refusal, load)),
  ...objectsAt(message, 'tool_calls').map((call) => toolUse(call, names)),
];

/** A tool's answer; text stays text, lists become blocks. */
export const toolResult = async (message: JsonObject, { load }: Tools): Promise<JsonObject> => {
  const { content } = message;
  const isText = typeof content === 'string';
  return cached(
    message,
    defined({
      type: 'tool_result',
      tool_use_id: message.tool_call_id,
      content: isText ? content : await contentBlocks(content, load),
      is_error: message.is_error,
    }),
  );
};
