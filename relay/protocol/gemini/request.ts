import type { JsonObject } from '../canonical.ts';
import type { ChatDialect } from '../chat-dialect.ts';
import { effortOf, stopMember, streamMembers, takesEffort } from '../chat-terms.ts';
import { defined, isObject, numberAt, objectAt, objectsAt, textAt, without } from '../json.ts';
import { refuseRequest } from '../refusal.ts';
import { messagesOf } from './messages.ts';
import { jsonSchemaOf } from './schema.ts';

export type GeminiCall = Readonly<{
  body: JsonObject;
  /** Out of the path, which is where this protocol names the model. */
  model: string;
  isStream: boolean;
  dialect: ChatDialect;
}>;

/** Members of the generation settings that are translated; Gemini itself gets the rest as well. */
const spoken: readonly string[] = [
  ...['temperature', 'topP', 'topK', 'maxOutputTokens', 'stopSequences', 'seed', 'candidateCount'],
  ...['presencePenalty', 'frequencyPenalty', 'responseMimeType', 'responseSchema'],
  ...['responseJsonSchema', 'responseLogprobs', 'logprobs', 'responseModalities', 'thinkingConfig'],
];

const functionTools = (tool: JsonObject): readonly JsonObject[] =>
  objectsAt(tool, 'functionDeclarations').map((own) => {
    const schema = own.parametersJsonSchema ?? own.parameters;
    const parameters = isObject(schema) ? jsonSchemaOf(schema) : undefined;
    const called = { name: own.name, description: own.description, parameters };
    return { type: 'function', function: defined(called) };
  });

const declared: ReadonlySet<string> = new Set(['functionDeclarations']);

/** Gemini's own tools; with others only their names would be left. @throws a refusal there */
const ownTools = (tool: JsonObject, dialect: ChatDialect): readonly JsonObject[] => {
  const names = Object.keys(tool).filter((name) => !declared.has(name));
  if (names.length === 0) return [];
  if (dialect === 'gemini') return names.map((name) => ({ [name]: tool[name] }));
  if (dialect === 'claude' && names.includes('googleSearch')) {
    return [{ type: 'web_search_20250305', name: 'web_search' }];
  }
  return refuseRequest(`The tool ${names.join(', ')} is not supported by this model`);
};

const toolsOf = ({ body, dialect }: GeminiCall): readonly JsonObject[] =>
  objectsAt(body, 'tools').flatMap((tool) => [...functionTools(tool), ...ownTools(tool, dialect)]);

const allowedNames = (body: JsonObject): readonly string[] => {
  const config = objectAt(objectAt(body, 'toolConfig'), 'functionCallingConfig');
  const names = config.allowedFunctionNames;
  return Array.isArray(names) ? names.map(String) : [];
};

const choiceOf = (body: JsonObject): unknown => {
  const config = objectAt(objectAt(body, 'toolConfig'), 'functionCallingConfig');
  const [only, ...others] = allowedNames(body);
  switch (textAt(config, 'mode').toUpperCase()) {
    case 'NONE':
      return 'none';
    case 'AUTO':
      return 'auto';
    case 'ANY':
      return only !== undefined && others.length === 0
        ? { type: 'function', function: { name: only } }
        : 'required';
    default:
      return undefined;
  }
};

const formatOf = (config: JsonObject): JsonObject | undefined => {
  const schema = config.responseJsonSchema ?? config.responseSchema;
  if (isObject(schema)) {
    const own = config.responseJsonSchema === undefined ? jsonSchemaOf(schema) : schema;
    return { type: 'json_schema', json_schema: { name: 'response', schema: own } };
  }
  return config.responseMimeType === 'application/json' ? { type: 'json_object' } : undefined;
};

const thinkingOf = (config: JsonObject, { dialect, model }: GeminiCall): JsonObject => {
  const thinking = config.thinkingConfig;
  if (!isObject(thinking) || dialect === 'gemini') return {};
  const level = textAt(thinking, 'thinkingLevel').toLowerCase();
  if (level !== '')
    return dialect === 'claude' || takesEffort(model) ? { reasoning_effort: level } : {};
  const budget = numberAt(thinking, 'thinkingBudget');
  if (budget === null || budget <= 0) return {};
  if (dialect === 'claude') return { reasoning: { max_tokens: budget } };
  return takesEffort(model) ? { reasoning_effort: effortOf(budget) } : {};
};

/** What only Gemini understands is returned to Gemini unchanged. */
const ownWords = ({ body, dialect }: GeminiCall, config: JsonObject): JsonObject => {
  if (dialect !== 'gemini') return {};
  const safety = body.safetySettings;
  const rest = without(
    config,
    spoken.filter((name) => name !== 'thinkingConfig'),
  );
  return defined({
    safetySettings: safety,
    cachedContent: body.cachedContent,
    labels: body.labels,
    generationConfig: Object.keys(rest).length === 0 ? undefined : rest,
  });
};

const allowed = (tools: readonly JsonObject[], body: JsonObject): readonly JsonObject[] => {
  const names = allowedNames(body);
  if (names.length < 2) return tools;
  return tools.filter((tool) => {
    const own = tool.function;
    return !isObject(own) || names.includes(textAt(own, 'name'));
  });
};

/** A generateContent body as OpenAI's chat. @throws refusals */
export const chatOf = (call: GeminiCall): JsonObject => {
  const { body, dialect, isStream, model } = call;
  const config = objectAt(body, 'generationConfig');
  const tools = allowed(toolsOf(call), body);
  const { responseModalities: modalities } = config;
  return defined({
    model,
    messages: messagesOf(body, dialect),
    max_tokens: config.maxOutputTokens,
    temperature: config.temperature,
    top_p: config.topP,
    top_k: dialect === 'openai' ? undefined : config.topK,
    stop: stopMember(config.stopSequences),
    seed: config.seed,
    n: config.candidateCount,
    presence_penalty: config.presencePenalty,
    frequency_penalty: config.frequencyPenalty,
    logprobs: config.responseLogprobs,
    top_logprobs: config.logprobs,
    modalities: Array.isArray(modalities)
      ? modalities.map((own) => String(own).toLowerCase())
      : undefined,
    response_format: formatOf(config),
    tools: tools.length === 0 ? undefined : tools,
    tool_choice: tools.length === 0 ? undefined : choiceOf(body),
    ...streamMembers(isStream),
    ...thinkingOf(config, call),
    ...ownWords(call, config),
  });
};
