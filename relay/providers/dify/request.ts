import { dify as facts } from '../../../domain/channel/providers/dify.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { objectAt, textAt } from '../../protocol/json.ts';
import type { HttpRequest } from '../../upstream/types.ts';
import {
  imageSource,
  isSystem,
  partsOf,
  plainText,
  refuseForcedTools,
  unknownMembers,
} from '../shared/chat-request.ts';
import { createMediaLoader } from '../shared/media.ts';
import { messagesOf } from '../shared/messages.ts';
import { baseOf, bearer, jsonRequest } from '../shared/outgoing.ts';
import { helperCall, uploadForm } from '../shared/upload.ts';
import type { TranslationContext } from '../translate.ts';

const base = facts.baseUrl;

const labelOf = (message: JsonObject): string => {
  if (isSystem(message)) return 'SYSTEM';
  return message.role === 'assistant' ? 'ASSISTANT' : 'USER';
};

/** An app takes one text: the conversation is written out in it. */
const queryOf = (messages: readonly JsonObject[]): string =>
  messages
    .map((message) => {
      const texts = partsOf(message.content).filter((part) => sourceOf(part) === null);
      return `${labelOf(message)}: \n${plainText(texts)}\n`;
    })
    .join('');

/** A picture or a file inside a part; null when it is text. */
const sourceOf = (part: JsonObject): string | null =>
  imageSource(part) ?? (textAt(objectAt(part, 'file'), 'file_data') || null);

const uploaded = async (
  source: string,
  user: string,
  { channel, io }: TranslationContext,
): Promise<JsonObject> => {
  const media = await createMediaLoader(io)(source);
  const answer = await helperCall(io, {
    method: 'POST',
    url: `${baseOf(channel, base)}/v1/files/upload`,
    headers: { ...bearer(channel), accept: 'application/json' },
    body: uploadForm(media, { user }),
  });
  return {
    type: media.mimeType.startsWith('image/') ? 'image' : 'document',
    transfer_mode: 'local_file',
    upload_file_id: textAt(answer, 'id'),
  };
};

const filesOf = (
  messages: readonly JsonObject[],
  user: string,
  context: TranslationContext,
): Promise<readonly JsonObject[]> => {
  const sources = messages
    .flatMap(({ content }) => partsOf(content))
    .map(sourceOf)
    .filter((source) => source !== null);
  return Promise.all(
    sources.map((source) =>
      /^https?:/i.test(source)
        ? Promise.resolve({ type: 'image', transfer_mode: 'remote_url', url: source })
        : uploaded(source, user, context),
    ),
  );
};

/** `inputs`, `conversation_id` and the like are the caller's own members. */
export const difyRequest = async (context: TranslationContext): Promise<HttpRequest> => {
  const { call, channel, io } = context;
  const { body } = call;
  refuseForcedTools(body);
  const messages = messagesOf(body);
  const user = textAt(body, 'user') || io.newId();
  return jsonRequest(context, {
    url: `${baseOf(channel, base)}/v1/chat-messages`,
    headers: bearer(channel),
    body: {
      inputs: {},
      query: queryOf(messages),
      response_mode: call.isStream ? 'streaming' : 'blocking',
      user,
      auto_generate_name: false,
      files: await filesOf(messages, user, context),
      ...unknownMembers(body),
    },
  });
};
