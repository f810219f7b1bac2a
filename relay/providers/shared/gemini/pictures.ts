import { type ApiError, isApiError } from '../../../protocol/api-error.ts';
import type { JsonObject } from '../../../protocol/canonical.ts';
import {
  defined,
  isObject,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
} from '../../../protocol/json.ts';
import { refuseRequest } from '../../../protocol/refusal.ts';
import type { HttpReply } from '../../../upstream/types.ts';
import type { OpenAiReply, TranslationContext } from '../../translate.ts';
import { createMediaLoader, type MediaLoader } from '../media.ts';
import { refuseChoices } from '../messages.ts';
import { createdNow } from '../openai-chunks.ts';
import { readAnswer } from './reply.ts';
import { safetyOf } from './request.ts';
import { reportedGemini } from './usage.ts';

type Call = TranslationContext['call'];

/** Models that only draw are called by prediction; others draw within an answer. */
export const isPredicting = ({ upstreamModel }: Call): boolean =>
  !upstreamModel.startsWith('gemini');

const ratios: Readonly<Record<string, string>> = {
  '1024x1024': '1:1',
  '1024x1792': '9:16',
  '1792x1024': '16:9',
  '1536x1024': '3:2',
  '1024x1536': '2:3',
};

/** The shape of a picture by its size; undefined where the provider may choose. */
export const aspectRatioOf = (body: JsonObject): string | undefined => ratios[textAt(body, 'size')];

export const isEdit = ({ path }: Call): boolean => path.startsWith('/v1/images/edits');

const inline = (mimeType: string, data: string): JsonObject => ({ inlineData: { mimeType, data } });

const formPictures = (form: FormData): Promise<readonly JsonObject[]> =>
  Promise.all(
    [...form.getAll('image'), ...form.getAll('image[]')].map(async (file) =>
      typeof file === 'string'
        ? refuseRequest('image must be a file')
        : inline(
            file.type || 'image/png',
            Buffer.from(await file.arrayBuffer()).toString('base64'),
          ),
    ),
  );

const sourceOf = (image: unknown): string =>
  isObject(image) ? textAt(image, 'image_url') : String(image);

/** Pictures in JSON: addresses or data, alone or in a list. */
const bodyPictures = (body: JsonObject, load: MediaLoader): Promise<readonly JsonObject[]> => {
  const given = body.images ?? body.image ?? [];
  const sources = (Array.isArray(given) ? given : [given]).map(sourceOf);
  return Promise.all(
    sources.map(async (source) => {
      const { mimeType, data } = await load(source);
      return inline(mimeType, data);
    }),
  );
};

const pictureParts = async ({ call, io }: TranslationContext): Promise<readonly JsonObject[]> => {
  if (!isEdit(call)) return [];
  const hasMask = call.form === null ? call.body.mask !== undefined : call.form.has('mask');
  if (hasMask)
    refuseRequest('mask is not supported by this model: describe the change in the prompt');
  const parts =
    call.form === null
      ? await bodyPictures(call.body, createMediaLoader(io))
      : await formPictures(call.form);
  return parts.length === 0 ? refuseRequest('image is missing') : parts;
};

/** A picture to be made, or changed, within an answer. @throws refusals */
export const pictureBody = async (context: TranslationContext): Promise<JsonObject> => {
  const { body } = context.call;
  refuseChoices(body);
  const parts = [...(await pictureParts(context)), { text: textAt(body, 'prompt') }];
  const aspectRatio = aspectRatioOf(body);
  return {
    contents: [{ role: 'user', parts }],
    safetySettings: safetyOf(context),
    generationConfig: defined({
      responseModalities: ['TEXT', 'IMAGE'],
      imageConfig: aspectRatio === undefined ? undefined : { aspectRatio },
    }),
  };
};

/** Tokens in the terms of OpenAI's pictures. */
const shownUsage = (usage: JsonObject): JsonObject => {
  const input = numberAt(usage, 'promptTokenCount') ?? 0;
  const output =
    (numberAt(usage, 'candidatesTokenCount') ?? 0) + (numberAt(usage, 'thoughtsTokenCount') ?? 0);
  return { input_tokens: input, output_tokens: output, total_tokens: input + output };
};

const spokenIn = (parts: readonly JsonObject[]): string =>
  parts
    .filter(({ thought }) => thought !== true)
    .map((part) => textAt(part, 'text'))
    .join('')
    .slice(0, 500);

/** The pictures of an answer; one without any is an error with the model's text. */
export const pictureReply = (
  reply: HttpReply,
  { io }: TranslationContext,
): OpenAiReply | ApiError => {
  const answer = readAnswer(reply);
  if (isApiError(answer)) return answer;
  const [candidate = {}] = objectsAt(answer, 'candidates');
  const parts = objectsAt(objectAt(candidate, 'content'), 'parts');
  const data = parts
    .filter(({ thought }) => thought !== true)
    .map((part) => textAt(objectAt(part, 'inlineData'), 'data'))
    .filter((bytes) => bytes !== '')
    .map((b64_json) => ({ b64_json }));
  if (data.length === 0) {
    const message =
      spokenIn(parts) || `The provider made no image: ${textAt(candidate, 'finishReason')}`;
    return { status: 400, message, type: 'upstream_error', code: 'no_images' };
  }
  const usage = objectAt(answer, 'usageMetadata');
  const body = { created: createdNow(io), data, usage: shownUsage(usage) };
  return { status: 200, contentType: 'application/json', body, usage: reportedGemini(usage) };
};
