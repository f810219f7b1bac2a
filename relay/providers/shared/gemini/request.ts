import type { JsonObject } from '../../../protocol/canonical.ts';
import { defined, isObject, objectAt, textAt, without } from '../../../protocol/json.ts';
import type { TranslationContext } from '../../translate.ts';
import { createMediaLoader } from '../media.ts';
import { maxTokensOf, messagesOf, stopsOf } from '../messages.ts';
import { formatNote, jsonFormatOf } from '../structured.ts';
import { type ToolNames, toolNames } from '../tool-names.ts';
import { isFunction, toolChoiceOf, toolsOf } from '../tools.ts';
import { contentsOf, instructionOf, withSignatures } from './contents.ts';
import { cleanParameters, cleanSchema } from './schema.ts';
import { geminiPlan, isSigning } from './thinking.ts';

/** Members that are translated, or that OpenAI has and Google refuses. The rest is passed on. */
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
  ...['safety_identifier', 'extra_body', 'generationConfig', 'generation_config'],
  ...['safetySettings', 'safety_settings', 'enable_thinking'],
];

export const nameRule = { allowed: /[a-zA-Z0-9_.:-]/, length: 64 } as const;

const harms = [
  'HARASSMENT',
  'HATE_SPEECH',
  'SEXUALLY_EXPLICIT',
  'DANGEROUS_CONTENT',
  'CIVIC_INTEGRITY',
] as const;

/** All five are always sent: what is left out would follow the provider's defaults. */
export const safetyOf = ({ call, settings }: TranslationContext): unknown =>
  call.body.safetySettings ??
  call.body.safety_settings ??
  harms.map((harm) => {
    const category = `HARM_CATEGORY_${harm}`;
    const { safetySettings: own } = settings.gemini;
    return { category, threshold: own[category] ?? own.default ?? 'OFF' };
  });

/** Functions of these names switch the provider's own tools on. */
const builtIns: ReadonlySet<string> = new Set(['googleSearch', 'codeExecution', 'urlContext']);

const nameOf = (tool: JsonObject): string => textAt(objectAt(tool, 'function'), 'name');

const declaration = (tool: JsonObject, names: ToolNames): JsonObject => {
  const own = objectAt(tool, 'function');
  return defined({
    name: names.up(textAt(own, 'name')),
    description: own.description,
    parameters: cleanParameters(own.parameters),
  });
};

const toolList = (body: JsonObject, names: ToolNames): readonly JsonObject[] | undefined => {
  const tools = toolsOf(body);
  const functions = tools.filter(isFunction);
  const own = functions.filter((tool) => !builtIns.has(nameOf(tool)));
  const switches = functions.map(nameOf).filter((name) => builtIns.has(name));
  if (isObject(body.web_search_options) && !switches.includes('googleSearch')) {
    switches.push('googleSearch');
  }
  const list = [
    ...switches.map((name) => ({ [name]: {} })),
    ...tools.filter((tool) => !isFunction(tool)),
    ...(own.length === 0
      ? []
      : [{ functionDeclarations: own.map((tool) => declaration(tool, names)) }]),
  ];
  return list.length === 0 ? undefined : list;
};

const modes = { auto: 'AUTO', none: 'NONE', required: 'ANY' } as const;

const toolConfig = (body: JsonObject, names: ToolNames): JsonObject | undefined => {
  const choice = toolChoiceOf(body);
  if (choice === null || !toolsOf(body).some(isFunction)) return undefined;
  const functionCallingConfig =
    choice.kind === 'function'
      ? { mode: 'ANY', allowedFunctionNames: [names.up(choice.name)] }
      : { mode: modes[choice.kind] };
  return { functionCallingConfig };
};

const modalitiesOf = ({ call, settings }: TranslationContext, model: string): unknown => {
  if (settings.gemini.imagineModels.includes(model)) return ['TEXT', 'IMAGE'];
  const { modalities } = call.body;
  return Array.isArray(modalities) && modalities.length > 0
    ? modalities.map((own) => String(own).toUpperCase())
    : undefined;
};

/** Up to the second generation functions and a form of the answer exclude each other. */
const isAskedInWords = (body: JsonObject, model: string): boolean =>
  !isSigning(model) && toolsOf(body).some(isFunction);

const formatConfig = (body: JsonObject, model: string): JsonObject => {
  const format = jsonFormatOf(body);
  if (format === null || isAskedInWords(body, model)) return {};
  const mime = { responseMimeType: 'application/json' };
  return format.schema === null ? mime : { ...mime, responseSchema: cleanSchema(format.schema) };
};

const present = (value: unknown): unknown => value ?? undefined;

const generationConfig = (context: TranslationContext): JsonObject => {
  const { body } = context.call;
  const { model, thinking } = geminiPlan(context);
  const stops = stopsOf(body).filter((word) => word !== '');
  const google = objectAt(objectAt(body, 'extra_body'), 'google');
  return defined({
    temperature: present(body.temperature),
    topP: present(body.top_p),
    topK: present(body.top_k),
    maxOutputTokens: maxTokensOf(body) ?? undefined,
    seed: present(body.seed),
    candidateCount: body.n === 1 ? undefined : present(body.n),
    // More than five are refused.
    stopSequences: stops.length === 0 ? undefined : stops.slice(0, 5),
    presencePenalty: present(body.presence_penalty),
    frequencyPenalty: present(body.frequency_penalty),
    responseLogprobs: body.logprobs === true ? true : undefined,
    logprobs: body.logprobs === true ? present(body.top_logprobs) : undefined,
    responseModalities: modalitiesOf(context, model),
    ...formatConfig(body, model),
    imageConfig: google.image_config,
    thinkingConfig: thinking,
    // In the provider's own members: these values take precedence.
    ...objectAt(body, 'generation_config'),
    ...objectAt(body, 'generationConfig'),
  });
};

const formatNotes = (body: JsonObject, model: string): readonly JsonObject[] => {
  const format = jsonFormatOf(body);
  if (format === null || !isAskedInWords(body, model)) return [];
  return [{ role: 'system', content: formatNote(format) }];
};

/** The call as a generateContent body. @throws refusals */
export const geminiBody = async (context: TranslationContext): Promise<JsonObject> => {
  const { body } = context.call;
  const names = toolNames(body, nameRule);
  const load = createMediaLoader(context.io);
  const messages = messagesOf(body);
  const google = objectAt(objectAt(body, 'extra_body'), 'google');
  const { model } = geminiPlan(context);
  const contents = await contentsOf(messages, { load, names });
  return defined({
    contents: isSigning(model) ? withSignatures(contents) : contents,
    systemInstruction: instructionOf([...messages, ...formatNotes(body, model)]),
    safetySettings: safetyOf(context),
    generationConfig: generationConfig(context),
    tools: toolList(body, names),
    toolConfig: toolConfig(body, names),
    cachedContent: google.cached_content,
    ...without(body, spoken),
  });
};
