import type { ApiError } from '../../../protocol/api-error.ts';
import type { JsonObject } from '../../../protocol/canonical.ts';
import { isObject, objectsAt, parseObject, textAt } from '../../../protocol/json.ts';
import type { HttpReply } from '../../../upstream/types.ts';
import type { OpenAiReply, TranslationContext } from '../../translate.ts';
import { unusableReply } from '../failure.ts';
import { assistantMessage, chatReply, choiceOf, newHead, toolCall } from '../openai-chunks.ts';
import {
  annotationsOf,
  claudeError,
  finishOf,
  sealedDetail,
  signedDetail,
} from './finish-reasons.ts';
import { type ClaudePlan, planOf } from './plan.ts';
import { reportedClaude, shownClaude } from './usage.ts';

type Read = {
  content: string;
  reasoning: string;
  toolCalls: JsonObject[];
  details: JsonObject[];
  annotations: JsonObject[];
  /** Blocks that have no place with OpenAI, unchanged. */
  others: JsonObject[];
};

const isAnswer = (block: JsonObject, { answerTool, names }: ClaudePlan): boolean =>
  answerTool !== null && block.name === names.up(answerTool.name);

const readToolUse = (read: Read, block: JsonObject, plan: ClaudePlan): void => {
  const input = JSON.stringify(block.input ?? {});
  if (isAnswer(block, plan)) read.content += input;
  else {
    const name = plan.names.down(textAt(block, 'name'));
    read.toolCalls.push(toolCall(textAt(block, 'id'), name, input));
  }
};

const readBlock = (read: Read, block: JsonObject, plan: ClaudePlan): void => {
  switch (block.type) {
    case 'text':
      read.annotations.push(...annotationsOf(block, read.content.length));
      read.content += textAt(block, 'text');
      break;
    case 'thinking': {
      const text = textAt(block, 'thinking');
      read.reasoning += text;
      const { signature } = block;
      read.details.push(signedDetail(read.details.length, { text, signature }));
      break;
    }
    case 'redacted_thinking':
      read.details.push(sealedDetail(read.details.length, block.data));
      break;
    case 'tool_use':
      readToolUse(read, block, plan);
      break;
    default:
      read.others.push(block);
  }
};

const extrasOf = ({ annotations, details, others }: Read, plan: ClaudePlan): JsonObject => ({
  ...(annotations.length === 0 ? {} : { annotations }),
  ...(details.length === 0 || !plan.showsSignatures ? {} : { reasoning_details: details }),
  ...(others.length === 0 ? {} : { provider_content: others }),
});

/** The stop word that ended the answer, where other servers put it. */
const stopWord = (message: JsonObject): JsonObject =>
  typeof message.stop_sequence === 'string' ? { stop_reason: message.stop_sequence } : {};

const finishFor = (message: JsonObject, read: Read): string => {
  const finish = finishOf(message.stop_reason);
  return finish === 'tool_calls' && read.toolCalls.length === 0 ? 'stop' : finish;
};

/** A whole Messages answer in OpenAI's shape. */
export const claudeReply = (
  reply: HttpReply,
  context: TranslationContext,
): OpenAiReply | ApiError => {
  const message = parseObject(reply.body.toString('utf8'));
  if (message === null) return unusableReply();
  const error = claudeError(message);
  if (error !== null) return error;
  if (!Array.isArray(message.content)) return unusableReply();
  const plan = planOf(context);
  const read: Read = {
    content: '',
    reasoning: '',
    toolCalls: [],
    details: [],
    annotations: [],
    others: [],
  };
  for (const block of objectsAt(message, 'content')) readBlock(read, block, plan);
  const own = newHead(context.io, textAt(message, 'model') || plan.model);
  const head = { ...own, id: textAt(message, 'id') || own.id };
  const spoken = assistantMessage({ ...read, extras: extrasOf(read, plan) });
  const choice = { ...choiceOf(spoken, finishFor(message, read)), ...stopWord(message) };
  const usage = isObject(message.usage) ? message.usage : {};
  const reported = reportedClaude(usage);
  return {
    status: 200,
    contentType: 'application/json',
    body: chatReply(head, [choice], reported === null ? null : shownClaude(usage)),
    usage: reported,
  };
};
