import type { JsonObject } from '../canonical.ts';
import type { ChatDialect } from '../chat-dialect.ts';
import { defined, isObject, objectAt, objectsAt, textAt } from '../json.ts';
import { refuseRequest } from '../refusal.ts';
import { thinkingBlocks } from './claude-proof.ts';

const inlinePart = (inline: JsonObject): JsonObject => {
  const mimeType = textAt(inline, 'mimeType');
  const data = textAt(inline, 'data');
  if (mimeType.startsWith('audio/')) {
    const format = mimeType.slice('audio/'.length).replace('mpeg', 'mp3').replace('x-wav', 'wav');
    return { type: 'input_audio', input_audio: { data, format } };
  }
  const url = `data:${mimeType};base64,${data}`;
  if (mimeType.startsWith('image/')) return { type: 'image_url', image_url: { url } };
  return { type: 'file', file: { filename: 'file', file_data: url } };
};

const filePart = (file: JsonObject): JsonObject => {
  const url = textAt(file, 'fileUri');
  const mimeType = textAt(file, 'mimeType');
  const isImage = mimeType === '' || mimeType.startsWith('image/');
  return isImage
    ? { type: 'image_url', image_url: { url } }
    : { type: 'file', file: { file_url: url } };
};

const contentPart = (part: JsonObject): JsonObject | null => {
  if (typeof part.text === 'string')
    return part.text === '' ? null : { type: 'text', text: part.text };
  const inline = objectAt(part, 'inlineData');
  if (Object.keys(inline).length > 0) return inlinePart(inline);
  const file = objectAt(part, 'fileData');
  if (Object.keys(file).length > 0) return filePart(file);
  return Object.keys(part).length === 0
    ? null
    : refuseRequest(`Parts of type ${Object.keys(part).join(', ')} cannot be sent to this model`);
};

const contentOf = (parts: readonly JsonObject[]): unknown => {
  const content = parts.map(contentPart).filter((part) => part !== null);
  const isPlain = content.every(({ type }) => type === 'text');
  return isPlain ? content.map((part) => textAt(part, 'text')).join('') : content;
};

/** Calls have no ids here: they get one, and results find theirs by name, in order. */
type Calls = { made: number; open: { id: string; name: string }[] };

const proof = (part: JsonObject, dialect: ChatDialect): JsonObject => {
  const signature = part.thoughtSignature ?? part.thought_signature;
  return dialect === 'gemini' && signature !== undefined
    ? { extra_content: { google: { thought_signature: signature } } }
    : {};
};

const callOf = (part: JsonObject, calls: Calls, dialect: ChatDialect): JsonObject => {
  const own = objectAt(part, 'functionCall');
  const id = textAt(own, 'id') || `call_${calls.made}`;
  const name = textAt(own, 'name');
  calls.made += 1;
  calls.open.push({ id, name });
  const called = { name, arguments: JSON.stringify(own.args ?? {}) };
  return { id, type: 'function', function: called, ...proof(part, dialect) };
};

const isCall = (part: JsonObject): boolean =>
  isObject(part.functionCall) || isObject(part.function_call);
const isResult = (part: JsonObject): boolean =>
  isObject(part.functionResponse) || isObject(part.function_response);
const isThought = (part: JsonObject): boolean => part.thought === true;

const resultOf = (part: JsonObject, calls: Calls): JsonObject => {
  const own = objectAt(part, 'functionResponse');
  const id = textAt(own, 'id');
  const at = calls.open.findIndex((call) => (id === '' ? call.name === own.name : call.id === id));
  const [known] = at === -1 ? [] : calls.open.splice(at, 1);
  const response = objectAt(own, 'response');
  const { content } = response;
  const isPlain = typeof content === 'string' && Object.keys(response).length === 1;
  return {
    role: 'tool',
    tool_call_id: known?.id ?? (id || `call_${String(own.name)}`),
    content: isPlain ? content : JSON.stringify(response),
  };
};

/** Reasoning goes back only to those who take it. */
const reasoningOf = (thoughts: readonly JsonObject[], dialect: ChatDialect): JsonObject => {
  const blocks = dialect === 'claude' ? thinkingBlocks(thoughts) : [];
  if (blocks.length > 0) return { thinking_blocks: blocks };
  const text = thoughts.map((part) => textAt(part, 'text')).join('');
  return dialect === 'compatible' && text !== '' ? { reasoning_content: text } : {};
};

const assistantMessage = (
  parts: readonly JsonObject[],
  calls: Calls,
  dialect: ChatDialect,
): JsonObject => {
  const thoughts = parts.filter(isThought);
  const spoken = parts.filter((part) => !isThought(part) && !isCall(part));
  const made = parts.filter(isCall).map((part) => callOf(part, calls, dialect));
  const content = contentOf(spoken);
  const signed = spoken.find((part) => part.thoughtSignature !== undefined);
  return defined({
    role: 'assistant',
    content: content === '' && made.length > 0 ? null : content,
    tool_calls: made.length === 0 ? undefined : made,
    ...reasoningOf(thoughts, dialect),
    ...(signed === undefined ? {} : proof(signed, dialect)),
  });
};

const userMessages = (parts: readonly JsonObject[], calls: Calls): readonly JsonObject[] => {
  const results = parts.filter(isResult).map((part) => resultOf(part, calls));
  const others = parts.filter((part) => !isResult(part));
  if (others.length === 0 && results.length > 0) return results;
  return [...results, { role: 'user', content: contentOf(others) }];
};

const partsOf = (content: JsonObject): readonly JsonObject[] => {
  const parts = objectsAt(content, 'parts');
  return isObject(content.parts) ? [content.parts] : parts;
};

/** The conversation, instructions first. @throws refusals */
export const messagesOf = (body: JsonObject, dialect: ChatDialect): readonly JsonObject[] => {
  const calls: Calls = { made: 0, open: [] };
  const system = objectAt(body, 'systemInstruction');
  const instruction = contentOf(partsOf(system));
  const contents = isObject(body.contents) ? [body.contents] : objectsAt(body, 'contents');
  const messages = contents.flatMap((content) =>
    content.role === 'model'
      ? [assistantMessage(partsOf(content), calls, dialect)]
      : userMessages(partsOf(content), calls),
  );
  return instruction === '' ? messages : [{ role: 'system', content: instruction }, ...messages];
};
