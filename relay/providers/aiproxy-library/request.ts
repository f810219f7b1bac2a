import { aiproxyLibrary as facts } from '../../../domain/channel/providers/aiproxy-library.ts';
import { configurationError, refuse } from '../../protocol/refusal.ts';
import type { HttpRequest } from '../../upstream/types.ts';
import { plainText, refuseForcedTools, unknownMembers } from '../shared/chat-request.ts';
import { messagesOf } from '../shared/messages.ts';
import { baseOf, bearer, jsonRequest } from '../shared/outgoing.ts';
import type { TranslationContext } from '../translate.ts';

/** @throws a refusal when the channel names no knowledge base. */
export const libraryRequest = (context: TranslationContext): HttpRequest => {
  const { call, channel } = context;
  refuseForcedTools(call.body);
  const { other: libraryId } = channel.settings;
  if (libraryId === '') return refuse(configurationError('The channel names no knowledge base'));
  return jsonRequest(context, {
    url: `${baseOf(channel, facts.baseUrl)}/api/library/ask`,
    headers: bearer(channel),
    body: {
      model: call.upstreamModel,
      // A knowledge base answers one question and has no conversation.
      query: plainText(messagesOf(call.body).at(-1)?.content),
      libraryId,
      stream: call.isStream,
      ...unknownMembers(call.body),
    },
  });
};
