import type { JsonObject } from '../../protocol/canonical.ts';
import { defined, numberAt, objectAt, textAt, without } from '../../protocol/json.ts';
import type { HttpRequest } from '../../upstream/types.ts';
import {
  clampedAt,
  forcedTool,
  functionsOf,
  isSystem,
  plainText,
  systemText,
  unknownMembers,
} from '../shared/chat-request.ts';
import { embeddingTexts } from '../shared/embeddings.ts';
import { maxTokensOf, messagesOf, stopsOf } from '../shared/messages.ts';
import { baseOf, jsonRequest } from '../shared/outgoing.ts';
import { singleCallTurns, type Turn } from '../shared/single-call-turns.ts';
import type { TranslationContext } from '../translate.ts';
import { baiduBase, slugOf } from './models.ts';
import { accessToken } from './token.ts';

const turnMessage = (turn: Turn): JsonObject => {
  if (turn.kind === 'result') {
    return { role: 'function', name: turn.name, content: plainText(turn.content) };
  }
  if (turn.kind === 'call') {
    const { name, arguments: args } = turn.call;
    const call = { name, arguments: args };
    return { role: 'assistant', content: plainText(turn.text), function_call: call };
  }
  const { role, content } = turn.message;
  return { role: role === 'assistant' ? 'assistant' : 'user', content: plainText(content) };
};

const isPlain = (message: JsonObject): boolean =>
  message.function_call === undefined && message.role !== 'function';

/** Turns must alternate and begin with the user's. */
const alternating = (messages: readonly JsonObject[]): readonly JsonObject[] => {
  const merged: JsonObject[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last !== undefined && last.role === message.role && isPlain(last) && isPlain(message)) {
      last.content = `${textAt(last, 'content')}\n${textAt(message, 'content')}`;
    } else merged.push({ ...message });
  }
  return merged[0]?.role === 'assistant' ? [{ role: 'user', content: '...' }, ...merged] : merged;
};

const atLeast = (least: number, value: number | null): number | undefined =>
  value === null ? undefined : Math.max(least, value);

const noneAsAbsent = (list: readonly unknown[]): readonly unknown[] | undefined =>
  list.length === 0 ? undefined : list;

const chatBody = (body: JsonObject): JsonObject => {
  const all = messagesOf(body);
  const system = systemText(all);
  const functions = functionsOf(body);
  const forced = functions.length === 0 ? undefined : forcedTool(body);
  const turns = singleCallTurns(all.filter((message) => !isSystem(message)));
  const format = textAt(objectAt(body, 'response_format'), 'type');
  return defined({
    ...unknownMembers(body),
    messages: alternating(turns.map(turnMessage)),
    system: system === '' ? undefined : system,
    // Upstream takes nothing at or below 0.
    temperature: clampedAt(body, 'temperature', [0.01, 1]),
    top_p: numberAt(body, 'top_p') ?? undefined,
    penalty_score: clampedAt(body, 'frequency_penalty', [1, 2]),
    stream: body.stream,
    max_output_tokens: atLeast(2, maxTokensOf(body)),
    user_id: body.user,
    stop: noneAsAbsent(stopsOf(body)),
    response_format:
      format === 'json_object' || format === 'json_schema' ? 'json_object' : undefined,
    functions: noneAsAbsent(functions.map((tool) => without(tool, ['strict']))),
    tool_choice:
      forced === undefined ? undefined : { type: 'function', function: { name: forced } },
  });
};

const embeddingBody = (body: JsonObject): JsonObject =>
  defined({ input: embeddingTexts(body), user_id: body.user });

/** @throws a refusal for what the protocol cannot express and for keys that are not two parts. */
export const baiduRequest = async (context: TranslationContext): Promise<HttpRequest> => {
  const { call, channel } = context;
  const isEmbedding = call.operation === 'embeddings';
  const body = isEmbedding ? embeddingBody(call.body) : chatBody(call.body);
  const kind = isEmbedding ? 'embeddings' : 'chat';
  const path = `/rpc/2.0/ai_custom/v1/wenxinworkshop/${kind}/${slugOf(call.upstreamModel)}`;
  const token = new URLSearchParams({ access_token: await accessToken(context) });
  return jsonRequest(context, {
    url: `${baseOf(channel, baiduBase)}${path}?${token}`,
    headers: {},
    body,
  });
};
