import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import {
  isObject,
  numberAt,
  objectAt,
  objectsAt,
  parseObject,
  textAt,
} from '../../protocol/json.ts';
import type { HttpReply } from '../../upstream/types.ts';
import { createChunkWriter } from '../shared/chunk-writer.ts';
import { interrupted, unusableReply } from '../shared/failure.ts';
import { assistantMessage, chatReply, choiceOf, newHead } from '../shared/openai-chunks.ts';
import { runSse } from '../shared/run-stream.ts';
import type { UsageReport } from '../shared/usage-report.ts';
import type { OpenAiReply, StreamTranslation, TranslationContext } from '../translate.ts';
import { billed, cohereBreak, cohereFinish } from './finish-reasons.ts';

const joined = (parts: readonly JsonObject[], member: string): string =>
  parts.map((part) => textAt(part, member)).join('');

const citationsOf = (message: JsonObject): JsonObject =>
  Array.isArray(message.citations) && message.citations.length > 0
    ? { citations: message.citations }
    : {};

/** A call of a tool without arguments. */
const noArguments = 'null';

const withArguments = (call: JsonObject): JsonObject => {
  const own = objectAt(call, 'function');
  if (own.arguments !== noArguments) return call;
  return { ...call, function: { ...own, arguments: '{}' } };
};

export const secondReply = (
  reply: HttpReply,
  { call, io }: TranslationContext,
): OpenAiReply | ApiError => {
  const answer = parseObject(reply.body.toString('utf8'));
  if (answer === null || !isObject(answer.message)) return unusableReply();
  const broken = cohereBreak(answer.finish_reason);
  if (broken !== null) return broken;
  const { message } = answer;
  const parts = objectsAt(message, 'content');
  const spoken = assistantMessage({
    content: joined(parts, 'text'),
    reasoning: joined(parts, 'thinking') + textAt(message, 'tool_plan'),
    toolCalls: objectsAt(message, 'tool_calls').map(withArguments),
    extras: citationsOf(message),
  });
  const usage = billed(objectAt(answer, 'usage'));
  const own = newHead(io, call.upstreamModel);
  const head = { ...own, id: textAt(answer, 'id') || own.id };
  const choices = [choiceOf(spoken, cohereFinish(answer.finish_reason))];
  return {
    status: 200,
    contentType: 'application/json',
    body: chatReply(head, choices, usage?.shown ?? null),
    usage: usage?.reported ?? null,
  };
};

type Writer = ReturnType<typeof createChunkWriter>;

/** Arguments have begun; before that, the literal for none of them means an empty object. */
type Begun = Set<unknown>;

const argumentsOf = (event: JsonObject, called: JsonObject, begun: Begun): string => {
  const text = textAt(called, 'arguments');
  if (text === '' || begun.has(event.index)) return text;
  begun.add(event.index);
  return text === noArguments ? '{}' : text;
};

const speak = (
  { writer, begun }: Readonly<{ writer: Writer; begun: Begun }>,
  event: JsonObject,
  out: JsonObject[],
): void => {
  const message = objectAt(objectAt(event, 'delta'), 'message');
  const content = objectAt(message, 'content');
  const call = objectAt(message, 'tool_calls');
  const called = objectAt(call, 'function');
  switch (event.type) {
    case 'message-start':
      writer.head({ id: textAt(event, 'id') });
      break;
    case 'content-start':
    case 'content-delta':
      writer.reasoning(textAt(content, 'thinking'), out);
      writer.content(textAt(content, 'text'), out);
      break;
    case 'tool-plan-delta':
      writer.reasoning(textAt(message, 'tool_plan'), out);
      break;
    case 'tool-call-start':
    case 'tool-call-delta':
      writer.callPart(numberAt(event, 'index'), out, {
        id: textAt(call, 'id'),
        name: textAt(called, 'name'),
        arguments: argumentsOf(event, called, begun),
      });
      break;
    default:
      break;
  }
};

const cite = (writer: Writer, event: JsonObject, out: JsonObject[]): void => {
  const { citations } = objectAt(objectAt(event, 'delta'), 'message');
  if (isObject(citations)) writer.own({ citations: [citations] }, out);
};

export const secondStream = (context: TranslationContext): StreamTranslation => {
  const writer = createChunkWriter(context);
  const begun: Begun = new Set();
  let usage: UsageReport | null = null;
  return runSse({
    message: ({ data }, out) => {
      const event = parseObject(data);
      if (event === null) return null;
      speak({ writer, begun }, event, out);
      if (event.type === 'citation-start' && context.call.isOwn === true) cite(writer, event, out);
      if (event.type !== 'message-end') return null;
      const delta = objectAt(event, 'delta');
      const broken = cohereBreak(delta.finish_reason);
      if (broken !== null) return broken;
      usage = billed(objectAt(delta, 'usage'));
      writer.finish(cohereFinish(delta.finish_reason), out);
      return null;
    },
    end: (out) => {
      if (!writer.isFinished()) return interrupted();
      writer.usage(usage, out);
      return null;
    },
    usage: () => usage?.reported ?? null,
  });
};
