import type { JsonObject } from '../../../protocol/canonical.ts';
import { defined, isObject, numberAt, objectAt, textAt, without } from '../../../protocol/json.ts';
import type { TranslationContext } from '../../translate.ts';
import { createMediaLoader } from '../media.ts';
import { messagesOf, refuseChoices, stopsOf } from '../messages.ts';
import { formatNote } from '../structured.ts';
import { isFunction, toolChoiceOf, toolsOf } from '../tools.ts';
import { type ClaudePlan, planOf } from './plan.ts';
import { systemOf, turnsOf } from './turns.ts';

/** Members that are translated, or that OpenAI has and Anthropic refuses. The rest is passed on. */
const spoken: readonly string[] = [
  ...['model', 'messages', 'max_tokens', 'max_completion_tokens', 'temperature', 'top_p', 'top_k'],
  ...['stop', 'stream', 'stream_options', 'tools', 'functions', 'tool_choice', 'function_call'],
  ...[
    'parallel_tool_calls',
    'response_format',
    'user',
    'metadata',
    'reasoning_effort',
    'reasoning',
  ],
  ...['web_search_options', 'thinking', 'service_tier', 'n', 'seed', 'frequency_penalty'],
  ...['presence_penalty', 'logit_bias', 'logprobs', 'top_logprobs', 'store', 'prediction'],
  ...['modalities', 'audio', 'verbosity', 'prompt_cache_key', 'prompt_cache_retention'],
  ...['safety_identifier', 'extra_body', 'enable_thinking', 'anthropic_version'],
  'output_config',
];

const emptySchema = { type: 'object', properties: {} };

const toolOf = (tool: JsonObject, { names }: ClaudePlan): JsonObject => {
  if (!isFunction(tool)) return tool;
  const own = objectAt(tool, 'function');
  return defined({
    name: names.up(textAt(own, 'name')),
    description: own.description,
    input_schema: isObject(own.parameters) ? { ...emptySchema, ...own.parameters } : emptySchema,
    cache_control: tool.cache_control ?? own.cache_control,
  });
};

/** Searches that a caller of OpenAI's web search would expect at most. */
const searches: Readonly<Record<string, number>> = { low: 1, medium: 5, high: 10 };

const searchTool = (options: JsonObject): JsonObject => {
  const place = objectAt(options, 'user_location');
  const near = objectAt(place, 'approximate');
  return defined({
    type: 'web_search_20250305',
    name: 'web_search',
    max_uses: searches[textAt(options, 'search_context_size')],
    user_location: Object.keys(near).length === 0 ? undefined : { type: 'approximate', ...near },
  });
};

const toolList = (body: JsonObject, plan: ClaudePlan): readonly JsonObject[] | undefined => {
  const tools = toolsOf(body).map((tool) => toolOf(tool, plan));
  if (isObject(body.web_search_options)) tools.push(searchTool(body.web_search_options));
  const { answerTool } = plan;
  if (answerTool !== null) {
    tools.push({ name: plan.names.up(answerTool.name), input_schema: answerTool.schema });
  }
  return tools.length === 0 ? undefined : tools;
};

const choiceOf = (body: JsonObject, plan: ClaudePlan): JsonObject | undefined => {
  if (plan.answerTool !== null) return { type: 'tool', name: plan.names.up(plan.answerTool.name) };
  const choice = toolChoiceOf(body);
  // Thinking forbids forcing.
  if (choice === null || (plan.thinking !== null && choice.kind !== 'none')) return undefined;
  if (choice.kind === 'function') return { type: 'tool', name: plan.names.up(choice.name) };
  return { type: choice.kind === 'required' ? 'any' : choice.kind };
};

const toolChoice = (body: JsonObject, plan: ClaudePlan): JsonObject | undefined => {
  if (toolList(body, plan) === undefined) return undefined;
  const choice = choiceOf(body, plan);
  if (body.parallel_tool_calls !== false || choice?.type === 'none') return choice;
  return { ...(choice ?? { type: 'auto' }), disable_parallel_tool_use: true };
};

const isOfThree = (model: string): boolean => /claude-(2|3|instant)/.test(model);

/** With thinking the provider takes only its own sampling; newer models take one of two members. */
const sampling = (body: JsonObject, { model, thinking }: ClaudePlan): JsonObject => {
  if (thinking !== null) return thinking.type === 'adaptive' ? {} : { temperature: 1 };
  const asked = numberAt(body, 'temperature');
  const temperature = asked === null ? undefined : Math.min(1, Math.max(0, asked));
  const topP = body.top_p ?? undefined;
  const isEither = temperature !== undefined && topP !== undefined && !isOfThree(model);
  return { temperature, top_p: isEither ? undefined : topP, top_k: body.top_k ?? undefined };
};

const tiers: Readonly<Record<string, string>> = { auto: 'auto', default: 'standard_only' };

const metadataOf = (body: JsonObject): JsonObject | undefined => {
  const user = textAt(body, 'user') || textAt(objectAt(body, 'metadata'), 'user_id');
  return user === '' ? undefined : { user_id: user };
};

/**
 * A schema and an effort in the model's own members; the caller's values in them take precedence.
 */
const outputConfig = (body: JsonObject, plan: ClaudePlan): JsonObject | undefined => {
  const { answerSchema: schema, effort } = plan;
  const own = defined({
    effort: effort ?? undefined,
    format: schema === null ? undefined : { type: 'json_schema', schema },
  });
  const config = { ...own, ...objectAt(body, 'output_config') };
  return Object.keys(config).length === 0 ? undefined : config;
};

/** The call as a Messages body; the order of members matters to signed families. @throws refusals */
export const claudeBody = async (context: TranslationContext): Promise<JsonObject> => {
  const { call, io } = context;
  const { body } = call;
  refuseChoices(body);
  const plan = planOf(context);
  const load = createMediaLoader(io);
  const messages = messagesOf(body);
  const notes = plan.askForJson === null ? [] : [formatNote(plan.askForJson)];
  const stops = stopsOf(body).filter((word) => word.trim() !== '');
  const tier = textAt(body, 'service_tier');
  return defined({
    model: plan.model,
    system: await systemOf(messages, { notes, load }),
    messages: await turnsOf(messages, { load, names: plan.names }),
    max_tokens: plan.maxTokens,
    ...sampling(body, plan),
    stop_sequences: stops.length === 0 ? undefined : stops,
    stream: call.isStream ? true : undefined,
    tools: toolList(body, plan),
    tool_choice: toolChoice(body, plan),
    thinking: plan.thinking ?? undefined,
    output_config: outputConfig(body, plan),
    metadata: metadataOf(body),
    service_tier: tiers[tier] ?? (tier === 'standard_only' ? tier : undefined),
    ...without(body, spoken),
  });
};

/** Headers that the operator set for the requested model. */
export const claudeHeaders = ({
  call,
  settings,
}: TranslationContext): Readonly<Record<string, string>> => {
  const own = settings.claude.modelHeaders[call.requestedModel] ?? {};
  return Object.fromEntries(
    Object.entries(own).map(([name, values]) => [name.toLowerCase(), values.join(',')]),
  );
};

/** Beta flags of the header settings, for hosts that require them in the body. */
export const betaFlags = (context: TranslationContext): readonly string[] =>
  (claudeHeaders(context)['anthropic-beta'] ?? '')
    .split(',')
    .map((flag) => flag.trim())
    .filter((flag) => flag !== '');
