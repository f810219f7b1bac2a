import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject, objectAt, objectsAt, parseObject, textAt } from '../../protocol/json.ts';
import type { HttpReply } from '../../upstream/types.ts';
import { unusableReply } from '../shared/failure.ts';
import {
  assistantMessage,
  chatReply,
  choiceOf,
  newHead,
  toolCall,
} from '../shared/openai-chunks.ts';
import type { OpenAiReply, TranslationContext } from '../translate.ts';
import { converseFinish, reportedConverse, shownConverse } from './converse-finish-reasons.ts';

const callOf = (block: JsonObject): JsonObject => {
  const use = objectAt(block, 'toolUse');
  return toolCall(textAt(use, 'toolUseId'), textAt(use, 'name'), JSON.stringify(use.input ?? {}));
};

const reasoningOf = (block: JsonObject): string =>
  textAt(objectAt(objectAt(block, 'reasoningContent'), 'reasoningText'), 'text');

export const converseReply = (
  reply: HttpReply,
  { call, io }: TranslationContext,
): OpenAiReply | ApiError => {
  const answer = parseObject(reply.body.toString('utf8'));
  const message = objectAt(objectAt(answer ?? {}, 'output'), 'message');
  if (answer === null || !Array.isArray(message.content)) return unusableReply();
  const blocks = objectsAt(message, 'content');
  const spoken = assistantMessage({
    content: blocks.map((block) => textAt(block, 'text')).join(''),
    reasoning: blocks.map(reasoningOf).join(''),
    toolCalls: blocks.filter((block) => isObject(block.toolUse)).map(callOf),
  });
  const usage = objectAt(answer, 'usage');
  const reported = reportedConverse(usage);
  const choices = [choiceOf(spoken, converseFinish(answer.stopReason))];
  const shown = reported === null ? null : shownConverse(usage);
  return {
    status: 200,
    contentType: 'application/json',
    body: chatReply(newHead(io, call.upstreamModel), choices, shown),
    usage: reported,
  };
};
