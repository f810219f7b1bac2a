import type { JsonObject } from '../../../protocol/canonical.ts';
import { objectAt, objectsAt, textAt } from '../../../protocol/json.ts';
import { refuseRequest } from '../../../protocol/refusal.ts';
import { contentText } from '../openai-chunks.ts';
import { assistantParts, contentParts, type PartTools, resultPart } from './parts.ts';

type Content = { role: 'user' | 'model'; parts: readonly JsonObject[] };

const isInstruction = ({ role }: JsonObject): boolean => role === 'system' || role === 'developer';

/** Names of calls by their ids: results name the id alone. */
const callNames = (messages: readonly JsonObject[]): ReadonlyMap<string, string> =>
  new Map(
    messages
      .flatMap((message) => objectsAt(message, 'tool_calls'))
      .map((call) => [textAt(call, 'id'), textAt(objectAt(call, 'function'), 'name')] as const),
  );

const contentOf = async (
  message: JsonObject,
  calls: ReadonlyMap<string, string>,
  tools: PartTools,
): Promise<Content> => {
  const { role } = message;
  if (role === 'assistant') return { role: 'model', parts: await assistantParts(message, tools) };
  if (role !== 'tool' && role !== 'function') {
    return { role: 'user', parts: await contentParts(message.content, tools.load) };
  }
  const known = calls.get(textAt(message, 'tool_call_id'));
  const name =
    textAt(message, 'name') ||
    known ||
    refuseRequest('A tool message answers a call that is not in the conversation');
  return { role: 'user', parts: [resultPart(message, name, tools)] };
};

/** The conversation; neighbours of one role share a turn, as results of parallel calls must. */
export const contentsOf = async (
  messages: readonly JsonObject[],
  tools: PartTools,
): Promise<readonly Content[]> => {
  const conversation = messages.filter((message) => !isInstruction(message));
  const calls = callNames(messages);
  const single = await Promise.all(conversation.map((message) => contentOf(message, calls, tools)));
  const contents: Content[] = [];
  for (const content of single.filter(({ parts }) => parts.length > 0)) {
    const last = contents.at(-1);
    if (last?.role === content.role) last.parts = [...last.parts, ...content.parts];
    else contents.push(content);
  }
  return contents;
};

/** Both spellings are in use by client libraries. */
export const isCallPart = (part: JsonObject): boolean =>
  part.functionCall !== undefined || part.function_call !== undefined;
const hasSignature = (part: JsonObject): boolean =>
  part.thoughtSignature !== undefined || part.thought_signature !== undefined;

const unproven = 'skip_thought_signature_validator';

/**
 * From the third generation on the first call of each step must have the signature of its thought.
 * For histories of other makers Google documents a signature that skips the check.
 */
export const withSignatures = <Turn extends Content>(contents: readonly Turn[]): readonly Turn[] =>
  contents.map((content) => {
    const first = content.parts.findIndex(isCallPart);
    const part = content.parts[first];
    if (part === undefined || hasSignature(part)) return content;
    return {
      ...content,
      parts: content.parts.with(first, { ...part, thoughtSignature: unproven }),
    };
  });

export const instructionOf = (messages: readonly JsonObject[]): JsonObject | undefined => {
  const texts = messages.filter(isInstruction).map(({ content }) => contentText(content, '\n'));
  const text = texts.filter((own) => own !== '').join('\n');
  return text === '' ? undefined : { parts: [{ text }] };
};
