import type { JsonObject } from '../canonical.ts';
import type { ChatDialect } from '../chat-dialect.ts';
import { defined, isObject, objectAt, objectsAt, textAt } from '../json.ts';
import { refuseRequest } from '../refusal.ts';

/** A document as text: its content, member by member. */
const documentText = (document: unknown): string => {
  if (!isObject(document)) return String(document);
  const data = document.data ?? document;
  return typeof data === 'string' ? data : JSON.stringify(data);
};

const partOf = (part: JsonObject): JsonObject => {
  if (part.type === 'text' || part.type === 'image_url') return part;
  if (part.type === 'document') return { type: 'text', text: documentText(part.document) };
  return refuseRequest(`Parts of type ${String(part.type)} cannot be sent to this model`);
};

const contentOf = (content: unknown): unknown => {
  if (!Array.isArray(content)) return content;
  const parts = content.filter(isObject).map(partOf);
  const isPlain = parts.every(({ type }) => type === 'text');
  return isPlain ? parts.map((part) => textAt(part, 'text')).join('\n') : parts;
};

/** What was thought before the answer, and what was planned before the calls. */
const thoughtOf = (message: JsonObject): string =>
  objectsAt(message, 'content')
    .map((part) => textAt(part, 'thinking'))
    .join('') + textAt(message, 'tool_plan');

const spokenParts = ({ content }: JsonObject): unknown =>
  Array.isArray(content)
    ? content.filter((part) => isObject(part) && part.type !== 'thinking')
    : content;

const assistantMessage = (message: JsonObject, dialect: ChatDialect): JsonObject => {
  const calls = objectsAt(message, 'tool_calls');
  const content = contentOf(spokenParts(message));
  const isSilent = content === undefined || content === null || content === '';
  const thought = dialect === 'compatible' ? thoughtOf(message) : '';
  return defined({
    role: 'assistant',
    content: isSilent && calls.length > 0 ? null : content,
    tool_calls: calls.length === 0 ? undefined : calls,
    reasoning_content: thought === '' ? undefined : thought,
  });
};

const messageOf = (message: JsonObject, dialect: ChatDialect): JsonObject => {
  if (message.role === 'assistant') return assistantMessage(message, dialect);
  const content = contentOf(message.content);
  if (message.role !== 'tool') return { role: message.role, content };
  return { role: 'tool', tool_call_id: message.tool_call_id, content };
};

/** Documents of a request where the model has none: they precede the conversation. */
const documentNote = (documents: unknown): readonly JsonObject[] => {
  if (!Array.isArray(documents) || documents.length === 0) return [];
  const texts = documents.map((own, at) => {
    const id = isObject(own) ? textAt(own, 'id') : '';
    return `[${id || `doc_${at}`}] ${documentText(own)}`;
  });
  return [{ role: 'system', content: `Documents:\n${texts.join('\n')}` }];
};

/** The conversation. @throws refusals */
export const messagesOf = (body: JsonObject, dialect: ChatDialect): readonly JsonObject[] => [
  ...documentNote(body.documents),
  ...objectsAt(body, 'messages').map((message) => messageOf(message, dialect)),
];

/** Tools are OpenAI's here. */
export const toolsOf = (body: JsonObject): readonly JsonObject[] =>
  objectsAt(body, 'tools').map((tool) =>
    body.strict_tools === true
      ? { ...tool, function: { ...objectAt(tool, 'function'), strict: true } }
      : tool,
  );
