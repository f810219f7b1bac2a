import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject, objectAt, parseObject, textAt } from '../../protocol/json.ts';
import { orRefusal, refuseRequest } from '../../protocol/refusal.ts';
import type { HttpReply, HttpRequest } from '../../upstream/types.ts';
import type { OpenAiReply, TranslatingAdapter, TranslationContext } from '../translate.ts';
import { unusableReply } from './failure.ts';

/**
 * An API for speech that a provider has in addition to its chat, with audio inside JSON. Steps may
 * refuse.
 */
export type SpeechApi = Readonly<{
  request: (context: TranslationContext) => HttpRequest;
  /** The error that an answer of HTTP 200 contains; null when it contains none. */
  refusal: (answer: JsonObject) => ApiError | null;
  /** Empty when the answer holds no sound. */
  sound: (answer: JsonObject) => Buffer;
}>;

const contentTypes: ReadonlyMap<string, string> = new Map([
  ['mp3', 'audio/mpeg'],
  ['wav', 'audio/wav'],
  ['flac', 'audio/flac'],
  ['pcm', 'audio/pcm'],
  ['opus', 'audio/ogg'],
]);

/** OpenAI's default. */
const defaultFormat = 'mp3';

const formatOf = (body: JsonObject): string => textAt(body, 'response_format') || defaultFormat;

/**
 * The provider's name of the requested format.
 * @throws a refusal when the provider does not have it
 */
export const formatIn = (body: JsonObject, names: ReadonlyMap<string, string>): string =>
  names.get(formatOf(body)) ??
  refuseRequest(`response_format must be one of ${[...names.keys()].join(', ')}`);

/** OpenAI writes the voice as a name or as an object with an id. */
export const voiceIn = (body: JsonObject): string =>
  isObject(body.voice) ? textAt(objectAt(body, 'voice'), 'id') : textAt(body, 'voice');

const soundReply = (
  { body }: HttpReply,
  { call }: TranslationContext,
  speech: SpeechApi,
): OpenAiReply | ApiError => {
  const answer = parseObject(body.toString('utf8'));
  if (answer === null) return unusableReply();
  const refused = speech.refusal(answer);
  if (refused !== null) return refused;
  const sound = speech.sound(answer);
  if (sound.length === 0) return unusableReply('The provider gave no sound');
  const contentType = contentTypes.get(formatOf(call.body)) ?? 'application/octet-stream';
  return { status: 200, contentType, body: sound, usage: null };
};

/**
 * A provider's adapter with its speech; the speech is counted, because no provider reports tokens.
 */
export const withSpeech = (other: TranslatingAdapter, speech: SpeechApi): TranslatingAdapter => {
  const isOurs = ({ call }: TranslationContext): boolean => call.operation === 'speech';
  return {
    ...other,
    operations: [...other.operations, 'speech'],
    request: (context) =>
      isOurs(context) ? orRefusal(() => speech.request(context)) : other.request(context),
    reply: async (reply, context) =>
      isOurs(context) ? soundReply(reply, context, speech) : other.reply(reply, context),
    failure: (reply) => {
      const answer = parseObject(reply.body.toString('utf8'));
      return (answer === null ? null : speech.refusal(answer)) ?? other.failure(reply);
    },
  };
};
