import { type ApiError, isApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject, parseObject, textAt } from '../../protocol/json.ts';
import { callError, type RelayErrorCode } from '../../protocol/relay-errors.ts';
import { type FormScan, isForm, scanForm } from '../../protocol/scan-form.ts';
import type { VideoPicture } from '../../providers/shared/videos/video-adapter.ts';

/** The caller's settings of a video; null where it is left open. */
export type GivenOrder = Readonly<{
  model: string;
  prompt: string;
  seconds: number | null;
  size: string | null;
  picture: VideoPicture | null;
}>;

/** A body as the caller sent it, whether as a form or as JSON. */
type Given = Readonly<{ fields: JsonObject; file: VideoPicture | null }>;

/** As in OpenAI's API. */
const defaultModel = 'sora-2';
const maxSeconds = 600;
const known = new Set(['model', 'prompt', 'seconds', 'size', 'input_reference']);
const urlMember = 'input_reference[image_url]';
const fileMember = 'input_reference[file_id]';

const invalid = (
  param: string | null,
  message: string,
  code: RelayErrorCode = 'invalid_value',
): ApiError => callError(code, message, param);

const notJson = invalid(null, 'The body is no JSON object', 'invalid_request_body');
const notForm = invalid(null, 'The body is no readable form', 'invalid_request_body');

const readForm = (raw: Buffer, { parts }: FormScan): Given | ApiError => {
  const fields: JsonObject = {};
  let file: VideoPicture | null = null;
  for (const { name, fileName, contentType, start, end } of parts) {
    if (Object.hasOwn(fields, name) || (name === 'input_reference' && file !== null)) {
      return invalid(name, `Parameter ${name} is given twice`);
    }
    if (fileName === null) fields[name] = raw.toString('utf8', start, end);
    else if (name !== 'input_reference') return invalid(name, `Parameter ${name} takes no file`);
    else file = { kind: 'file', fileName, contentType, bytes: raw.subarray(start, end) };
  }
  const { [urlMember]: image_url, [fileMember]: file_id, ...rest } = fields;
  if (image_url === undefined && file_id === undefined) return { fields, file };
  return { fields: { ...rest, input_reference: { image_url, file_id } }, file };
};

const readBody = (raw: Buffer, contentType: string): Given | ApiError => {
  if (isForm(contentType)) {
    const form = scanForm(raw, contentType);
    return form === null ? notForm : readForm(raw, form);
  }
  const fields = parseObject(raw.toString('utf8'));
  return fields === null ? notJson : { fields, file: null };
};

const isAddress = (url: string): boolean =>
  /^data:image\/[\w.+-]+;base64,/.test(url) ||
  (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol));

const pictureOf = ({ fields, file }: Given): VideoPicture | null | ApiError => {
  const param = 'input_reference';
  const reference = fields[param];
  if (reference === undefined || reference === null) return file;
  if (file !== null || !isObject(reference)) {
    return invalid(param, 'input_reference must be a file, or an object with image_url');
  }
  if (textAt(reference, 'file_id') !== '') {
    return invalid(param, 'input_reference.file_id is not offered: send the picture itself');
  }
  const url = textAt(reference, 'image_url');
  if (isAddress(url)) return { kind: 'url', url };
  return invalid(param, 'input_reference.image_url must be an http address or a picture as data');
};

const secondsOf = (value: unknown): number | null | ApiError => {
  if (value === undefined || value === null) return null;
  const seconds = Number(value);
  const isWhole = Number.isInteger(seconds) && /^\d{1,3}$/.test(String(value));
  if (isWhole && seconds >= 1 && seconds <= maxSeconds) return seconds;
  return invalid('seconds', `seconds must be a whole number from 1 to ${maxSeconds}`);
};

const sizeOf = (value: unknown): string | null | ApiError => {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' && /^[1-9]\d{1,4}x[1-9]\d{1,4}$/.test(value)) return value;
  return invalid('size', 'size must be width and height in pixels, such as 1280x720');
};

/** The prompt of a new video or of a remix. */
const promptOf = (fields: JsonObject): string | ApiError => {
  const prompt = textAt(fields, 'prompt');
  return prompt.trim() === '' ? invalid('prompt', 'prompt is required') : prompt;
};

const unknownIn = (fields: JsonObject, names: ReadonlySet<string>): ApiError | null => {
  const name = Object.keys(fields).find((own) => !names.has(own));
  if (name === undefined) return null;
  const shown = name.slice(0, 64);
  return invalid(shown, `Unknown parameter: ${shown}`, 'unknown_parameter');
};

/**
 * The body of POST /v1/videos. Members that are not OpenAI's are refused: one that went up unread
 * could make a longer or dearer video than the one that is paid for.
 */
export const readOrder = (raw: Buffer, contentType: string): GivenOrder | ApiError => {
  const given = readBody(raw, contentType);
  if (isApiError(given)) return given;
  const { fields } = given;
  const unknown = unknownIn(fields, known);
  if (unknown !== null) return unknown;
  const prompt = promptOf(fields);
  if (isApiError(prompt)) return prompt;
  const seconds = secondsOf(fields.seconds);
  if (isApiError(seconds)) return seconds;
  const size = sizeOf(fields.size);
  if (isApiError(size)) return size;
  const picture = pictureOf(given);
  if (isApiError(picture)) return picture;
  return { model: textAt(fields, 'model') || defaultModel, prompt, seconds, size, picture };
};

const ofRemix = new Set(['prompt']);

/** The body of POST /v1/videos/{id}/remix: the new prompt. */
export const readRemix = (raw: Buffer, contentType: string): string | ApiError => {
  const given = readBody(raw, contentType);
  if (isApiError(given)) return given;
  return unknownIn(given.fields, ofRemix) ?? promptOf(given.fields);
};
