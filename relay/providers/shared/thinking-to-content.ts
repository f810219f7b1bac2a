import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject } from '../../protocol/json.ts';
import type { StreamTranslation, TranslationContext } from '../translate.ts';
import { channelSetting } from './outgoing.ts';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const isAnswer = ({ content, tool_calls: calls }: JsonObject, choice: JsonObject): boolean =>
  textOf(content) !== '' || Array.isArray(calls) || typeof choice.finish_reason === 'string';

/** One choice of a stream in which thoughts become content between two marks. */
const createChoiceEdit = (): ((choice: JsonObject) => readonly JsonObject[]) => {
  let hasThought = false;
  let hasSpoken = false;

  const thoughtOf = (thought: string, choice: JsonObject, delta: JsonObject): JsonObject => {
    const content = hasThought ? thought : `<think>\n${thought}`;
    hasThought = true;
    const { role } = delta;
    const shown = role === undefined ? { content } : { role, content };
    return { ...choice, delta: shown, finish_reason: null };
  };
  return (choice) => {
    const { reasoning_content, reasoning, ...delta } = isObject(choice.delta) ? choice.delta : {};
    const thought = textOf(reasoning_content) || textOf(reasoning);
    const out: JsonObject[] = [];
    // Thoughts that arrive after the answer has begun have no place any more.
    if (thought !== '' && !hasSpoken) out.push(thoughtOf(thought, choice, delta));
    const answers = isAnswer(delta, choice);
    if (answers && hasThought && !hasSpoken) {
      out.push({ ...choice, delta: { content: '\n</think>\n' }, finish_reason: null });
    }
    hasSpoken ||= answers;
    if (answers || out.length === 0) out.push({ ...choice, delta });
    return out;
  };
};

const createChunkEdit = (): ((chunk: JsonObject) => readonly JsonObject[]) => {
  const edits = new Map<unknown, ReturnType<typeof createChoiceEdit>>();
  return (chunk) => {
    const { choices } = chunk;
    if (!Array.isArray(choices) || choices.length === 0) return [chunk];
    return choices.filter(isObject).flatMap((choice) => {
      const edit = edits.get(choice.index) ?? createChoiceEdit();
      edits.set(choice.index, edit);
      return edit(choice).map((edited) => ({ ...chunk, choices: [edited] }));
    });
  };
};

const isList = (produced: readonly JsonObject[] | ApiError): produced is readonly JsonObject[] =>
  Array.isArray(produced);

/**
 * For clients that cannot show reasoning (channel setting `thinking_to_content`): it becomes
 * content between `<think>` and `</think>`. Other channels' streams stay as they are.
 */
export const withThinkingInContent = (
  stream: StreamTranslation,
  { channel }: TranslationContext,
): StreamTranslation => {
  if (channelSetting(channel).thinking_to_content !== true) return stream;
  const edit = createChunkEdit();
  const edited = (produced: readonly JsonObject[] | ApiError): readonly JsonObject[] | ApiError =>
    isList(produced) ? produced.flatMap(edit) : produced;
  return {
    push: (bytes) => edited(stream.push(bytes)),
    end: () => edited(stream.end()),
    usage: () => stream.usage(),
  };
};
