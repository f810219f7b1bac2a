import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject, parseJson, without } from '../../protocol/json.ts';
import type { StreamTranslation, TranslationContext } from '../translate.ts';
import { interrupted, upstreamFailure } from './failure.ts';
import { wantsUsage } from './openai-chunks.ts';
import { editedChoice, gaveUp, type OpenAiLikeRules, refusalIn } from './openai-like-rules.ts';
import { reportedUsage } from './openai-usage.ts';
import { runSse } from './run-stream.ts';
import type { SseEvent } from './sse.ts';

/** Usage of a chunk, wherever the provider puts it. */
const usageIn = (chunk: JsonObject, choices: readonly unknown[]): JsonObject | null => {
  if (isObject(chunk.usage)) return chunk.usage;
  const [first] = choices;
  return isObject(first) && isObject(first.usage) ? first.usage : null;
};

const isFinished = (choice: unknown): boolean =>
  isObject(choice) && typeof choice.finish_reason === 'string' && choice.finish_reason !== '';

const chunkOf = ({ event, data }: SseEvent, rules: OpenAiLikeRules): JsonObject | null => {
  const chunk = parseJson(data);
  if (!isObject(chunk)) return null;
  return rules.chunk === undefined ? chunk : rules.chunk(chunk, event);
};

const bareFailure = (chunk: JsonObject): ReturnType<typeof upstreamFailure> =>
  upstreamFailure({ status: 502, headers: {}, body: Buffer.from(JSON.stringify(chunk)) });

/**
 * Chunks with the family's edits. Usage may be part of any chunk and of more than one: the last
 * report counts, and the caller gets it in a separate chunk if he requested it.
 */
export const openAiLikeStream = (
  context: TranslationContext,
  rules: OpenAiLikeRules,
): StreamTranslation => {
  let usage: JsonObject | null = null;
  let head: JsonObject = {};
  let isComplete = false;

  const keepUsage = (chunk: JsonObject, choices: readonly unknown[]): void => {
    const reported = usageIn(chunk, choices);
    if (reported !== null) usage = rules.usage?.(reported) ?? reported;
  };
  const shownChoice = (choice: unknown): unknown => {
    if (!isObject(choice)) return choice;
    const own = without(choice, ['usage']);
    return editedChoice(rules.streamChoice?.(own) ?? own, context, rules);
  };

  const write = (
    chunk: JsonObject,
    choices: readonly unknown[],
    out: JsonObject[],
  ): ApiError | null => {
    keepUsage(chunk, choices);
    const edited = choices.map(shownChoice);
    // A provider that fails in the middle may report so in the finish reason only.
    const failed = gaveUp(edited);
    if (failed !== null) return failed;
    isComplete ||= choices.some(isFinished);
    head = without(chunk, ['usage', 'choices']);
    if (choices.length > 0 || !isObject(chunk.usage)) out.push({ ...head, choices: edited });
    return null;
  };

  return runSse({
    done: () => {
      isComplete = true;
    },
    message: (event, out) => {
      const chunk = chunkOf(event, rules);
      if (chunk === null) return null;
      const error = refusalIn(chunk, rules);
      if (error !== null) return error;
      if (!Array.isArray(chunk.choices))
        return chunk.object === undefined ? bareFailure(chunk) : null;
      return write(chunk, chunk.choices, out);
    },
    end: (out) => {
      if (!isComplete) return interrupted();
      if (usage !== null && wantsUsage(context.call)) out.push({ ...head, choices: [], usage });
      return null;
    },
    usage: () => reportedUsage(usage),
  });
};
