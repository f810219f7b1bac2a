import type { ApiError } from '../protocol/api-error.ts';
import { audioSeconds, audioTimeTokens } from '../protocol/audio-length.ts';
import type { CallMedia, MediaOperation } from '../protocol/calls.ts';
import { parseJson } from '../protocol/json.ts';
import type { ScannedBody } from '../protocol/normalise.ts';
import { callError, relayError } from '../protocol/relay-errors.ts';
import { scanMembers } from '../protocol/scan-body.ts';
import { type FormPart, fieldText, filesOf } from '../protocol/scan-form.ts';
import { valueText } from '../protocol/splice.ts';

export type MediaRequest = Readonly<{
  operation: MediaOperation;
  /** Path for the provider, without query. */
  path: string;
  model: string;
}>;

/** What the relay itself requires of a call for pictures or sound. */
export type MediaLimits = Readonly<{ outputLimit: number; media: CallMedia }>;

/** More than any provider makes in one call; `n` must not multiply a price without end. */
const maxPictures = 10;
/** A large picture of the best quality takes about this many tokens. */
const tokensPerPicture = 6_240;
/** Transcripts and reasoning about sound. */
const outputSlack = 65_536;

const badImage = (message: string, param: string): ApiError =>
  callError('invalid_image_request', message, param);
const badAudio = (message: string, param: string): ApiError =>
  callError('invalid_audio_request', message, param);

type Fields = (name: string) => unknown;

/** A text that is drawn or read out; providers take a few thousand letters. */
const maxFieldBytes = 1_048_576;
const tooLong = Symbol('too long');

const jsonFields = (body: Buffer): Fields => {
  const members = scanMembers(body);
  return (name) => {
    const member = members?.get(name);
    if (member === undefined) return undefined;
    // A picture in the body is there, and is not read to be found.
    if (member.valueEnd - member.valueStart > maxFieldBytes) return tooLong;
    return parseJson(valueText(body, member));
  };
};

const fieldsOf = ({ body, form }: ScannedBody): Fields =>
  form === undefined ? jsonFields(body) : (name) => fieldText(body, form, name);

const textAt = (fields: Fields, name: string): string => {
  const value = fields(name);
  return typeof value === 'string' ? value : '';
};

/** Sizes by model (infra/reference/protocols.md, section 7.3); other models are not checked. */
const squares = ['256x256', '512x512', '1024x1024'];
const sizes: Readonly<Record<string, readonly string[]>> = {
  'dall-e': squares,
  'dall-e-2': squares,
  'dall-e-3': ['1024x1024', '1024x1792', '1792x1024'],
};

const sizeProblem = (size: string, model: string): ApiError | null => {
  if (size.includes('×')) return badImage('size must be written with an x, not with ×', 'size');
  const offered = sizes[model];
  if (size === '' || offered === undefined || offered.includes(size)) return null;
  return badImage(`size must be one of ${offered.join(', ')} for ${model}`, 'size');
};

/** null: the value is no number of pictures. Missing and 0 mean one. */
const pictureCount = (value: unknown): number | null => {
  if (value === undefined || value === null || value === '') return 1;
  const isCount = typeof value === 'number' || typeof value === 'string';
  const count = isCount ? Number(value) : Number.NaN;
  if (!Number.isInteger(count) || count < 0 || count > maxPictures) return null;
  return Math.max(count, 1);
};

const missingPart = (path: string, fields: Fields, given: ScannedBody): ApiError | null => {
  const isVariation = path.endsWith('/variations');
  if (fields('prompt') === tooLong) return badImage('prompt is too long', 'prompt');
  if (!isVariation && textAt(fields, 'prompt').trim() === '') {
    return badImage('prompt is required', 'prompt');
  }
  if (path.endsWith('/generations')) return null;
  const { form } = given;
  if (form !== undefined && filesOf(form).length > 0) return null;
  const isNamed = fields('image') !== undefined || fields('images') !== undefined;
  return form === undefined && isNamed ? null : badImage('image is required', 'image');
};

