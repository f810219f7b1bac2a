import type { JsonObject } from '../canonical.ts';
import { defined, isObject, objectAt, objectsAt, parseObject, textAt } from '../json.ts';
import { signedThoughts } from './claude-proof.ts';
import { finishReasonOf, usageMetadataOf } from './finish-reasons.ts';

const dataUrlPart = (url: string): JsonObject | null => {
  const match = /^data:([^;,]*);base64,/.exec(url);
  if (match === null) return null;
  return { inlineData: { mimeType: match[1], data: url.slice(match[0].length) } };
};

const imageParts = (message: JsonObject): readonly JsonObject[] =>
  objectsAt(message, 'images')
    .map((image) => dataUrlPart(textAt(objectAt(image, 'image_url'), 'url')))
    .filter((part) => part !== null);

const audioParts = (message: JsonObject): readonly JsonObject[] => {
  const audio = objectAt(message, 'audio');
  if (typeof audio.data !== 'string') return [];
  return [{ inlineData: { mimeType: textAt(audio, 'format') || 'audio/wav', data: audio.data } }];
};

const signatureOf = (owner: JsonObject): JsonObject => {
  const signature = objectAt(objectAt(owner, 'extra_content'), 'google').thought_signature;
  return signature === undefined ? {} : { thoughtSignature: signature };
};

/** A whole call. Arguments that are no JSON are not thrown away. */
export const callPart = (call: JsonObject): JsonObject => {
  const own = objectAt(call, 'function');
  const text = textAt(own, 'arguments');
  const args = text.trim() === '' ? {} : (parseObject(text) ?? { raw_arguments: text });
  const functionCall = defined({ id: call.id, name: own.name, args });
  return { functionCall, ...signatureOf(call) };
};

/** Pictures are also in the text for readers of text; here they are separate parts. */
const withoutPictures = (text: string): string =>
  text.replace(/!\[image\]\(data:image\/[^)]*\)/g, '');

const thoughtParts = (message: JsonObject): readonly JsonObject[] => {
  const signed = signedThoughts(message);
  if (signed.length > 0) return signed;
  const reasoning = textAt(message, 'reasoning_content') || textAt(message, 'reasoning');
  return reasoning === '' ? [] : [{ text: reasoning, thought: true }];
};

/** Parts of a message, or of a delta without its calls, in their order. */
export const spokenParts = (message: JsonObject): readonly JsonObject[] => {
  const images = imageParts(message);
  const content = textAt(message, 'content') || textAt(message, 'refusal');
  const text = images.length === 0 ? content : withoutPictures(content);
  return [
    ...thoughtParts(message),
    ...objectsAt(message, 'provider_content').filter(({ type }) => type === undefined),
    ...(text === '' ? [] : [{ text, ...signatureOf(message) }]),
    ...images,
    ...audioParts(message),
  ];
};

/** Sources as this protocol names them; undefined: there are none. */
const groundingOf = (message: JsonObject): JsonObject | undefined => {
  const chunks = objectsAt(message, 'annotations')
    .map((annotation) => objectAt(annotation, 'url_citation'))
    .filter((own) => textAt(own, 'url') !== '')
    .map(({ url, title }) => ({ web: defined({ uri: url, title }) }));
  return chunks.length === 0 ? undefined : { groundingChunks: chunks };
};

const chance = ({ token, logprob }: JsonObject): JsonObject => ({ token, logProbability: logprob });

const logprobsOf = (choice: JsonObject): JsonObject | undefined => {
  const content = objectsAt(objectAt(choice, 'logprobs'), 'content');
  if (content.length === 0) return undefined;
  return {
    chosenCandidates: content.map(chance),
    topCandidates: content.map((own) => ({
      candidates: objectsAt(own, 'top_logprobs').map(chance),
    })),
  };
};

const extrasOf = (choice: JsonObject): JsonObject => {
  const message = isObject(choice.message) ? choice.message : objectAt(choice, 'delta');
  return defined({
    groundingMetadata: choice.grounding_metadata ?? groundingOf(message),
    citationMetadata: choice.citation_metadata,
    safetyRatings: choice.safety_ratings,
    urlContextMetadata: choice.url_context_metadata,
    logprobsResult: logprobsOf(choice),
  });
};

export const candidateOf = (
  choice: JsonObject,
  parts: readonly JsonObject[],
  finish: unknown,
): JsonObject => ({
  content: { role: 'model', parts },
  ...(typeof finish === 'string' ? { finishReason: finishReasonOf(finish) } : {}),
  index: typeof choice.index === 'number' ? choice.index : 0,
  ...extrasOf(choice),
});

/** A whole chat answer as this protocol answers. */
export const contentReplyOf = (reply: JsonObject, model: string): JsonObject =>
  defined({
    candidates: objectsAt(reply, 'choices').map((choice) => {
      const message = objectAt(choice, 'message');
      const parts = [...spokenParts(message), ...objectsAt(message, 'tool_calls').map(callPart)];
      return candidateOf(choice, parts, choice.finish_reason);
    }),
    usageMetadata: isObject(reply.usage) ? usageMetadataOf(reply.usage) : undefined,
    modelVersion: textAt(reply, 'model') || model,
    responseId: reply.id,
  });
