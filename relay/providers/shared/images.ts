import type { JsonObject } from '../../protocol/canonical.ts';
import { defined, isObject, objectAt, textAt } from '../../protocol/json.ts';
import { refuse } from '../../protocol/refusal.ts';
import type { TranslationContext } from '../translate.ts';
import { maxMediaBytes } from './media.ts';

/** Members of OpenAI's image request; everything else in a body is meant for the provider. */
const imageMembers: readonly string[] = [
  'model',
  'prompt',
  'n',
  'size',
  'quality',
  'style',
  'response_format',
  'user',
  'background',
  'moderation',
  'output_format',
  'output_compression',
  'stream',
  'partial_images',
];

const downloaded = async (url: string, { io }: TranslationContext): Promise<string> => {
  const reply = await io.fetch({
    method: 'GET',
    url,
    headers: { accept: '*/*' },
    body: null,
    maxBytes: maxMediaBytes,
  });
  const isFine = reply.status >= 200 && reply.status <= 299;
  if (isFine) return reply.body.toString('base64');
  return refuse({
    status: 502,
    message: 'A picture that the provider made could not be fetched',
    type: 'upstream_error',
    code: 'bad_response_body',
  });
};

/**
 * Pictures as the caller requests them: providers keep theirs at an address for a while only.
 * @throws a refusal when one cannot be fetched.
 */
export const picturesAsAsked = async (
  pictures: readonly JsonObject[],
  context: TranslationContext,
): Promise<readonly JsonObject[]> => {
  if (context.call.body.response_format !== 'b64_json') return pictures;
  return Promise.all(
    pictures.map(async (picture) => {
      const url = textAt(picture, 'url');
      if (url === '' || picture.b64_json !== undefined) return picture;
      const { url: _, ...rest } = picture;
      return { ...rest, b64_json: await downloaded(url, context) };
    }),
  );
};

/** Members in addition to OpenAI's own, and those in `member` if the caller wrote them so. */
export const providerMembers = (body: JsonObject, member: string): JsonObject => {
  const own = Object.entries(body).filter(
    ([name, value]) => !imageMembers.includes(name) && name !== member && !isObject(value),
  );
  return defined({ ...Object.fromEntries(own), ...objectAt(body, member) });
};
