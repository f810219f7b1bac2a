import type { JsonObject, OpenAiCall } from '../protocol/canonical.ts';
import { isObject } from '../protocol/json.ts';
import { hasProof } from '../providers/shared/claude/plan.ts';
import { messagesOf } from '../providers/shared/messages.ts';

/** Longer members do not affect how an answer is read. */
const maxMemberChars = 262_144;
const maxNameChars = 256;
/** Members that answers are read by, however much they hold; `thinMember` takes the rest out. */
const conversation: ReadonlySet<string> = new Set(['messages', 'tools', 'functions']);
const inputs: ReadonlySet<string> = new Set(['input', 'prompt', 'query', 'suffix', 'prediction']);

const shortName = (name: unknown): unknown =>
  typeof name === 'string' ? name.slice(0, maxNameChars) : undefined;

const nameOf = (tool: unknown): JsonObject => {
  if (!isObject(tool)) return {};
  const own = isObject(tool.function) ? tool.function : tool;
  return { type: tool.type, function: { name: shortName(own.name) }, name: shortName(tool.name) };
};

const callsOf = ({ tool_calls: calls }: JsonObject): readonly JsonObject[] =>
  Array.isArray(calls) ? calls.map(nameOf) : [];

const distinctCalls = (messages: readonly JsonObject[]): readonly JsonObject[] => [
  ...new Map(messages.flatMap(callsOf).map((call) => [JSON.stringify(call), call])).values(),
];

const proof = [{ signature: '' }];
const proven = (message: JsonObject): JsonObject => ({
  role: message.role,
  ...(Array.isArray(message.tool_calls) ? { tool_calls: callsOf(message) } : {}),
  ...(hasProof(message) ? { reasoning_details: proof } : {}),
});

/** The names that a conversation uses, and the state of its last turn: plans depend on these. */
const thinMessages = (body: JsonObject): readonly JsonObject[] => {
  const messages = messagesOf(body);
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  const called = distinctCalls(messages.slice(0, lastUser + 1));
  const before = called.length === 0 ? [] : [{ role: 'assistant', tool_calls: called }];
  const user = lastUser === -1 ? [] : [{ role: 'user', content: '' }];
  return [...before, ...user, ...messages.slice(lastUser + 1).map(proven)];
};

const isSmall = (value: unknown): boolean => JSON.stringify(value).length <= maxMemberChars;

const thinMember = (name: string, value: unknown, body: JsonObject): unknown => {
  if (name === 'messages') return thinMessages(body);
  if (Array.isArray(value) && conversation.has(name)) return value.map(nameOf);
  if (inputs.has(name)) return Array.isArray(value) ? [] : '';
  // A ranking may have to show again what it ranked.
  if (name === 'documents') return body.return_documents === true ? value : [];
  return isSmall(value) ? value : undefined;
};

/** What reading the answer needs of a call, without its texts. */
export const thinCall = (call: OpenAiCall): OpenAiCall => ({
  ...call,
  form: null,
  body: Object.fromEntries(
    Object.entries(call.body).map(([name, value]) => [name, thinMember(name, value, call.body)]),
  ),
});
