import type { JsonObject } from '../canonical.ts';
import { isObject, objectAt, objectsAt, parseObject, textAt } from '../json.ts';
import { stopOf, usageOf } from './finish-reasons.ts';
import { signatureOf } from './google-proof.ts';

/** Signatures of thoughts, as the adapters of signing providers report them. */
const thinkingBlocks = (message: JsonObject): readonly JsonObject[] => {
  const reasoning = textAt(message, 'reasoning_content') || textAt(message, 'reasoning');
  const details = objectsAt(message, 'reasoning_details');
  if (details.length === 0) {
    const [call = {}] = objectsAt(message, 'tool_calls');
    const ofCall = signatureOf(call);
    // A thought without text is written where the provider requires its signature back.
    if (reasoning === '' && ofCall === '') return [];
    const signature = ofCall || signatureOf(message);
    return [{ type: 'thinking', thinking: reasoning, signature }];
  }
  return details.map((detail) =>
    typeof detail.data === 'string'
      ? { type: 'redacted_thinking', data: detail.data }
      : {
          type: 'thinking',
          thinking: textAt(detail, 'text') || textAt(detail, 'summary'),
          signature: textAt(detail, 'signature'),
        },
  );
};

export const citationOf = (annotation: JsonObject): JsonObject => {
  const { url, title } = objectAt(annotation, 'url_citation');
  const rest = { encrypted_index: '', cited_text: '' };
  return { type: 'web_search_result_location', url, title: title ?? null, ...rest };
};

/** Pictures as readers of plain text get them; this protocol has no other place for them. */
export const picturesIn = (message: JsonObject): string => {
  const known = textAt(message, 'content');
  return objectsAt(message, 'images')
    .map((image) => textAt(objectAt(image, 'image_url'), 'url'))
    .filter((url) => url !== '' && !known.includes(url))
    .map((url) => `![image](${url})`)
    .join('');
};

const textBlocks = (message: JsonObject): readonly JsonObject[] => {
  const { content } = message;
  const parts = Array.isArray(content) ? content.filter(isObject) : [];
  const written =
    typeof content === 'string' ? content : parts.map((part) => textAt(part, 'text')).join('');
  const text = (written || textAt(message, 'refusal')) + picturesIn(message);
  if (text === '') return [];
  const citations = objectsAt(message, 'annotations').map(citationOf);
  return [{ type: 'text', text, ...(citations.length === 0 ? {} : { citations }) }];
};

/** Arguments that are no JSON are not thrown away: the caller sees what the model wrote. */
const inputOf = (text: string): JsonObject =>
  text.trim() === '' ? {} : (parseObject(text) ?? { raw_arguments: text });

const toolBlock = (call: JsonObject): JsonObject => {
  const own = objectAt(call, 'function');
  const input = inputOf(textAt(own, 'arguments'));
  return { type: 'tool_use', id: textAt(call, 'id'), name: textAt(own, 'name'), input };
};

export type ReplyNames = Readonly<{ id: string; model: string }>;

/** A whole chat answer as a message. Default names are used where the answer has none. */
export const messageOf = (reply: JsonObject, names: ReplyNames): JsonObject => {
  const [choice = {}] = objectsAt(reply, 'choices');
  const message = objectAt(choice, 'message');
  const isRefusal = textAt(message, 'refusal') !== '' && choice.finish_reason === 'stop';
  const stop = isRefusal
    ? { stop_reason: 'refusal', stop_sequence: null }
    : stopOf(choice.finish_reason, choice.stop_reason);
  return {
    id: textAt(reply, 'id') || names.id,
    type: 'message',
    role: 'assistant',
    model: textAt(reply, 'model') || names.model,
    content: [
      ...thinkingBlocks(message),
      ...objectsAt(message, 'provider_content').filter(({ type }) => typeof type === 'string'),
      ...textBlocks(message),
      ...objectsAt(message, 'tool_calls').map(toolBlock),
    ],
    ...stop,
    usage: usageOf(objectAt(reply, 'usage')),
  };
};
