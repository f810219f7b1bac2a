import type { JsonObject } from '../canonical.ts';
import type { ChatDialect } from '../chat-dialect.ts';
import { defined, isObject, objectAt, objectsAt, textAt } from '../json.ts';
import { refuseRequest } from '../refusal.ts';
import { isOfClaude, provenTurn } from './google-proof.ts';

const cached = (block: JsonObject, part: JsonObject, dialect: ChatDialect): JsonObject =>
  dialect === 'claude' && block.cache_control !== undefined
    ? { ...part, cache_control: block.cache_control }
    : part;

const dataUrl = (source: JsonObject): string =>
  `data:${textAt(source, 'media_type')};base64,${textAt(source, 'data')}`;

const imagePart = (block: JsonObject): JsonObject => {
  const source = objectAt(block, 'source');
  const url = source.type === 'url' ? textAt(source, 'url') : dataUrl(source);
  return { type: 'image_url', image_url: { url } };
};

const documentPart = (block: JsonObject): JsonObject => {
  const source = objectAt(block, 'source');
  const filename = textAt(block, 'title') || undefined;
  if (source.type === 'text') return { type: 'text', text: textAt(source, 'data') };
  if (source.type === 'file') return { type: 'file', file: { file_id: source.file_id } };
  if (source.type === 'url') {
    return { type: 'file', file: defined({ filename, file_url: source.url }) };
  }
  return { type: 'file', file: { filename: filename ?? 'document', file_data: dataUrl(source) } };
};

/** One block as a part of OpenAI's content list. @throws a refusal for what only Claude reads */
const partOf = (block: JsonObject, dialect: ChatDialect): JsonObject => {
  switch (block.type) {
    case 'text':
      return cached(block, { type: 'text', text: textAt(block, 'text') }, dialect);
    case 'image':
      return cached(block, imagePart(block), dialect);
    case 'document':
      return dialect === 'claude' ? block : documentPart(block);
    default:
      return dialect === 'claude'
        ? block
        : refuseRequest(`Blocks of type ${String(block.type)} cannot be sent to this model`);
  }
};

const isText = ({ type }: JsonObject): boolean => type === 'text';

/** Plain texts become one text; anything more keeps its parts. */
const contentOf = (parts: readonly JsonObject[]): unknown => {
  const isPlain = parts.every((part) => isText(part) && part.cache_control === undefined);
  const [only] = parts;
  return isPlain && parts.length === 1 && only !== undefined ? only.text : parts;
};

const blocksOf = (content: unknown): readonly JsonObject[] => {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
};

/** Protocols that can report a failed tool; for others the text of the result does. */
const knowsErrors: ReadonlySet<ChatDialect> = new Set(['claude', 'gemini', 'converse']);

type Results = Readonly<{ messages: readonly JsonObject[]; pictures: readonly JsonObject[] }>;

/** Tool messages hold text only with most models: pictures follow in the user's turn. */
const toolMessages = (results: readonly JsonObject[], dialect: ChatDialect): Results => {
  const pictures: JsonObject[] = [];
  const messages = results.map((result) => {
    const parts = blocksOf(result.content).map((block) => partOf(block, dialect));
    const texts = parts.filter(isText).map((part) => textAt(part, 'text'));
    if (dialect !== 'claude') pictures.push(...parts.filter((part) => !isText(part)));
    return defined({
      role: 'tool',
      tool_call_id: result.tool_use_id,
      content: dialect === 'claude' ? contentOf(parts) : texts.join('\n'),
      is_error: knowsErrors.has(dialect) ? result.is_error : undefined,
      cache_control: dialect === 'claude' ? result.cache_control : undefined,
    });
  });
  return { messages, pictures };
};

const userMessages = (message: JsonObject, dialect: ChatDialect): readonly JsonObject[] => {
  const blocks = blocksOf(message.content);
  const results = blocks.filter(({ type }) => type === 'tool_result');
  const others = blocks.filter(({ type }) => type !== 'tool_result');
  const { messages, pictures } = toolMessages(results, dialect);
  const parts = [...pictures, ...others.map((block) => partOf(block, dialect))];
  if (parts.length === 0 && results.length > 0) return messages;
  return [...messages, { role: 'user', content: parts.length === 0 ? '' : contentOf(parts) }];
};

const callOf = (block: JsonObject): JsonObject => ({
  id: block.id,
  type: 'function',
  function: { name: block.name, arguments: JSON.stringify(block.input ?? {}) },
});

const isThinking = ({ type }: JsonObject): boolean =>
  type === 'thinking' || type === 'redacted_thinking';

/** Reasoning goes back only to those who take it. */
const reasoningOf = (blocks: readonly JsonObject[], dialect: ChatDialect): JsonObject => {
  const thoughts = blocks.filter(isThinking);
  const text = thoughts.map((block) => textAt(block, 'thinking')).join('');
  if (dialect === 'claude') {
    const own = thoughts.filter(isOfClaude);
    return own.length === 0 ? {} : { thinking_blocks: own };
  }
  return dialect === 'compatible' && text !== '' ? { reasoning_content: text } : {};
};

/** Blocks of the provider's own tools mean nothing to others. */
const isForeign = (block: JsonObject, dialect: ChatDialect): boolean =>
  dialect !== 'claude' && !isText(block);

const assistantMessage = (message: JsonObject, dialect: ChatDialect): JsonObject => {
  const blocks = blocksOf(message.content);
  const plainCalls = blocks.filter(({ type }) => type === 'tool_use').map(callOf);
  const { calls, message: proof } =
    dialect === 'gemini' ? provenTurn(blocks, plainCalls) : { calls: plainCalls, message: {} };
  const spoken = blocks
    .filter(
      (block) => !isThinking(block) && block.type !== 'tool_use' && !isForeign(block, dialect),
    )
    .map((block) => (dialect === 'claude' ? block : partOf(block, dialect)));
  const isPlain = spoken.every((part) => isText(part) && part.cache_control === undefined);
  const text = isPlain ? spoken.map((part) => textAt(part, 'text')).join('') : null;
  return defined({
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : (text ?? spoken),
    tool_calls: calls.length === 0 ? undefined : calls,
    ...reasoningOf(blocks, dialect),
    ...(text === '' ? {} : proof),
  });
};

const systemMessages = (system: unknown, dialect: ChatDialect): readonly JsonObject[] => {
  const blocks = blocksOf(system);
  if (blocks.length === 0 || system === '') return [];
  const parts = blocks.map((block) => partOf(block, dialect));
  const isPlain = parts.every((part) => isText(part) && part.cache_control === undefined);
  const text = parts.map((part) => textAt(part, 'text')).join('\n');
  return [{ role: 'system', content: isPlain ? text : parts }];
};

/** The whole conversation, instructions first, results before the user's text of the same turn. */
export const messagesOf = (body: JsonObject, dialect: ChatDialect): readonly JsonObject[] => [
  ...systemMessages(body.system, dialect),
  ...objectsAt(body, 'messages').flatMap((message) => {
    if (message.role === 'assistant') return [assistantMessage(message, dialect)];
    if (message.role === 'system') return systemMessages(message.content, dialect);
    return userMessages(message, dialect);
  }),
];
