import type { JsonObject } from '../canonical.ts';
import type { ChatDialect } from '../chat-dialect.ts';
import { defined, isObject, objectAt, objectsAt, textAt } from '../json.ts';

/** How bytes of pictures begin in base64: this protocol sends them without a name. */
const beginnings: readonly (readonly [string, string])[] = [
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
];

const pictureOf = (data: string): JsonObject => {
  const [, type = 'image/png'] = beginnings.find(([start]) => data.startsWith(start)) ?? [];
  return { type: 'image_url', image_url: { url: `data:${type};base64,${data}` } };
};

/** A text with its pictures. */
const contentOf = (text: string, images: unknown): unknown => {
  const pictures = (Array.isArray(images) ? images : []).map((data) => pictureOf(String(data)));
  if (pictures.length === 0) return text;
  return text === '' ? pictures : [{ type: 'text', text }, ...pictures];
};

/** Calls have no ids here, or ids that results do not repeat: results find theirs by name, in order. */
type Calls = { made: number; open: { id: string; name: string }[] };

const callOf = (call: JsonObject, calls: Calls): JsonObject => {
  const own = objectAt(call, 'function');
  const name = textAt(own, 'name');
  const id = textAt(call, 'id') || `call_${calls.made}`;
  calls.made += 1;
  calls.open.push({ id, name });
  return { id, type: 'function', function: { name, arguments: argumentsOf(own.arguments) } };
};

const argumentsOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(isObject(value) ? value : {});

const resultOf = (message: JsonObject, calls: Calls, isOwn: boolean): JsonObject => {
  const named = textAt(message, 'tool_name') || textAt(message, 'name');
  const given = textAt(message, 'tool_call_id');
  const byId = calls.open.findIndex(({ id }) => id === given);
  const byName = calls.open.findIndex(({ name }) => name === named);
  const at = [byId, byName, 0].find((place) => place >= 0) ?? 0;
  const [known] = calls.open.splice(at, 1);
  return defined({
    role: 'tool',
    tool_call_id: known?.id ?? (given || `call_${named}`),
    name: isOwn ? named || known?.name : undefined,
    content: textAt(message, 'content'),
  });
};

const assistantMessage = (message: JsonObject, calls: Calls, dialect: ChatDialect): JsonObject => {
  const made = objectsAt(message, 'tool_calls').map((call) => callOf(call, calls));
  const content = textAt(message, 'content');
  const thinking = dialect === 'compatible' ? textAt(message, 'thinking') : '';
  return defined({
    role: 'assistant',
    content: content === '' && made.length > 0 ? null : content,
    tool_calls: made.length === 0 ? undefined : made,
    reasoning_content: thinking === '' ? undefined : thinking,
  });
};

type Reader = Readonly<{ dialect: ChatDialect; isOwn: boolean }>;

/** The conversation of a chat. */
export const messagesOf = (body: JsonObject, { dialect, isOwn }: Reader): readonly JsonObject[] => {
  const calls: Calls = { made: 0, open: [] };
  return objectsAt(body, 'messages').map((message) => {
    if (message.role === 'assistant') return assistantMessage(message, calls, dialect);
    if (message.role === 'tool') return resultOf(message, calls, isOwn);
    return { role: message.role, content: contentOf(textAt(message, 'content'), message.images) };
  });
};

/** A prompt is the text of a user, after the instructions. */
export const promptMessages = (body: JsonObject): readonly JsonObject[] => {
  const system = textAt(body, 'system');
  const user = { role: 'user', content: contentOf(textAt(body, 'prompt'), body.images) };
  return system === '' ? [user] : [{ role: 'system', content: system }, user];
};