/** Variations are drawn by one model; for others the API does not exist. */
const variable: ReadonlySet<string> = new Set(['dall-e', 'dall-e-2']);
const noVariations = (model: string): ApiError =>
  relayError('api_not_implemented', `${model} draws no variations of pictures`);

const checkImages = ({ path, model }: MediaRequest, given: ScannedBody): MediaLimits | ApiError => {
  if (path.endsWith('/variations') && !variable.has(model)) return noVariations(model);
  const fields = fieldsOf(given);
  const missing = missingPart(path, fields, given);
  if (missing !== null) return missing;
  const size = textAt(fields, 'size');
  const wrongSize = sizeProblem(size, model);
  if (wrongSize !== null) return wrongSize;
  const pictures = pictureCount(fields('n'));
  if (pictures === null) {
    return badImage(`n must be a whole number from 1 to ${maxPictures}`, 'n');
  }
  const outputLimit = /^(?:gpt|chatgpt)-image/.test(model) ? pictures * tokensPerPicture : 0;
  const maxReportedOutputTokens = pictures * 4 * tokensPerPicture;
  const media = { pictures, size, quality: textAt(fields, 'quality') };
  return { outputLimit, media: { ...media, inputTokens: null, maxReportedOutputTokens } };
};

const noPictures = { pictures: 0, size: '', quality: '' } as const;

const codePoints = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

const checkSpeech = ({ model }: MediaRequest, given: ScannedBody): MediaLimits | ApiError => {
  const fields = fieldsOf(given);
  if (fields('input') === tooLong) return badAudio('input is too long', 'input');
  const input = textAt(fields, 'input');
  if (given.form !== undefined || input.trim() === '') {
    return badAudio('input must be a text', 'input');
  }
  // Older speech models are charged by character, newer ones by token.
  const inputTokens = model.startsWith('tts') ? codePoints(input) : null;
  const maxReportedOutputTokens = given.body.length * 4 + outputSlack;
  return { outputLimit: 0, media: { ...noPictures, inputTokens, maxReportedOutputTokens } };
};

const soundIn = (given: ScannedBody): FormPart | undefined =>
  given.form === undefined
    ? undefined
    : filesOf(given.form).find(({ name, start, end }) => name === 'file' && end > start);

const checkTranscription = (given: ScannedBody): MediaLimits | ApiError => {
  const sound = soundIn(given);
  if (sound === undefined) return badAudio('file is required, as a part of a form', 'file');
  const seconds = audioSeconds(given.body.subarray(sound.start, sound.end));
  const inputTokens = audioTimeTokens(seconds);
  const maxReportedOutputTokens = inputTokens * 4 + outputSlack;
  return { outputLimit: 0, media: { ...noPictures, inputTokens, maxReportedOutputTokens } };
};

export const checkMedia = (request: MediaRequest, given: ScannedBody): MediaLimits | ApiError => {
  switch (request.operation) {
    case 'images':
      return checkImages(request, given);
    case 'speech':
      return checkSpeech(request, given);
    case 'transcription':
      return checkTranscription(given);
  }
};

/** For calls that name no model (infra/reference/protocols.md, section 5.2). */
export const defaultMediaModel = (operation: MediaOperation, path: string): string => {
  if (operation === 'speech') return 'tts-1';
  if (operation === 'transcription') return 'whisper-1';
  return path.endsWith('/generations') ? 'dall-e' : 'dall-e-2';
};

/** Fields that decide about price and route: a form that has one of them twice is refused. */
const decisive = ['model', 'n', 'size', 'quality', 'stream', 'stream_format'];

export const ambiguousField = ({ form }: ScannedBody): ApiError | null => {
  const twice = decisive.find(
    (name) => (form?.parts.filter((part) => part.name === name).length ?? 0) > 1,
  );
  return twice === undefined
    ? null
    : callError('invalid_request', `${twice} must be given once`, twice);
};

/** Whether the caller requested a stream. */
export const isMediaStream = ({ operation }: MediaRequest, given: ScannedBody): boolean => {
  const fields = fieldsOf(given);
  if (operation === 'speech') return fields('stream_format') === 'sse';
  const stream = fields('stream');
  return stream === true || (given.form !== undefined && stream === 'true');
};
