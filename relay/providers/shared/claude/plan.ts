import { anthropic } from '../../../../domain/channel/providers/anthropic.ts';
import { bedrock } from '../../../../domain/channel/providers/bedrock.ts';
import type { JsonObject } from '../../../protocol/canonical.ts';
import { isObject, numberAt, objectAt, textAt } from '../../../protocol/json.ts';
import type { TranslationContext } from '../../translate.ts';
import { maxTokensOf, messagesOf } from '../messages.ts';
import { type JsonFormat, jsonFormatOf } from '../structured.ts';
import { type ToolNames, toolNames } from '../tool-names.ts';
import { toolsOf } from '../tools.ts';
import { knowsSchemas, structuredSchema } from './schema.ts';

/** What is decided about a call before its body is written; the reply is read by the same plan. */
export type ClaudePlan = Readonly<{
  /** Without the thinking suffix. */
  model: string;
  maxTokens: number;
  /** null: off. */
  thinking: JsonObject | null;
  names: ToolNames;
  /**
   * A tool whose input is the answer; null when text is requested or thinking forbids forcing it.
   */
  answerTool: JsonFormat | null;
  /** A schema that the model itself follows; null where it cannot, or a tool is as good. */
  answerSchema: JsonObject | null;
  /** Requested JSON that neither can force: requested by an instruction. */
  askForJson: JsonFormat | null;
  /** How much a model that sets its own budget is to think; null: as it likes. */
  effort: string | null;
  /** Callers that continue with tools need the proofs of reasoning back in the next turn. */
  showsSignatures: boolean;
}>;

const minThinkingTokens = 1_024;
/** `max_tokens` of a call with thinking: the smallest budget and room for an answer. */
export const minWithThinking = 1_280;
export const thinkingSuffix = '-thinking';
const efforts: Readonly<Record<string, number>> = {
  ...{ low: 1_280, medium: 2_048, high: 4_096 },
  ...{ xhigh: 8_192, max: 16_384 },
};

/** Models from here on set their own budget. */
const isAdaptive = (model: string): boolean =>
  /claude-(opus|sonnet|haiku)-(4-([7-9]|1\d)|[5-9])(-|$)/.test(model);

type Budget = Readonly<{ maxTokens: number; thinking: JsonObject | null }>;

export const enabledThinking = (model: string, budget: number): JsonObject =>
  isAdaptive(model) ? { type: 'adaptive' } : { type: 'enabled', budget_tokens: budget };

const effortOf = (body: JsonObject): string =>
  textAt(body, 'reasoning_effort') || textAt(objectAt(body, 'reasoning'), 'effort');

/** The requested effort leaves room for an answer within the caller's limit. */
const wantedBudget = (body: JsonObject, limit: number, share: number): number => {
  const asked = numberAt(objectAt(body, 'reasoning'), 'max_tokens');
  if (asked !== null && asked < limit) return asked;
  return Math.min(asked ?? efforts[effortOf(body)] ?? 0, Math.trunc(limit * share));
};

/** A budget never goes beyond the limit that the caller set for the whole answer. */
const budgetOf = (
  { call, settings }: TranslationContext,
  model: string,
  asked: number | null,
): Budget => {
  const { defaultMaxTokens, thinkingBudgetShare } = settings.claude;
  const limit = asked ?? defaultMaxTokens[model] ?? defaultMaxTokens.default ?? 8_192;
  if (isObject(call.body.thinking)) return { maxTokens: limit, thinking: call.body.thinking };
  if (model !== call.upstreamModel) {
    const maxTokens = Math.max(limit, minWithThinking);
    const budget = Math.trunc(maxTokens * thinkingBudgetShare);
    return { maxTokens, thinking: enabledThinking(model, budget) };
  }
  const budget = wantedBudget(call.body, limit, thinkingBudgetShare);
  const thinking = budget < minThinkingTokens ? null : enabledThinking(model, budget);
  return { maxTokens: limit, thinking };
};

/** A turn of tool calls must begin with its signed thinking, or thinking must be off. */
const lacksProof = (body: JsonObject): boolean => {
  const messages = messagesOf(body);
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  return messages
    .slice(lastUser + 1)
    .some((message) => Array.isArray(message.tool_calls) && !hasProof(message));
};

/** Reasoning with its signature, in either of the forms that callers return. */
export const hasProof = (message: JsonObject): boolean => {
  if (Array.isArray(message.thinking_blocks)) return message.thinking_blocks.length > 0;
  const details = message.reasoning_details;
  return (
    Array.isArray(details) &&
    details.some((detail) => isObject(detail) && (detail.signature ?? detail.data) !== undefined)
  );
};

const isOff = (thinking: JsonObject): boolean => thinking.type === 'disabled';

/** A name without it would be refused: it goes to models that set their own budget. */
const adaptiveEffort = (body: JsonObject, thinking: JsonObject | null): string | null => {
  const effort = effortOf(body);
  return thinking?.type === 'adaptive' && efforts[effort] !== undefined ? effort : null;
};

const nameRule = { allowed: /[a-zA-Z0-9_-]/, length: 64 } as const;

/** Anthropic's own host and Amazon's have it for newer models. */
const structuredHosts: ReadonlySet<number> = new Set([anthropic.id, bedrock.id]);
const hasStructuredOutput = ({ channel }: TranslationContext, model: string): boolean =>
  structuredHosts.has(channel.type) && knowsSchemas(model);

type Answering = Pick<ClaudePlan, 'answerTool' | 'answerSchema' | 'askForJson'>;

/** How requested JSON is obtained: by a tool, by the model itself, or by an instruction. */
const answering = (
  context: TranslationContext,
  { model, isThinking }: Readonly<{ model: string; isThinking: boolean }>,
): Answering => {
  const { body } = context.call;
  const format = jsonFormatOf(body);
  const none = { answerTool: null, answerSchema: null, askForJson: null };
  const schema = format?.schema ?? null;
  if (schema === null) return { ...none, askForJson: format };
  if (!isThinking && toolsOf(body).length === 0) return { ...none, answerTool: format };
  const answerSchema = hasStructuredOutput(context, model) ? structuredSchema(schema) : null;
  return { ...none, answerSchema, askForJson: answerSchema === null ? format : null };
};

export const planOf = (context: TranslationContext): ClaudePlan => {
  const { call, settings } = context;
  const { body, upstreamModel } = call;
  const isSuffixed = settings.claude.thinkingAdapter && upstreamModel.endsWith(thinkingSuffix);
  const model = isSuffixed ? upstreamModel.slice(0, -thinkingSuffix.length) : upstreamModel;
  // 0 is no limit that the provider would take.
  const budget = budgetOf(context, model, maxTokensOf(body) || null);
  const isThinking = budget.thinking !== null && !isOff(budget.thinking) && !lacksProof(body);
  return {
    model,
    maxTokens: budget.maxTokens,
    thinking: isThinking ? budget.thinking : null,
    names: toolNames(body, nameRule),
    ...answering(context, { model, isThinking }),
    effort: isThinking ? adaptiveEffort(body, budget.thinking) : null,
    showsSignatures: toolsOf(body).length > 0 || isObject(body.thinking),
  };
};
