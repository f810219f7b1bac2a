import type { JsonObject } from '../../protocol/canonical.ts';
import {
  defined,
  isObject,
  objectAt,
  objectsAt,
  parseObject,
  textAt,
  without,
} from '../../protocol/json.ts';
import { refuseRequest } from '../../protocol/refusal.ts';
import { createMediaLoader, type MediaLoader } from '../shared/media.ts';
import { maxTokensOf, messagesOf, refuseChoices, stopsOf } from '../shared/messages.ts';
import { contentText } from '../shared/openai-chunks.ts';
import { formatNote, jsonFormatOf } from '../shared/structured.ts';
import { isFunction, toolChoiceOf, toolsOf } from '../shared/tools.ts';
import type { TranslationContext } from '../translate.ts';

type Turn = { role: 'user' | 'assistant'; content: readonly JsonObject[] };

/** Members that are translated, or that OpenAI has and this protocol has no place for. */
const spoken: readonly string[] = [
  ...['model', 'messages', 'max_tokens', 'max_completion_tokens', 'temperature', 'top_p', 'stop'],
  ...[
    'stream',
    'stream_options',
    'tools',
    'functions',
    'tool_choice',
    'function_call',
    'n',
    'user',
  ],
  ...['parallel_tool_calls', 'response_format', 'metadata', 'service_tier', 'store', 'logit_bias'],
  ...['logprobs', 'top_logprobs', 'frequency_penalty', 'presence_penalty', 'seed', 'extra_body'],
  ...['prediction', 'modalities', 'audio', 'verbosity', 'prompt_cache_key', 'safety_identifier'],
  ...['web_search_options', 'reasoning', 'prompt_cache_retention'],
];

const isInstruction = ({ role }: JsonObject): boolean => role === 'system' || role === 'developer';

const cachePoint = { cachePoint: { type: 'default' } };

const filed = async (source: string, name: string, load: MediaLoader): Promise<JsonObject> => {
  const { mimeType, data } = await load(source);
  const format = mimeType.split('/')[1] ?? '';
  if (mimeType.startsWith('image/')) return { image: { format, source: { bytes: data } } };
  const kind = format === 'plain' ? 'txt' : format;
  return {
    document: {
      format: kind,
      name: name.replace(/[^\w ()[\]-]/g, '-') || 'file',
      source: { bytes: data },
    },
  };
};

const partBlocks = async (part: JsonObject, load: MediaLoader): Promise<readonly JsonObject[]> => {
  const point = part.cache_control === undefined ? [] : [cachePoint];
  if (part.type === 'text') {
    const text = textAt(part, 'text');
    return text === '' ? [] : [{ text }, ...point];
  }
  if (part.type === 'image_url') {
    const url = isObject(part.image_url)
      ? textAt(part.image_url, 'url')
      : textAt(part, 'image_url');
    return [await filed(url, '', load), ...point];
  }
  if (part.type === 'file') {
    const file = objectAt(part, 'file');
    return [await filed(textAt(file, 'file_data'), textAt(file, 'filename'), load), ...point];
  }
  return refuseRequest(`Parts of type ${String(part.type)} cannot be sent to this model`);
};

const blocksOf = async (content: unknown, load: MediaLoader): Promise<readonly JsonObject[]> => {
  if (typeof content === 'string') return content === '' ? [] : [{ text: content }];
  const parts = Array.isArray(content) ? content.filter(isObject) : [];
  return (await Promise.all(parts.map((part) => partBlocks(part, load)))).flat();
};

const toolUse = (call: JsonObject): JsonObject => {
  const own = objectAt(call, 'function');
  const text = textAt(own, 'arguments').trim() || '{}';
  const input = parseObject(text) ?? refuseRequest('The arguments of a tool call are not JSON');
  return { toolUse: { toolUseId: call.id, name: own.name, input } };
};

const toolResult = (message: JsonObject): JsonObject => ({
  toolResult: {
    toolUseId: message.tool_call_id,
    content: [{ text: contentText(message.content, '\n') }],
    status: message.is_error === true ? 'error' : 'success',
  },
});

const turnOf = async (message: JsonObject, load: MediaLoader): Promise<Turn> => {
  if (message.role === 'tool') return { role: 'user', content: [toolResult(message)] };
  const blocks = await blocksOf(message.content, load);
  const calls = message.role === 'assistant' ? objectsAt(message, 'tool_calls').map(toolUse) : [];
  const content = [...blocks, ...calls];
  return {
    role: message.role === 'assistant' ? 'assistant' : 'user',
    content: content.length === 0 ? [{ text: '...' }] : content,
  };
};

const turnsOf = async (
  messages: readonly JsonObject[],
  load: MediaLoader,
): Promise<readonly Turn[]> => {
  const conversation = messages.filter((message) => !isInstruction(message));
  const turns: Turn[] = [];
  for (const turn of await Promise.all(conversation.map((message) => turnOf(message, load)))) {
    const last = turns.at(-1);
    if (last?.role === turn.role) last.content = [...last.content, ...turn.content];
    else turns.push(turn);
  }
  return turns[0]?.role === 'user'
    ? turns
    : [{ role: 'user', content: [{ text: '...' }] }, ...turns];
};

const systemOf = async (
  body: JsonObject,
  load: MediaLoader,
): Promise<readonly JsonObject[] | undefined> => {
  const own = messagesOf(body).filter(isInstruction);
  const blocks = (await Promise.all(own.map(({ content }) => blocksOf(content, load)))).flat();
  const format = jsonFormatOf(body);
  const all = format === null ? blocks : [...blocks, { text: formatNote(format) }];
  return all.length === 0 ? undefined : all;
};

const choiceOf = (body: JsonObject): JsonObject | undefined => {
  const choice = toolChoiceOf(body);
  if (choice === null || choice.kind === 'none') return undefined;
  if (choice.kind === 'function') return { tool: { name: choice.name } };
  return choice.kind === 'required' ? { any: {} } : { auto: {} };
};

const toolConfig = (body: JsonObject): JsonObject | undefined => {
  // This protocol cannot express "no tool": tools that must not be used are not sent.
  if (toolChoiceOf(body)?.kind === 'none') return undefined;
  const tools = toolsOf(body)
    .filter(isFunction)
    .map((tool) => {
      const own = objectAt(tool, 'function');
      const json = isObject(own.parameters) ? own.parameters : { type: 'object', properties: {} };
      const spec = { name: own.name, description: own.description, inputSchema: { json } };
      return { toolSpec: defined(spec) };
    });
  return tools.length === 0 ? undefined : defined({ tools, toolChoice: choiceOf(body) });
};

/** A call in the protocol that all other models of the host share. */
export const converseBody = async ({ call, io }: TranslationContext): Promise<JsonObject> => {
  const { body } = call;
  refuseChoices(body);
  const load = createMediaLoader(io);
  const stops = stopsOf(body);
  const more = without(body, spoken);
  return defined({
    system: await systemOf(body, load),
    messages: await turnsOf(messagesOf(body), load),
    inferenceConfig: defined({
      maxTokens: maxTokensOf(body) ?? undefined,
      temperature: body.temperature ?? undefined,
      topP: body.top_p ?? undefined,
      stopSequences: stops.length === 0 ? undefined : stops,
    }),
    toolConfig: toolConfig(body),
    additionalModelRequestFields: Object.keys(more).length === 0 ? undefined : more,
  });
};
