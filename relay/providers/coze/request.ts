import { textAt, without } from '../../protocol/json.ts';
import { configurationError, refuse } from '../../protocol/refusal.ts';
import type { HttpRequest } from '../../upstream/types.ts';
import { refuseForcedTools, unknownMembers } from '../shared/chat-request.ts';
import { messagesOf } from '../shared/messages.ts';
import { baseOf, bearer, jsonRequest } from '../shared/outgoing.ts';
import type { TranslationContext } from '../translate.ts';
import { cozeBase, cozeMessages } from './messages.ts';

/** The channel names the agent; without one the model does, as `bot-<id>`. */
const botOf = ({ call, channel }: TranslationContext): string => {
  const { other } = channel.settings;
  if (other !== '') return other;
  if (call.upstreamModel.startsWith('bot-')) return call.upstreamModel.slice('bot-'.length);
  return refuse(configurationError('The channel names no agent'));
};

/** @throws a refusal when no agent is named. */
export const cozeRequest = async (context: TranslationContext): Promise<HttpRequest> => {
  const { call, channel, io } = context;
  const { body } = call;
  refuseForcedTools(body);
  const conversation = textAt(body, 'conversation_id');
  const query =
    conversation === '' ? '' : `?${new URLSearchParams({ conversation_id: conversation })}`;
  return jsonRequest(context, {
    url: `${baseOf(channel, cozeBase)}/v3/chat${query}`,
    headers: bearer(channel),
    body: {
      bot_id: botOf(context),
      user_id: textAt(body, 'user') || io.newId(),
      additional_messages: await cozeMessages(messagesOf(body), context),
      stream: call.isStream,
      ...without(unknownMembers(body), ['conversation_id']),
    },
  });
};
