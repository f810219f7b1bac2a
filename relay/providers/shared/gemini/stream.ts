import type { ApiError } from '../../../protocol/api-error.ts';
import type { JsonObject } from '../../../protocol/canonical.ts';
import { isObject, numberAt, objectAt, objectsAt } from '../../../protocol/json.ts';
import type { TranslationContext } from '../../translate.ts';
import { interrupted } from '../failure.ts';
import {
  deltaChunk,
  finishChunk,
  type ReplyHead,
  roleChunk,
  usageChunk,
  wantsUsage,
} from '../openai-chunks.ts';
import type { StreamRules } from '../run-stream.ts';
import type { SseEvent } from '../sse.ts';
import {
  choiceExtras,
  geminiFinish,
  logprobsOf,
  type ProducedParts,
  readCandidate,
} from './candidate.ts';
import { PartialCalls } from './partial-calls.ts';
import {
  blockedPrompt,
  brokenOff,
  geminiError,
  geminiHead,
  geminiObject,
  readTools,
} from './reply.ts';
import { reportedGemini, shownGemini } from './usage.ts';

type Choice = { calls: number; reason: unknown; readonly partial: PartialCalls };

const deltasOf = (produced: ProducedParts, choice: Choice): readonly JsonObject[] => {
  const deltas: JsonObject[] = [];
  if (produced.reasoning !== '') deltas.push({ reasoning_content: produced.reasoning });
  if (produced.content !== '' || Object.keys(produced.extras).length > 0) {
    deltas.push({
      ...(produced.content === '' ? {} : { content: produced.content }),
      ...produced.extras,
    });
  }
  for (const call of produced.toolCalls) {
    deltas.push({ tool_calls: [{ index: choice.calls, ...call }] });
    choice.calls += 1;
  }
  return deltas;
};

/** A delta chunk with the members for which OpenAI has no place. */
const beside = (chunk: JsonObject, extras: JsonObject): JsonObject => {
  const [choice] = Array.isArray(chunk.choices) ? chunk.choices : [];
  return { ...chunk, choices: [{ ...(isObject(choice) ? choice : {}), ...extras }] };
};

/** The events of streamGenerateContent. Each is a whole answer object with what is new. */
export const geminiSse = (context: TranslationContext): StreamRules<SseEvent> => {
  const tools = readTools(context);
  const choices = new Map<number, Choice>();
  let head: ReplyHead | null = null;
  let usage: JsonObject = {};

  const choiceAt = (index: number, own: ReplyHead, out: JsonObject[]): Choice => {
    const known = choices.get(index);
    if (known !== undefined) return known;
    const choice: Choice = { calls: 0, reason: null, partial: new PartialCalls() };
    choices.set(index, choice);
    out.push(roleChunk(own, index));
    return choice;
  };
  const speak = (candidate: JsonObject, own: ReplyHead, out: JsonObject[]): void => {
    const index = numberAt(candidate, 'index') ?? 0;
    const choice = choiceAt(index, own, out);
    const deltas = deltasOf(readCandidate(candidate, tools, choice.partial), choice);
    const logprobs = logprobsOf(candidate);
    const extras = { ...(logprobs === undefined ? {} : { logprobs }), ...choiceExtras(candidate) };
    const spoken = deltas.length === 0 && Object.keys(extras).length > 0 ? [{}] : deltas;
    spoken.forEach((delta, at) => {
      const chunk = deltaChunk(own, delta, { choice: index });
      out.push(at === spoken.length - 1 ? beside(chunk, extras) : chunk);
    });
    if (typeof candidate.finishReason === 'string') choice.reason = candidate.finishReason;
  };
  const finish = (own: ReplyHead, out: JsonObject[]): ApiError | null => {
    for (const [index, { calls, reason }] of choices) {
      const word = geminiFinish(reason, calls > 0);
      if (word === 'error') return brokenOff(reason);
      out.push(finishChunk(own, word, index));
    }
    return null;
  };

  return {
    message: ({ data }, out) => {
      const answer = geminiObject(data);
      if (answer === null) return null;
      const refused = geminiError(answer) ?? (choices.size === 0 ? blockedPrompt(answer) : null);
      if (refused !== null) return refused;
      head ??= geminiHead(answer, context);
      // A running snapshot: the last one counts.
      if (isObject(answer.usageMetadata))
        usage = { ...usage, ...objectAt(answer, 'usageMetadata') };
      for (const candidate of objectsAt(answer, 'candidates')) speak(candidate, head, out);
      return null;
    },
    end: (out) => {
      const isComplete = [...choices.values()].some(({ reason }) => reason !== null);
      if (head === null || !isComplete) return interrupted();
      const failed = finish(head, out);
      if (failed !== null) return failed;
      if (wantsUsage(context.call) && reportedGemini(usage) !== null) {
        out.push(usageChunk(head, shownGemini(usage)));
      }
      return null;
    },
    usage: () => reportedGemini(usage),
  };
};
