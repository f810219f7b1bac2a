import { type ApiError, isApiError } from '../../../protocol/api-error.ts';
import type { JsonObject } from '../../../protocol/canonical.ts';
import { objectAt, objectsAt, textAt } from '../../../protocol/json.ts';
import { refuseRequest } from '../../../protocol/refusal.ts';
import type { HttpReply } from '../../../upstream/types.ts';
import type { OpenAiReply, TranslationContext } from '../../translate.ts';
import { unusableReply } from '../failure.ts';
import { voiceIn } from '../speech.ts';
import { readAnswer } from './reply.ts';
import { reportedGemini } from './usage.ts';

/** The provider returns samples; they are passed on as such, or in a file that describes them. */
const formats: ReadonlySet<string> = new Set(['wav', 'pcm']);
const formatOf = (body: JsonObject): string => textAt(body, 'response_format') || 'wav';

/** Names of OpenAI's voices do not exist here: one of the provider's own replaces them. */
const ofOpenAi: ReadonlySet<string> = new Set([
  ...['', 'alloy', 'ash', 'ballad', 'coral', 'echo', 'fable', 'onyx', 'nova', 'sage', 'shimmer'],
  ...['verse', 'marin', 'cedar'],
]);
const defaultName = 'Kore';

/** Speech as a generateContent body. @throws a refusal of forms that the provider does not have */
export const speechBody = ({ call }: TranslationContext): JsonObject => {
  const { body, upstreamModel } = call;
  if (!upstreamModel.includes('tts')) refuseRequest(`${upstreamModel} does not generate speech`);
  if (!formats.has(formatOf(body))) refuseRequest('response_format must be one of wav, pcm');
  const manner = textAt(body, 'instructions');
  const voice = voiceIn(body);
  const voiceName = ofOpenAi.has(voice) ? defaultName : voice;
  const text = manner === '' ? textAt(body, 'input') : `${manner}:\n${textAt(body, 'input')}`;
  return {
    contents: [{ role: 'user', parts: [{ text }] }],
    generationConfig: {
      responseModalities: ['AUDIO'],
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName } } },
    },
  };
};

const bytesPerSample = 2;
const defaultRate = 24_000;

/** The samples as a file: one channel of 16 bits. */
const waveOf = (samples: Buffer, rate: number): Buffer => {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * bytesPerSample, 28);
  head.writeUInt16LE(bytesPerSample, 32);
  head.writeUInt16LE(8 * bytesPerSample, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
};

const rateIn = (mimeType: string): number =>
  Number(/rate=(\d+)/.exec(mimeType)?.[1] ?? defaultRate);

export const speechReply = (
  reply: HttpReply,
  { call }: TranslationContext,
): OpenAiReply | ApiError => {
  const answer = readAnswer(reply);
  if (isApiError(answer)) return answer;
  const [candidate = {}] = objectsAt(answer, 'candidates');
  const sounds = objectsAt(objectAt(candidate, 'content'), 'parts')
    .map((part) => objectAt(part, 'inlineData'))
    .filter((own) => textAt(own, 'data') !== '');
  const [first] = sounds;
  if (first === undefined) return unusableReply('The provider gave no sound');
  const samples = Buffer.concat(sounds.map((own) => Buffer.from(textAt(own, 'data'), 'base64')));
  const isFile = formatOf(call.body) === 'wav';
  return {
    status: 200,
    contentType: isFile ? 'audio/wav' : 'audio/pcm',
    body: isFile ? waveOf(samples, rateIn(textAt(first, 'mimeType'))) : samples,
    usage: reportedGemini(objectAt(answer, 'usageMetadata')),
  };
};
