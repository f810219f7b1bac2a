import type { JsonObject } from '../canonical.ts';
import type { ChatDialect } from '../chat-dialect.ts';
import { defined, isObject, objectAt, textAt, without } from '../json.ts';
import { refuseRequest } from '../refusal.ts';
import { messagesOf } from './items.ts';
import { toolMembers } from './tools.ts';

/**
 * Members that are translated, or that mean nothing to a provider of chats. The rest is passed on.
 */
const spoken: readonly string[] = [
  ...['model', 'input', 'instructions', 'max_output_tokens', 'temperature', 'top_p', 'stream'],
  ...['stream_options', 'tools', 'tool_choice', 'parallel_tool_calls', 'reasoning', 'text'],
  ...['top_logprobs', 'include', 'metadata', 'store', 'truncation', 'user', 'safety_identifier'],
  ...['prompt_cache_key', 'prompt_cache_retention', 'prompt_cache_options', 'service_tier'],
  ...['background', 'conversation', 'previous_response_id', 'prompt', 'context_management'],
  ...['moderation', 'max_tool_calls', 'client_metadata'],
];

/** What only a provider of this API can do for a caller. */
const unserved: readonly (readonly [name: string, isAsked: (value: unknown) => boolean])[] = [
  ['background', (value) => value === true],
  ['conversation', (value) => value != null],
  ['previous_response_id', (value) => value != null],
  ['prompt', (value) => value != null],
  ['context_management', (value) => Array.isArray(value) && value.length > 0],
  ['moderation', (value) => value != null],
];

const refuseUnserved = (body: JsonObject): void => {
  for (const [name, isAsked] of unserved) {
    if (isAsked(body[name])) {
      refuseRequest(`${name} is not available for this model, which is served in another protocol`);
    }
  }
};

/** Of things that only a provider's own tools bring along, there is nothing to include. */
const includable =
  /^(reasoning\.encrypted_content|message\.|(web_search|file_search|code_interpreter|computer)_call)/;

const includesOf = ({ include }: JsonObject): readonly string[] => {
  const names = Array.isArray(include) ? include.map(String) : [];
  const unknown = names.find((name) => !includable.test(name));
  return unknown === undefined ? names : refuseRequest(`${unknown} cannot be included`);
};

const logprobsOf = (body: JsonObject): JsonObject => {
  const isIncluded = includesOf(body).includes('message.output_text.logprobs');
  const top = body.top_logprobs ?? undefined;
  return isIncluded || top !== undefined ? { logprobs: true, top_logprobs: top } : {};
};

const formatOf = ({ type, ...format }: JsonObject): JsonObject | undefined => {
  if (type === 'json_schema') return { type, json_schema: format };
  return type === 'json_object' ? { type } : undefined;
};

const isReasoning = (model: string): boolean => /^(o\d|gpt-5|gpt-oss)/.test(model);

/** With Claude thinking is off by default. */
const off: ReadonlySet<string> = new Set(['none', 'minimal']);

const effortOf = (body: JsonObject, dialect: ChatDialect): JsonObject => {
  const effort = textAt(objectAt(body, 'reasoning'), 'effort');
  if (effort === '' || (dialect === 'claude' && off.has(effort))) return {};
  return { reasoning_effort: effort };
};

const notes: Readonly<Record<string, string>> = {
  low: 'Keep your answers short.',
  high: 'Give thorough, detailed answers.',
};

/** A member where the model has one, else a word to it. */
const verbosityOf = (body: JsonObject, dialect: ChatDialect): Verbosity => {
  const verbosity = textAt(objectAt(body, 'text'), 'verbosity');
  const isMember = dialect === 'openai' && isReasoning(textAt(body, 'model'));
  const member = isMember && verbosity !== '' ? { verbosity } : {};
  const note = isMember ? undefined : notes[verbosity];
  return { member, note };
};
type Verbosity = Readonly<{ member: JsonObject; note: string | undefined }>;

const withNote = (
  messages: readonly JsonObject[],
  note: string | undefined,
): readonly JsonObject[] =>
  note === undefined ? messages : [{ role: 'system', content: note }, ...messages];

const limitOf = ({ model, max_output_tokens: limit }: JsonObject, dialect: ChatDialect) => {
  const own = limit ?? undefined;
  return dialect === 'openai' && isReasoning(String(model))
    ? { max_completion_tokens: own }
    : { max_tokens: own };
};

/** Caller and settings, for providers that have these members. */
const callerMembers = (body: JsonObject, dialect: ChatDialect): JsonObject => {
  const { user, safety_identifier: identifier, service_tier: tier } = body;
  const isOpenAi = dialect === 'openai';
  return {
    user: user ?? (isOpenAi ? undefined : (identifier ?? undefined)),
    safety_identifier: isOpenAi ? (identifier ?? undefined) : undefined,
    prompt_cache_key: isOpenAi ? (body.prompt_cache_key ?? undefined) : undefined,
    service_tier: tier === 'auto' ? undefined : (tier ?? undefined),
  };
};

/** A Responses body as OpenAI's chat. @throws refusals */
export const chatOf = (body: JsonObject, dialect: ChatDialect): JsonObject => {
  refuseUnserved(body);
  const isStream = body.stream === true;
  const { member, note } = verbosityOf(body, dialect);
  const format = objectAt(body, 'text').format;
  return defined({
    ...without(body, spoken),
    model: body.model,
    messages: withNote(messagesOf(body, dialect), note),
    ...limitOf(body, dialect),
    temperature: body.temperature ?? undefined,
    top_p: body.top_p ?? undefined,
    ...logprobsOf(body),
    ...toolMembers(body, dialect),
    response_format: isObject(format) ? formatOf(format) : undefined,
    ...effortOf(body, dialect),
    ...member,
    ...callerMembers(body, dialect),
    stream: isStream ? true : undefined,
    // The closing event of this protocol always contains the usage.
    stream_options: isStream ? { include_usage: true } : undefined,
  });
};
