import type { JsonObject } from '../../../protocol/canonical.ts';
import { defined, isObject, numberAt, objectAt, textAt } from '../../../protocol/json.ts';
import type { TranslationContext } from '../../translate.ts';
import { maxTokensOf } from '../messages.ts';

export type GeminiPlan = Readonly<{
  /** Without the thinking suffix. */
  model: string;
  thinking: JsonObject | undefined;
}>;

const suffixes = /-(thinking-(\d+)|thinking|nothinking)$/;
/** These two think as they like. */
const withoutBudget = /^gemini-2\.5-pro-preview-(03-25|05-06)/;

/** From the third generation on, calls must have the signatures of their thoughts. */
export const isSigning = (model: string): boolean => /^gemini-([3-9]|\d{2})/.test(model);

/** Tokens; the same for all models. */
const maxBudget = 24_576;
const lowBudget = 8_192;

type Range = readonly [min: number, max: number];

const rangeOf = (model: string): Range => {
  if (/^gemini-2\.5-pro/.test(model)) return [128, maxBudget];
  if (/^gemini-2\.5-flash-lite/.test(model)) return [512, maxBudget];
  return [0, maxBudget];
};

const clamped = (budget: number, [min, max]: Range): number =>
  Math.min(max, Math.max(min, Math.floor(budget)));

const shares: Readonly<Record<string, number>> = {
  max: 1,
  xhigh: 1,
  high: 0.8,
  medium: 0.5,
  low: 0.2,
  minimal: 0.05,
};

type Limits = Readonly<{ maxTokens: number; thinkingBudgetShare: number }>;

const suffixThinking = (
  { maxTokens, thinkingBudgetShare }: Limits,
  model: string,
  suffix: RegExpExecArray,
): JsonObject | undefined => {
  if (withoutBudget.test(model)) return { includeThoughts: true };
  const range = rangeOf(model);
  if (suffix[1] === 'nothinking') {
    // This one cannot be called without thinking.
    return range[0] === 128 ? undefined : { thinkingBudget: 0 };
  }
  if (suffix[2] !== undefined) {
    return { includeThoughts: true, thinkingBudget: clamped(Number(suffix[2]), range) };
  }
  const share = Math.floor(maxTokens * thinkingBudgetShare);
  const budget = share <= 0 ? range[1] : clamped(share, range);
  return { includeThoughts: true, thinkingBudget: budget };
};

/** What the caller set in the provider's own words. */
const ownThinking = (body: JsonObject): JsonObject | undefined => {
  const google = objectAt(objectAt(body, 'extra_body'), 'google');
  const config = isObject(google.thinking_config) ? google.thinking_config : google.thinkingConfig;
  if (!isObject(config)) return undefined;
  const { thinking_budget, include_thoughts, thinking_level, ...rest } = config;
  return defined({
    thinkingBudget: thinking_budget,
    includeThoughts: include_thoughts,
    thinkingLevel: thinking_level,
    ...rest,
  });
};

/** Efforts that this generation has no level for, and the nearest one. */
const levels: Readonly<Record<string, string>> = { max: 'high', xhigh: 'high', none: 'minimal' };

/** This generation has levels in the place of budgets; its larger models have no lowest one. */
const levelOf = (model: string, effort: string, budget: number): string => {
  if (effort === '') return budget <= lowBudget ? 'low' : 'high';
  const level = levels[effort] ?? effort;
  return level === 'minimal' && model.includes('-pro') ? 'low' : level;
};

const effortThinking = (body: JsonObject, model: string): JsonObject | undefined => {
  const reasoning = objectAt(body, 'reasoning');
  const effort = textAt(body, 'reasoning_effort') || textAt(reasoning, 'effort');
  const budget = numberAt(reasoning, 'max_tokens');
  if (/^gemini-3/.test(model) && (effort !== '' || budget !== null)) {
    return { thinkingLevel: levelOf(model, effort, budget ?? 0), includeThoughts: true };
  }
  if (!/^gemini-2\.5/.test(model)) return undefined;
  const range = rangeOf(model);
  if (budget !== null) return { includeThoughts: true, thinkingBudget: clamped(budget, range) };
  if (effort === 'none') return { thinkingBudget: range[0] === 128 ? 128 : 0 };
  const share = shares[effort];
  if (share === undefined) return undefined;
  return { includeThoughts: true, thinkingBudget: clamped(range[1] * share, range) };
};

/** What the name of a model requests by its suffix. */
export const suffixPlan = (
  upstreamModel: string,
  limits: Limits & Readonly<{ thinkingAdapter: boolean }>,
): GeminiPlan => {
  const suffix = limits.thinkingAdapter ? suffixes.exec(upstreamModel) : null;
  if (suffix === null) return { model: upstreamModel, thinking: undefined };
  const model = upstreamModel.slice(0, -suffix[0].length);
  return { model, thinking: suffixThinking(limits, model, suffix) };
};

/** Name and thinking of a call. */
export const geminiPlan = ({ call, settings }: TranslationContext): GeminiPlan => {
  const maxTokens = maxTokensOf(call.body) ?? 0;
  const { model, thinking } = suffixPlan(call.upstreamModel, { ...settings.gemini, maxTokens });
  const own = ownThinking(call.body);
  if (own !== undefined) return { model, thinking: own };
  const isSuffixed = model !== call.upstreamModel;
  return { model, thinking: isSuffixed ? thinking : effortThinking(call.body, model) };
};
