import type { JsonObject } from '../../protocol/canonical.ts';
import { parseObject } from '../../protocol/json.ts';
import { refuse } from '../../protocol/refusal.ts';
import type { HttpRequest, ProviderIo } from '../../upstream/types.ts';
import { upstreamFailure } from './failure.ts';
import type { Media } from './media.ts';

const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'text/plain': 'txt',
};

const fileName = ({ mimeType }: Media): string => {
  const extension = extensions[mimeType] ?? mimeType.split('/')[1]?.replace(/[^\w]/g, '') ?? 'bin';
  return `${mimeType.startsWith('image/') ? 'image' : 'file'}.${extension}`;
};

/** A form with one file and the fields next to it. */
export const uploadForm = (
  media: Media,
  fields: Readonly<Record<string, string>> = {},
): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const bytes = Buffer.from(media.data, 'base64');
  form.append('file', new Blob([bytes], { type: media.mimeType }), fileName(media));
  return form;
};

export type HelperCall = Readonly<{
  method: HttpRequest['method'];
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: HttpRequest['body'];
}>;

/** An answer of success that is no JSON is the provider's fault. */
const failed = (status: number): number => (status >= 200 && status <= 299 ? 502 : status);

/**
 * A call of the gateway's own to the provider, answered by a JSON object.
 * @throws a refusal with the provider's text when it refused
 */
export const helperCall = async (
  io: ProviderIo,
  { method, url, headers, body = null }: HelperCall,
): Promise<JsonObject> => {
  const reply = await io.fetch({ method, url, headers, body });
  const answer = parseObject(reply.body.toString('utf8'));
  const isFine = reply.status >= 200 && reply.status <= 299 && answer !== null;
  return isFine ? answer : refuse(upstreamFailure({ ...reply, status: failed(reply.status) }));
};
