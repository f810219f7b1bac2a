import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject } from '../../protocol/json.ts';
import { refused } from './refused.ts';

/*
 * What a request of a batch can use at most. A batch is charged by this, and gets back at its end what
 * it did not use: everything here errs on the high side.
 */

/** Text in JSON is longer than this for each token; numbers of tokens are shorter. */
const bytesPerToken = 3;
const bytesPerNumber = 2;
/** Of the model that counts pictures highest. */
const tokensPerPicture = 40_000;
const maxDepth = 64;

/** What is kept by the provider under one key for all users, or is longer than it shows. */
const foreign: ReadonlySet<string> = new Set([
  'file_id',
  'file_ids',
  'file_url',
  'container',
  // Audio has a separate price.
  'input_audio',
]);

type Pictures = { count: number; bytes: number };

const isPictureText = (name: string, value: string): boolean =>
  (name === 'url' || name === 'image_url') && /^(?:data:image\/|https?:)/.test(value);

const isPictureSource = (owner: JsonObject, name: string): boolean =>
  name === 'data' && typeof owner.media_type === 'string' && owner.media_type.startsWith('image/');

const note = (pictures: Pictures, owner: JsonObject, name: string): void => {
  const value = owner[name];
  if (typeof value !== 'string') return;
  if (!isPictureText(name, value) && !isPictureSource(owner, name)) return;
  pictures.count += 1;
  pictures.bytes += Buffer.byteLength(value);
};

/** @throws a refusal when it names content that is kept elsewhere, or is nested too deeply */
const walk = (value: unknown, pictures: Pictures | null, depth: number): void => {
  if (depth > maxDepth) throw refused('invalid_request', 'A request is nested too deeply');
  if (Array.isArray(value)) {
    for (const item of value) walk(item, pictures, depth + 1);
    return;
  }
  if (!isObject(value)) return;
  for (const name of Object.keys(value)) {
    if (foreign.has(name) && value[name] != null) {
      throw refused(
        'unsupported_parameter',
        `${name} is not supported in batches: put text and images into the request itself`,
        name,
      );
    }
    if (pictures !== null) note(pictures, value, name);
    walk(value[name], pictures, depth + 1);
  }
};

const conversations = ['messages', 'input', 'system'] as const;

/** Prompt tokens of a request that is so many bytes long as JSON. */
export const promptTokensOf = (body: JsonObject, bytes: number): number => {
  const pictures: Pictures = { count: 0, bytes: 0 };
  for (const name of conversations) walk(body[name], pictures, 0);
  const { messages: _messages, input: _input, system: _system, ...rest } = body;
  walk(rest, null, 0);
  const isNumbers = Array.isArray(body.input ?? body.prompt);
  const perToken = isNumbers ? bytesPerNumber : bytesPerToken;
  return Math.ceil((bytes - pictures.bytes) / perToken) + pictures.count * tokensPerPicture;
};
