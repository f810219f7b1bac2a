import type { JsonObject } from '../canonical.ts';
import type { ChatDialect } from '../chat-dialect.ts';
import { effortOf, limitFor, stopMember, streamMembers, takesEffort } from '../chat-terms.ts';
import { defined, isObject, numberAt, objectAt, objectsAt, textAt, without } from '../json.ts';
import { refuseRequest } from '../refusal.ts';
import { messagesOf, toolsOf } from './messages.ts';

export type CohereCall = Readonly<{
  body: JsonObject;
  /** Whether an event stream was requested. */
  isStream: boolean;
  dialect: ChatDialect;
  /** The provider uses this protocol itself: what has no other name is passed on. */
  isOwn: boolean;
}>;

const translated: readonly string[] = [
  ...['model', 'messages', 'stream', 'tools', 'tool_choice', 'response_format', 'max_tokens'],
  ...['temperature', 'seed', 'frequency_penalty', 'presence_penalty', 'p', 'k'],
  ...['stop_sequences', 'logprobs'],
];

const choices: Readonly<Record<string, string>> = { REQUIRED: 'required', NONE: 'none' };

const formatOf = (body: JsonObject): JsonObject | undefined => {
  const format = objectAt(body, 'response_format');
  if (format.type !== 'json_object') return undefined;
  const schema = format.json_schema ?? format.schema;
  return isObject(schema)
    ? { type: 'json_schema', json_schema: { name: 'answer', schema } }
    : { type: 'json_object' };
};

/** Thinking in the words of the one who is to think. */
const thinkingOf = ({ body, dialect }: CohereCall): JsonObject => {
  const thinking = objectAt(body, 'thinking');
  if (thinking.type !== 'enabled') return {};
  const budget = numberAt(thinking, 'token_budget');
  const isBudgeted = dialect === 'claude' || dialect === 'gemini';
  if (isBudgeted && budget !== null) return { reasoning: { max_tokens: budget } };
  const hasEffort = isBudgeted || takesEffort(textAt(body, 'model'));
  return hasEffort ? { reasoning_effort: effortOf(budget ?? 8_192) } : {};
};

const refuseUnknown = ({ body, isOwn }: CohereCall): void => {
  if (body.logprobs === true) refuseRequest('logprobs are not offered in this protocol');
  if (isOwn) return;
  if (body.safety_mode === 'STRICT')
    refuseRequest('safety_mode STRICT is not supported by this model');
  if (body.raw_prompting === true) refuseRequest('raw_prompting is not supported by this model');
};

const membersFor = (call: CohereCall): JsonObject => {
  const { body, isOwn, dialect } = call;
  if (isOwn) return { ...without(body, translated), messages: objectsAt(body, 'messages') };
  return { messages: messagesOf(body, dialect), ...thinkingOf(call) };
};

/** A v2 chat as OpenAI's. @throws refusals */
export const chatOf = (call: CohereCall): JsonObject => {
  const { body, dialect, isOwn, isStream } = call;
  refuseUnknown(call);
  const tools = isOwn ? objectsAt(body, 'tools') : toolsOf(body);
  return defined({
    model: body.model,
    ...limitFor(body.max_tokens, textAt(body, 'model'), dialect),
    temperature: body.temperature,
    top_p: body.p,
    top_k: dialect === 'openai' ? undefined : body.k,
    seed: body.seed,
    frequency_penalty: body.frequency_penalty,
    presence_penalty: body.presence_penalty,
    stop: stopMember(body.stop_sequences),
    response_format: formatOf(body),
    tools: tools.length === 0 ? undefined : tools,
    tool_choice: tools.length === 0 ? undefined : choices[textAt(body, 'tool_choice')],
    ...streamMembers(isStream),
    ...membersFor(call),
  });
};

const ownRanking: readonly string[] = ['max_tokens_per_doc', 'priority'];

/** A v2 ranking is OpenAI-like, except for what only its own provider has. */
export const rankingOf = (body: JsonObject, isOwn: boolean): JsonObject =>
  isOwn ? body : without(body, ownRanking);

/** The texts of a v2 embedding call as OpenAI's input. @throws refusals */
export const embeddingsOf = (body: JsonObject, isOwn: boolean): JsonObject => {
  const types = Array.isArray(body.embedding_types) ? body.embedding_types : ['float'];
  const [other] = types.filter((type) => type !== 'float');
  if (other !== undefined) refuseRequest(`embedding_types: ${String(other)} is not offered here`);
  if (!Array.isArray(body.texts)) return refuseRequest('Only texts can be embedded here');
  return defined({
    model: body.model,
    input: body.texts,
    dimensions: body.output_dimension,
    encoding_format: 'float',
    ...(isOwn ? { input_type: body.input_type, truncate: body.truncate } : {}),
  });
};
