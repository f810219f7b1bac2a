import type { JsonObject } from '../canonical.ts';
import type { ChatDialect } from '../chat-dialect.ts';
import { effortOf, limitFor, stopMember, streamMembers, takesEffort } from '../chat-terms.ts';
import { defined, isObject, numberAt, objectAt, objectsAt, textAt, without } from '../json.ts';
import { refuseRequest } from '../refusal.ts';
import { messagesOf } from './messages.ts';

/** Members that are translated; the rest goes along where it is understood. */
const spoken: readonly string[] = [
  ...['model', 'messages', 'system', 'max_tokens', 'temperature', 'top_p', 'top_k', 'stream'],
  ...['stop_sequences', 'tools', 'tool_choice', 'thinking', 'metadata', 'service_tier'],
];

const isSearch = (tool: JsonObject): boolean => textAt(tool, 'type').startsWith('web_search');

const toolOf = (tool: JsonObject, dialect: ChatDialect): JsonObject => {
  if (isObject(tool.input_schema)) {
    return defined({
      type: 'function',
      function: defined({
        name: tool.name,
        description: tool.description,
        parameters: tool.input_schema,
        strict: tool.strict,
      }),
      cache_control: dialect === 'claude' ? tool.cache_control : undefined,
    });
  }
  if (dialect === 'claude') return tool;
  if (dialect === 'gemini' && isSearch(tool)) {
    return { type: 'function', function: { name: 'googleSearch' } };
  }
  return refuseRequest(`The tool ${textAt(tool, 'type')} is not supported by this model`);
};

const choiceOf = (choice: JsonObject): unknown => {
  switch (choice.type) {
    case 'auto':
    case 'none':
      return choice.type;
    case 'any':
      return 'required';
    case 'tool':
      return { type: 'function', function: { name: choice.name } };
    default:
      return undefined;
  }
};

/** The efforts of this protocol that no other one has. */
const efforts: Readonly<Record<string, string>> = { max: 'high', xhigh: 'high' };

/** Thinking in the form of models other than Claude. */
const otherThinking = (body: JsonObject, dialect: ChatDialect, effort: string): JsonObject => {
  const budget = numberAt(objectAt(body, 'thinking'), 'budget_tokens');
  if (dialect === 'gemini' && budget !== null) return { reasoning: { max_tokens: budget } };
  const hasEffort = dialect === 'gemini' || takesEffort(textAt(body, 'model'));
  const wanted = effort === '' ? effortOf(budget ?? 8_192) : effort;
  return hasEffort ? { reasoning_effort: efforts[wanted] ?? wanted } : {};
};

/** Thinking in the words of the one who is to think. */
const thinkingOf = (body: JsonObject, dialect: ChatDialect): JsonObject => {
  const own = objectAt(body, 'thinking');
  if (dialect === 'claude') return own.type === undefined ? {} : { thinking: own };
  const effort = textAt(objectAt(body, 'output_config'), 'effort');
  const isOff = own.type === 'disabled' || (own.type ?? effort) === '';
  return isOff ? {} : otherThinking(body, dialect, effort);
};

/** The schema that the answer must follow; Claude itself has a separate name for it. */
const formatOf = (body: JsonObject, dialect: ChatDialect): JsonObject | undefined => {
  const { type, schema } = objectAt(objectAt(body, 'output_config'), 'format');
  if (dialect === 'claude' || type !== 'json_schema' || !isObject(schema)) return undefined;
  return { type, json_schema: { name: 'answer', schema } };
};

const extrasOf = (body: JsonObject, dialect: ChatDialect): JsonObject =>
  dialect === 'claude' ? without(body, spoken) : {};

/** A Messages body as OpenAI's chat. @throws refusals */
export const chatOf = (body: JsonObject, dialect: ChatDialect): JsonObject => {
  const choice = objectAt(body, 'tool_choice');
  const tools = objectsAt(body, 'tools').map((tool) => toolOf(tool, dialect));
  const user = textAt(objectAt(body, 'metadata'), 'user_id');
  return defined({
    model: body.model,
    messages: messagesOf(body, dialect),
    ...limitFor(body.max_tokens, textAt(body, 'model'), dialect),
    temperature: body.temperature,
    top_p: body.top_p,
    top_k: dialect === 'openai' ? undefined : body.top_k,
    stop: stopMember(body.stop_sequences),
    ...streamMembers(body.stream === true),
    tools: tools.length === 0 ? undefined : tools,
    tool_choice: tools.length === 0 ? undefined : choiceOf(choice),
    parallel_tool_calls:
      tools.length > 0 && choice.disable_parallel_tool_use === true ? false : undefined,
    user: user === '' ? undefined : user,
    response_format: formatOf(body, dialect),
    service_tier: body.service_tier === 'auto' ? 'auto' : undefined,
    ...thinkingOf(body, dialect),
    ...extrasOf(body, dialect),
  });
};
