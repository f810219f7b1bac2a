import type { ApiError } from '../../../protocol/api-error.ts';
import { isApiError } from '../../../protocol/api-error.ts';
import type { JsonObject } from '../../../protocol/canonical.ts';
import {
  defined,
  isObject,
  numberAt,
  objectAt,
  objectsAt,
  parseJson,
  textAt,
} from '../../../protocol/json.ts';
import type { HttpReply } from '../../../upstream/types.ts';
import type { OpenAiReply, TranslationContext } from '../../translate.ts';
import { errorObject, unusableReply } from '../failure.ts';
import {
  assistantMessage,
  chatReply,
  choiceOf,
  newHead,
  type ReplyHead,
} from '../openai-chunks.ts';
import { toolNames } from '../tool-names.ts';
import {
  choiceExtras,
  geminiFinish,
  logprobsOf,
  type ReadTools,
  readCandidate,
} from './candidate.ts';
import { nameRule } from './request.ts';
import { geminiPlan } from './thinking.ts';
import { reportedGemini, shownGemini } from './usage.ts';

/** Answers are an object, errors sometimes inside a list. */
export const geminiObject = (text: string): JsonObject | null => {
  const parsed = parseJson(text);
  const own: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  return isObject(own) ? own : null;
};

export const geminiError = (answer: JsonObject): ApiError | null => {
  const { error } = answer;
  if (!isObject(error)) return null;
  const code = numberAt(error, 'code');
  return errorObject(error, code !== null && code >= 400 && code <= 599 ? code : 502);
};

/** Why there is no candidate; null when there is one. */
export const blockedPrompt = (answer: JsonObject): ApiError | null => {
  const reason = textAt(objectAt(answer, 'promptFeedback'), 'blockReason');
  if (reason === '' || objectsAt(answer, 'candidates').length > 0) return null;
  return {
    status: 400,
    message: `request blocked by upstream safety filter: ${reason}`,
    type: 'upstream_error',
    code: 'prompt_blocked',
  };
};

/** A whole generateContent answer, or why it is none. */
export const readAnswer = (reply: HttpReply): JsonObject | ApiError => {
  const answer = geminiObject(reply.body.toString('utf8'));
  return answer === null
    ? unusableReply()
    : (geminiError(answer) ?? blockedPrompt(answer) ?? answer);
};

/** The model broke off a call that it could not finish. */
export const brokenOff = (reason: unknown): ApiError =>
  unusableReply(`The model broke off its answer: ${String(reason)}`);

export const readTools = ({ call, io }: TranslationContext): ReadTools => ({
  names: toolNames(call.body, nameRule),
  io,
});

export const geminiHead = (answer: JsonObject, context: TranslationContext): ReplyHead => {
  const head = newHead(context.io, textAt(answer, 'modelVersion') || geminiPlan(context).model);
  const id = textAt(answer, 'responseId');
  return id === '' ? head : { ...head, id };
};

const choiceFor = (candidate: JsonObject, at: number, tools: ReadTools): JsonObject | ApiError => {
  const produced = readCandidate(candidate, tools);
  const finish = geminiFinish(candidate.finishReason, produced.toolCalls.length > 0);
  if (finish === 'error') return brokenOff(candidate.finishReason);
  const index = numberAt(candidate, 'index') ?? at;
  const choice = choiceOf(assistantMessage(produced), finish, index);
  return defined({ ...choice, logprobs: logprobsOf(candidate), ...choiceExtras(candidate) });
};

/** A whole generateContent answer in OpenAI's shape. */
export const geminiReply = (
  reply: HttpReply,
  context: TranslationContext,
): OpenAiReply | ApiError => {
  const answer = readAnswer(reply);
  if (isApiError(answer)) return answer;
  const candidates = objectsAt(answer, 'candidates');
  if (candidates.length === 0) return unusableReply('no candidates returned');
  const tools = readTools(context);
  const choices: JsonObject[] = [];
  for (const [at, candidate] of candidates.entries()) {
    const choice = choiceFor(candidate, at, tools);
    if (isApiError(choice)) return choice;
    choices.push(choice);
  }
  const usage = objectAt(answer, 'usageMetadata');
  const reported = reportedGemini(usage);
  const head = geminiHead(answer, context);
  return {
    status: 200,
    contentType: 'application/json',
    body: chatReply(head, choices, reported === null ? null : shownGemini(usage)),
    usage: reported,
  };
};
