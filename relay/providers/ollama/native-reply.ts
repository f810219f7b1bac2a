import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject, objectAt, objectsAt, parseObject, textAt } from '../../protocol/json.ts';
import type { HttpReply, ProviderIo } from '../../upstream/types.ts';
import { interrupted, unusableReply, upstreamFailure } from '../shared/failure.ts';
import { createLineReader } from '../shared/lines.ts';
import {
  assistantMessage,
  chatReply,
  choiceOf,
  deltaChunk,
  finishChunk,
  newHead,
  roleChunk,
  toolCall,
  usageChunk,
  wantsUsage,
} from '../shared/openai-chunks.ts';
import { runStream } from '../shared/run-stream.ts';
import { type UsageReport, usageReport } from '../shared/usage-report.ts';
import type { OpenAiReply, StreamTranslation, TranslationContext } from '../translate.ts';

const names = { prompt: 'prompt_eval_count', completion: 'eval_count', total: '' };

const usageOf = (answer: JsonObject): UsageReport | null => usageReport(answer, names);

const callsOf = (message: JsonObject, io: ProviderIo): readonly JsonObject[] =>
  objectsAt(message, 'tool_calls').map((call) => {
    const own = objectAt(call, 'function');
    const id = textAt(call, 'id') || `call_${io.newId()}`;
    return toolCall(id, textAt(own, 'name'), JSON.stringify(own.arguments ?? {}));
  });

const finishOf = (answer: JsonObject, hasCalls: boolean): string => {
  if (answer.done_reason === 'length') return 'length';
  return hasCalls ? 'tool_calls' : 'stop';
};

const failureIn = (answer: JsonObject): ApiError | null =>
  answer.error === undefined
    ? null
    : upstreamFailure({ status: 502, headers: {}, body: Buffer.from(JSON.stringify(answer)) });

export const nativeReply = (
  reply: HttpReply,
  { call, io }: TranslationContext,
): OpenAiReply | ApiError => {
  const answer = parseObject(reply.body.toString('utf8'));
  if (answer === null || !isObject(answer.message)) return unusableReply();
  const { message } = answer;
  const toolCalls = callsOf(message, io);
  const spoken = assistantMessage({
    content: textAt(message, 'content'),
    reasoning: textAt(message, 'thinking'),
    toolCalls,
  });
  const usage = usageOf(answer);
  const choices = [choiceOf(spoken, finishOf(answer, toolCalls.length > 0))];
  const head = newHead(io, textAt(answer, 'model') || call.upstreamModel);
  return {
    status: 200,
    contentType: 'application/json',
    body: chatReply(head, choices, usage?.shown ?? null),
    usage: usage?.reported ?? null,
  };
};

/** One JSON object on each line; the last one counts. */
export const nativeStream = (context: TranslationContext): StreamTranslation => {
  const { call, io } = context;
  const head = newHead(io, call.upstreamModel);
  let calls = 0;
  let hasBegun = false;
  let usage: UsageReport | null = null;
  let isDone = false;

  const speak = (message: JsonObject, out: JsonObject[]): void => {
    if (!hasBegun) out.push(roleChunk(head));
    hasBegun = true;
    const thinking = textAt(message, 'thinking');
    const content = textAt(message, 'content');
    if (thinking !== '') out.push(deltaChunk(head, { reasoning_content: thinking }));
    if (content !== '') out.push(deltaChunk(head, { content }));
    for (const made of callsOf(message, io)) {
      out.push(deltaChunk(head, { tool_calls: [{ index: calls, ...made }] }));
      calls += 1;
    }
  };

  return runStream(createLineReader(), {
    message: (line, out) => {
      const answer = parseObject(line);
      if (answer === null) return null;
      const failure = failureIn(answer);
      if (failure !== null) return failure;
      speak(objectAt(answer, 'message'), out);
      if (answer.done !== true) return null;
      isDone = true;
      usage = usageOf(answer);
      out.push(finishChunk(head, finishOf(answer, calls > 0)));
      return null;
    },
    end: (out) => {
      if (!isDone) return interrupted();
      if (usage !== null && wantsUsage(call)) out.push(usageChunk(head, usage.shown));
      return null;
    },
    usage: () => usage?.reported ?? null,
  });
};
