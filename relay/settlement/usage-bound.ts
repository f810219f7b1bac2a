import type { ReportedUsage, UsageBound } from '../../domain/pricing/bound-usage.ts';
import type { ModelLimits } from '../../domain/pricing/model-limits.ts';
import type { Quote } from '../../domain/pricing/types.ts';
import { maxThoughtTokens, tokensPerPicture, unseenInput } from '../admission/call-bound.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import type { TextCall } from '../protocol/calls.ts';
import { limitsThoughts, maySearch, mayThink, neverThinks } from '../protocol/model-traits.ts';
import { producesText } from '../protocol/operations.ts';
import { scanMembers } from '../protocol/scan-body.ts';
import { shortText } from '../protocol/splice.ts';
import { providerOf } from '../providers/registry.ts';
import type { OutputSize } from './output-size.ts';
import { sentLimit } from './sent-limit.ts';

/*
 * The most that an honest provider can report of a request. Everything here errs on the side of the
 * provider: a bound cuts what cannot be, and never what is merely much.
 */

/** Instructions of the provider's own and definitions of its tools, which no request shows. */
const hiddenPromptTokens = 8_192;
/** What tools of the provider's own bring into a prompt, over all their rounds. */
const foundTokens = 524_288;

/** In addition to the text: the ends of messages, calls without text. */
const hiddenOutputTokens = 512;
const maxOutputTokens = 1_000_000;
/** Rounds of a provider that calls its own tools; each may be as long as the limit. */
const toolRounds = 10;
/** Of each tool of the provider's own; no answer searches more often. */
const maxToolCalls = 128;

/** A limit is counted by the provider's own table, and some end a word that has begun. */
const withTolerance = (limit: number): number => limit + Math.ceil(limit / 10) + 64;

/** What a call is and what was agreed about its price. */
export type Agreed = Readonly<{
  call: TextCall;
  quote: Quote;
  /** Context window and output limit of a model, as in the estimate of the call. */
  allowanceOf: (model: string) => ModelLimits;
}>;

export type Attempted = Readonly<{
  channel: UpstreamChannel;
  upstreamModel: string;
  /** What was sent; null: the caller's own bytes, or too much to be kept. */
  sent: Buffer | null;
}>;

type Terms = Agreed &
  Readonly<{
    attempt: Attempted | null;
    /** Output tokens over all choices that the caller allows; null: no limit named. */
    outputLimit: number | null;
    outputSize: OutputSize;
  }>;

const operatorBytes = (attempt: Attempted | null): number =>
  attempt === null
    ? 0
    : attempt.channel.settings.setting.length + attempt.channel.settings.paramOverride.length;

const plainPrompt = ({ call, attempt }: Terms): number =>
  call.body.length +
  hiddenPromptTokens +
  operatorBytes(attempt) +
  call.scan.blobs * tokensPerPicture +
  (call.media?.inputTokens ?? 0);

const toolCallsOf = ({ quote }: Agreed): number => (quote.tools === undefined ? 0 : maxToolCalls);

/** A bound that nearly every honest report is within, without reading bodies. */
export const quickBound = (terms: Terms): UsageBound => {
  const { call, outputLimit, outputSize } = terms;
  if (call.isSession === true && call.media === undefined) return sessionBound(terms);
  const toolCalls = toolCallsOf(terms);
  const promptTokens = plainPrompt(terms);
  if (call.media !== undefined) {
    return { promptTokens, completionTokens: call.media.maxReportedOutputTokens, toolCalls };
  }
  if (!producesText(call.operation)) return { promptTokens, completionTokens: 0, toolCalls };
  const completionTokens =
    outputLimit === null
      ? 2 * Math.ceil(outputSize.roughTokens()) + hiddenOutputTokens
      : withTolerance(outputLimit);
  return { promptTokens, completionTokens, toolCalls };
};

/** Each response of a realtime session reads the whole conversation. */
const sessionBound = (terms: Terms): UsageBound => ({
  promptTokens: foundTokens,
  completionTokens: maxThoughtTokens,
  toolCalls: toolCallsOf(terms),
});

/** Longer bodies are bound by their bytes alone, which is generous enough. */
const maxLookedInto = 1_048_576;

const holdsAny = (body: Buffer, marks: readonly string[]): boolean =>
  marks.some((mark) => body.includes(mark));

const toolMarks = [
  ...['"web_search', '"web_fetch', '"file_search', '"code_interpreter', '"code_execution'],
  ...['"mcp', '"computer', '"tool_search', '"image_generation', '"advisor', '"browser_search'],
  ...['"googleSearch', '"google_search', '"urlContext', '"url_context', '"codeExecution'],
  ...['"enable_search"', '"search_parameters"', '"builtin_function"', '"plugins"', '"connectors"'],
  ...['"x_search', '"retrieval', '"google_maps', '"googleMaps', '"shell', '"memory_', '"bash_'],
];

type Extras = Readonly<{ runsTools: boolean; unseen: number }>;

const namesOf = ({ call, attempt }: Terms): readonly string[] =>
  attempt === null ? [call.model] : [call.model, attempt.upstreamModel];

