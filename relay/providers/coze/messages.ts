import { coze as facts } from '../../../domain/channel/providers/coze.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { objectAt, objectsAt, textAt } from '../../protocol/json.ts';
import { refuse } from '../../protocol/refusal.ts';
import { imageSource, isSystem, partsOf, plainText, systemText } from '../shared/chat-request.ts';
import { createMediaLoader } from '../shared/media.ts';
import { baseOf, bearer } from '../shared/outgoing.ts';
import { helperCall, uploadForm } from '../shared/upload.ts';
import type { TranslationContext } from '../translate.ts';
import { cozeError } from './failure.ts';

export const cozeBase = facts.baseUrl;

const uploaded = async (source: string, { channel, io }: TranslationContext): Promise<string> => {
  const media = await createMediaLoader(io)(source);
  const answer = await helperCall(io, {
    method: 'POST',
    url: `${baseOf(channel, cozeBase)}/v1/files/upload`,
    headers: { ...bearer(channel), accept: 'application/json' },
    body: uploadForm(media),
  });
  const error = cozeError(answer);
  return error === null ? textAt(objectAt(answer, 'data'), 'id') : refuse(error);
};

const imagePart = async (source: string, context: TranslationContext): Promise<JsonObject> =>
  /^https?:/i.test(source)
    ? { type: 'image', file_url: source }
    : { type: 'image', file_id: await uploaded(source, context) };

/** Pictures are sent with the text in a list, which is itself written as text. */
const contentOf = async (content: unknown, context: TranslationContext): Promise<JsonObject> => {
  const parts = partsOf(content);
  if (parts.every((part) => imageSource(part) === null)) {
    return { content: plainText(content), content_type: 'text' };
  }
  const objects = await Promise.all(
    parts.map(async (part) => {
      const source = imageSource(part);
      return source === null
        ? { type: 'text', text: plainText([part]) }
        : imagePart(source, context);
    }),
  );
  return { content: JSON.stringify(objects), content_type: 'object_string' };
};

const turnsOf = async (
  message: JsonObject,
  context: TranslationContext,
): Promise<readonly JsonObject[]> => {
  const payload = await contentOf(message.content, context);
  if (message.role === 'tool' || message.role === 'function') {
    return [{ role: 'assistant', type: 'tool_response', ...payload }];
  }
  if (message.role !== 'assistant') return [{ role: 'user', ...payload }];
  const calls = objectsAt(message, 'tool_calls').map((call) => ({
    role: 'assistant',
    type: 'function_call',
    content: JSON.stringify(objectAt(call, 'function')),
    content_type: 'text',
  }));
  const text = payload.content === '' ? [] : [{ role: 'assistant', type: 'answer', ...payload }];
  return [...text, ...calls];
};

const withPrefix = (message: JsonObject, text: string): JsonObject => {
  const { content } = message;
  const first = { type: 'text', text };
  return {
    ...message,
    content: Array.isArray(content)
      ? [first, ...content]
      : [text, plainText(content)].filter((part) => part !== '').join('\n'),
  };
};

/** Agents have instructions of their own: the caller's go before his first words. */
export const cozeMessages = async (
  messages: readonly JsonObject[],
  context: TranslationContext,
): Promise<readonly JsonObject[]> => {
  const system = systemText(messages);
  const others = messages.filter((message) => !isSystem(message));
  const first = others.findIndex(({ role }) => role === 'user');
  const spoken =
    system === ''
      ? others
      : first === -1
        ? [{ role: 'user', content: system }, ...others]
        : others.map((message, at) => (at === first ? withPrefix(message, system) : message));
  return (await Promise.all(spoken.map((message) => turnsOf(message, context)))).flat();
};
