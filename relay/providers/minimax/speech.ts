import { minimax as facts } from '../../../domain/channel/providers/minimax.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { defined, objectAt, textAt, without } from '../../protocol/json.ts';
import type { HttpRequest } from '../../upstream/types.ts';
import { baseOf, bearer, jsonRequest } from '../shared/outgoing.ts';
import { formatIn, type SpeechApi, voiceIn } from '../shared/speech.ts';
import type { TranslationContext } from '../translate.ts';
import { refusal } from './refusal.ts';

const formats: ReadonlyMap<string, string> = new Map(
  ['mp3', 'wav', 'flac', 'pcm'].map((name) => [name, name]),
);
const translatedMembers = ['input', 'voice', 'speed', 'response_format', 'instructions'];

/** What MiniMax has in addition to OpenAI (emotion, mixed voices) has its own members. */
const bodyOf = ({ call }: TranslationContext): JsonObject => {
  const { body, upstreamModel } = call;
  const voice = { voice_id: voiceIn(body) || undefined, speed: body.speed };
  const format = formatIn(body, formats);
  return {
    ...without(body, translatedMembers),
    model: upstreamModel,
    text: body.input,
    stream: false,
    output_format: 'hex',
    voice_setting: { ...defined(voice), ...objectAt(body, 'voice_setting') },
    audio_setting: { ...objectAt(body, 'audio_setting'), format },
  };
};

const request = (context: TranslationContext): HttpRequest => {
  const { channel } = context;
  const url = `${baseOf(channel, facts.baseUrl)}/v1/t2a_v2`;
  return jsonRequest(context, { url, headers: bearer(channel), body: bodyOf(context) });
};

/** Hexadecimal; what is none of it is no sound. */
const sound = (answer: JsonObject): Buffer => {
  const hex = textAt(objectAt(answer, 'data'), 'audio');
  const bytes = Buffer.from(hex, 'hex');
  return bytes.length * 2 === hex.length ? bytes : Buffer.alloc(0);
};

/** Speech by MiniMax's T2A v2. */
export const miniMaxSpeech: SpeechApi = { request, refusal, sound };
