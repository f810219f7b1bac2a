import type { JsonObject } from '../canonical.ts';
import type { ChatDialect } from '../chat-dialect.ts';
import { limitFor, stopMember, streamMembers, takesEffort } from '../chat-terms.ts';
import { defined, isObject, numberAt, objectAt, objectsAt, textAt } from '../json.ts';
import { refuseRequest } from '../refusal.ts';
import { messagesOf, promptMessages } from './messages.ts';

export type OllamaCall = Readonly<{
  body: JsonObject;
  /** A stream of lines, which this protocol gives unasked. */
  isStream: boolean;
  /** `/api/generate`: one prompt in place of a conversation. */
  isPrompt: boolean;
  dialect: ChatDialect;
  /** The provider uses this protocol itself: what has no other name is passed on. */
  isOwn: boolean;
}>;

const formatOf = ({ format }: JsonObject): JsonObject | undefined => {
  if (isObject(format)) {
    return { type: 'json_schema', json_schema: { name: 'answer', schema: format } };
  }
  return format === 'json' ? { type: 'json_object' } : undefined;
};

/** Thinking in the words of the one who is to think. */
const thinkingOf = ({ body, dialect }: OllamaCall): JsonObject => {
  const { think } = body;
  const effort = think === true ? 'medium' : think;
  if (typeof effort !== 'string' || effort === '') return {};
  const hasEffort =
    dialect === 'claude' || dialect === 'gemini' || takesEffort(textAt(body, 'model'));
  return hasEffort ? { reasoning_effort: effort } : {};
};

/** What only the server behind this protocol understands: how it runs its models. */
const ownMembers = ({ body }: OllamaCall): JsonObject =>
  defined({ options: body.options, think: body.think, keep_alive: body.keep_alive });

/** -1 and -2 mean no limit. */
const limitOf = (options: JsonObject): number | undefined => {
  const limit = numberAt(options, 'num_predict') ?? 0;
  return limit > 0 ? limit : undefined;
};

/** Prompts that are not put into the template of their model. */
const unserved = ['suffix', 'raw', 'template', 'context'] as const;

const refuseUnserved = (body: JsonObject): void => {
  const found = unserved.find((name) => {
    const value = body[name];
    return value !== undefined && value !== null && value !== false && value !== '';
  });
  if (found !== undefined) refuseRequest(`${found} is not offered on /api/generate`);
};

/** A chat or a prompt as OpenAI's chat. @throws refusals */
export const chatOf = (call: OllamaCall): JsonObject => {
  const { body, dialect, isOwn, isPrompt, isStream } = call;
  if (isPrompt) refuseUnserved(body);
  const options = objectAt(body, 'options');
  const tools = isPrompt ? [] : objectsAt(body, 'tools');
  return defined({
    model: body.model,
    messages: isPrompt ? promptMessages(body) : messagesOf(body, call),
    ...limitFor(limitOf(options), textAt(body, 'model'), dialect),
    temperature: options.temperature,
    top_p: options.top_p,
    top_k: dialect === 'openai' ? undefined : options.top_k,
    seed: options.seed,
    frequency_penalty: options.frequency_penalty,
    presence_penalty: options.presence_penalty,
    stop: stopMember(options.stop),
    response_format: formatOf(body),
    tools: tools.length === 0 ? undefined : tools,
    ...streamMembers(isStream),
    ...(isOwn ? ownMembers(call) : thinkingOf(call)),
  });
};

/** An embed body as OpenAI's. */
export const embeddingsOf = (body: JsonObject, isOwn: boolean): JsonObject =>
  defined({
    model: body.model,
    input: body.input,
    dimensions: body.dimensions,
    encoding_format: 'float',
    ...(isOwn
      ? { truncate: body.truncate, options: body.options, keep_alive: body.keep_alive }
      : {}),
  });
