import type { JsonObject } from '../../protocol/canonical.ts';
import { defined, textAt, without } from '../../protocol/json.ts';
import type { HttpRequest } from '../../upstream/types.ts';
import {
  clampedAt,
  functionsOf,
  isSystem,
  plainText,
  unknownMembers,
} from '../shared/chat-request.ts';
import { maxTokensOf, messagesOf } from '../shared/messages.ts';
import { keyParts, withOverrides } from '../shared/outgoing.ts';
import { singleCallTurns, type Turn } from '../shared/single-call-turns.ts';
import type { TranslationContext } from '../translate.ts';
import { signedAddress } from './address.ts';
import { knowsSystem, versionOf } from './versions.ts';

/** Calls and their results have no separate frame: they are written into the conversation. */
const spoken = (turn: Turn, version: string): readonly JsonObject[] => {
  if (turn.kind === 'result') {
    return [{ role: 'user', content: `${turn.name}: ${plainText(turn.content)}` }];
  }
  if (turn.kind === 'call') {
    const text = plainText(turn.text);
    const { name, arguments: args } = turn.call;
    const call = JSON.stringify({ name, arguments: args });
    return [{ role: 'assistant', content: text === '' ? call : `${text}\n${call}` }];
  }
  const { message } = turn;
  const content = plainText(message.content);
  if (!isSystem(message)) {
    return [{ role: message.role === 'assistant' ? 'assistant' : 'user', content }];
  }
  if (knowsSystem(version)) return [{ role: 'system', content }];
  return [
    { role: 'user', content },
    { role: 'assistant', content: 'Okay' },
  ];
};

const frameOf = (context: TranslationContext, appId: string): JsonObject => {
  const { body } = context.call;
  const version = versionOf(context);
  const functions = functionsOf(body).map((tool) => without(tool, ['strict']));
  const user = textAt(body, 'user');
  const chat = defined({
    ...unknownMembers(body),
    domain: version.domain,
    // Upstream takes nothing at or below 0.
    temperature: clampedAt(body, 'temperature', [0.01, 1]),
    top_k: clampedAt(body, 'top_k', [1, 6]),
    max_tokens: maxTokensOf(body) ?? undefined,
  });
  return {
    header: defined({ app_id: appId, uid: user === '' ? undefined : user.slice(0, 32) }),
    parameter: { chat: withOverrides(chat, context) },
    payload: defined({
      message: {
        text: singleCallTurns(messagesOf(body)).flatMap((turn) => spoken(turn, version.name)),
      },
      functions: functions.length === 0 ? undefined : { text: functions },
    }),
  };
};

/** @throws a refusal for pictures and for keys that are not three parts. */
export const xunfeiRequest = (context: TranslationContext): HttpRequest => {
  const [appId = '', apiSecret = '', apiKey = ''] = keyParts(context.channel, 3);
  const { path } = versionOf(context);
  return {
    method: 'GET',
    url: signedAddress(context, path, { apiKey, apiSecret }),
    headers: { upgrade: 'websocket' },
    body: JSON.stringify(frameOf(context, appId)),
  };
};