const extrasOf = (terms: Terms): Extras => {
  const { call, quote, attempt, allowanceOf } = terms;
  const allowance = allowanceOf(call.model);
  const { body } = call;
  const isLong = body.length > maxLookedInto;
  const channel = attempt?.channel;
  const isOwn = channel !== undefined && providerOf(channel.type)?.addsToPrompts === true;
  const isOverridden = (channel?.paramOverride?.size ?? 0) > 0;
  const isStored = call.operation === 'responses' && call.scan.members.prompt !== undefined;
  return {
    runsTools:
      isLong ||
      isOverridden ||
      quote.tools !== undefined ||
      namesOf(terms).some(maySearch) ||
      holdsAny(body, toolMarks),
    unseen: isOwn || isStored ? allowance.input : unseenInput(call, allowance),
  };
};

const thoughtMarks = [
  ...['"thinking', '"reasoning', '"enable_thinking"', '"thinkingConfig"', '"thinking_config"'],
];

/** Hidden thoughts; reported ones are accepted up to the maximum of a model. */
const hiddenThoughts = (terms: Terms, reported: ReportedUsage): number => {
  const { call } = terms;
  const names = namesOf(terms);
  const isAsked = call.body.length <= maxLookedInto && holdsAny(call.body, thoughtMarks);
  if (!isAsked && names.every(neverThinks)) return 0;
  const { reasoningTokens } = reported;
  if (typeof reasoningTokens === 'number' && reasoningTokens > 0) {
    return Math.min(reasoningTokens, maxThoughtTokens);
  }
  const isNamed = terms.outputLimit !== null;
  return isNamed && !isAsked && !names.some(mayThink) ? 0 : maxThoughtTokens;
};

/** Choices of which only some are given back, and words that were foreseen wrongly. */
const unshownShare = ({ call }: Terms): number => {
  const member = scanMembers(call.body)?.get('best_of');
  const bestOf = member === undefined ? 1 : Number(shortText(call.body, member, 16));
  return bestOf > 1 ? Math.min(bestOf, 128) : 1;
};
const foreseen = ({ call }: Terms): number =>
  call.body.includes('"prediction"') ? call.body.length : 0;

const unlimited = (terms: Terms, reported: ReportedUsage): number =>
  (terms.outputSize.maxTokens() + hiddenOutputTokens) * unshownShare(terms) +
  hiddenThoughts(terms, reported);

/**
 * `max_tokens` excludes thoughts with some makers; they show them, or report how many they were.
 */
const beyondLimit = (terms: Terms, reported: ReportedUsage): number => {
  const { call, outputSize, attempt } = terms;
  const isStrict =
    call.protocol !== 'openai' ||
    call.scan.members.max_completion_tokens !== undefined ||
    call.operation === 'responses' ||
    limitsThoughts(attempt?.upstreamModel || call.model);
  if (isStrict) return 0;
  const shown = outputSize.maxThoughtTokens();
  const { reasoningTokens } = reported;
  const isReported = typeof reasoningTokens === 'number' && reasoningTokens > 0;
  return shown + (isReported && shown === 0 ? hiddenThoughts(terms, reported) : 0);
};

/** The limit that the provider was given, which the channel may have changed. */
const limitFor = (terms: Terms, limit: number): number | null => {
  const { attempt } = terms;
  const sent = attempt?.sent ?? null;
  if (sent === null) {
    const isChanged = (attempt?.channel.paramOverride?.size ?? 0) > 0;
    return isChanged ? Math.max(limit, maxThoughtTokens) : limit;
  }
  const named = sentLimit(sent);
  if (named === null) return null;
  const choices = shortTextOf(terms, 'n');
  return Math.max(limit, named * Math.max(1, Math.min(choices, 128)));
};

const shortTextOf = ({ call }: Terms, name: 'n'): number => {
  const member = call.scan.members[name];
  return member === undefined ? 1 : Number(shortText(call.body, member, 16)) || 1;
};

const outputBound = (terms: Terms, reported: ReportedUsage, { runsTools }: Extras): number => {
  const { outputLimit } = terms;
  const limit = outputLimit === null ? null : limitFor(terms, outputLimit);
  const rounds = runsTools ? toolRounds : 1;
  const max =
    limit === null
      ? unlimited(terms, reported) + (runsTools ? maxThoughtTokens : 0)
      : withTolerance(limit * unshownShare(terms)) * rounds + beyondLimit(terms, reported);
  return Math.min(max + foreseen(terms), maxOutputTokens);
};

/** No honest report of this request exceeds it. Computed where one exceeds the quick bound. */
export const fullBound = (terms: Terms, reported: ReportedUsage): UsageBound => {
  const quick = quickBound(terms);
  const { call } = terms;
  if (call.isSession === true || call.media !== undefined) return quick;
  const extras = extrasOf(terms);
  return {
    ...quick,
    promptTokens: quick.promptTokens + extras.unseen + (extras.runsTools ? foundTokens : 0),
    completionTokens: producesText(call.operation)
      ? Math.max(quick.completionTokens, outputBound(terms, reported, extras))
      : 0,
  };
};

export type BoundTerms = Terms;
