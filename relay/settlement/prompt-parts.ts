import { wordedMembers } from '../protocol/worded-members.ts';
import {
  dataOf,
  fileTokens,
  imageTokens,
  type MediaFamily,
  mediaFamilyOf,
  soundTokens,
} from './prompt-media.ts';

export type Fields = Readonly<Record<string, unknown>>;
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Deeper parts count as they are written. */
const maxDepth = 32;
/** Longer text without a blank is bytes and no prose, where its name does not decide it. */
const blobChars = 4_096;
const blob = /^[A-Za-z0-9+/=_-]+$/;

/**
 * Members without meaning to a model: kinds, numbers of things, what its provider alone can read.
 */
const unread: ReadonlySet<string> = new Set([
  ...['type', 'id', 'tool_use_id', 'tool_call_id', 'call_id', 'status', 'cache_control'],
  ...['signature', 'thoughtSignature', 'thought_signature', 'encrypted_content', 'citations'],
  ...['annotations', 'logprobs', 'mimeType', 'mime_type', 'media_type', 'file_id', 'fileUri'],
]);

const isBlob = (value: string): boolean =>
  value.length >= blobChars && blob.test(dataOf(value) ?? value);

const textAt = (fields: Fields, name: string): string | null => {
  const value = fields[name];
  return typeof value === 'string' ? value : null;
};

/** The text and the tokens of one prompt, gathered part by part. */
export class Tally {
  readonly texts: string[] = [];
  tokens = 0;
  readonly family: MediaFamily;

  constructor(model: string) {
    this.family = mediaFamilyOf(model);
  }

  text(value: unknown): void {
    if (typeof value === 'string' && value !== '') this.texts.push(value);
  }

  /** A definition or an argument as its provider shows it to the model. */
  json(value: unknown): void {
    if (value !== undefined && value !== null) this.texts.push(JSON.stringify(value));
  }

  /** Pictures as plain base64. */
  pictures(value: unknown): void {
    if (!Array.isArray(value)) return;
    for (const data of value) {
      if (typeof data === 'string') this.tokens += imageTokens(this.family, data);
    }
  }

  /** The text of a content: a text, parts, or a list of either. */
  content(value: unknown, depth = 0): void {
    if (typeof value === 'string') this.text(value);
    else if (depth > maxDepth) this.json(value);
    else if (Array.isArray(value)) for (const part of value) this.content(part, depth + 1);
    else if (isFields(value)) this.part(value, depth);
  }

  private part(part: Fields, depth: number): void {
    if (this.binary(part) || this.call(part) || this.hosted(part)) return;
    for (const [name, value] of Object.entries(part)) {
      if (unread.has(name)) continue;
      if (typeof value !== 'string') this.content(value, depth + 1);
      else if (wordedMembers.has(name) || !isBlob(value)) this.text(value);
    }
  }

  /** Calls of tools, as each protocol writes them. */
  private call(part: Fields): boolean {
    if (
      part.type === 'tool_use' ||
      part.type === 'server_tool_use' ||
      part.type === 'mcp_tool_use'
    ) {
      this.text(part.name);
      this.json(part.input);
      return true;
    }
    const called = part.functionCall ?? part.functionResponse;
    if (!isFields(called)) return false;
    this.text(called.name);
    this.json(called.args ?? called.response);
    this.content(called.parts);
    return true;
  }

  /** What OpenAI's own tools left in the conversation. */
  private hosted(part: Fields): boolean {
    if (part.type === 'mcp_list_tools') this.json(part.tools);
    else if (part.type === 'image_generation_call') {
      this.text(part.revised_prompt);
      this.tokens += imageTokens(this.family, textAt(part, 'result'));
    } else return false;
    return true;
  }

  /** Pictures, sound and files, by rule. */
  private binary(part: Fields): boolean {
    const { type } = part;
    if (part.image_url !== undefined || type === 'input_image') this.openAiImage(part);
    else if (type === 'video_url' || type === 'audio_url') this.recording(part[type]);
    else if (type === 'input_audio') this.openAiSound(part.input_audio);
    else if (type === 'file' || type === 'input_file') this.openAiFile(part);
    else if (type === 'image') this.tokens += imageTokens(this.family, sourceData(part.source));
    else if (type === 'document') this.document(part);
    else if (type === 'container_upload') this.tokens += fileTokens(this.family, null);
    else if (type === 'redacted_thinking') return true;
    else return this.geminiData(part);
    return true;
  }

  private openAiImage(part: Fields): void {
    const image = part.image_url;
    const url = isFields(image) ? textAt(image, 'url') : image;
    const detail = isFields(image) ? image.detail : part.detail;
    const base64 = typeof url === 'string' ? dataOf(url) : null;
    this.tokens += imageTokens(this.family, base64, detail);
  }

  private openAiSound(sound: unknown): void {
    this.tokens += soundTokens(this.family, isFields(sound) ? textAt(sound, 'data') : null);
  }

  /** Sound and films by address, as further providers of OpenAI's protocol take them. */
  private recording(address: unknown): void {
    const url = isFields(address) ? textAt(address, 'url') : address;
    this.tokens += soundTokens(this.family, typeof url === 'string' ? dataOf(url) : null);
  }

  private openAiFile(part: Fields): void {
    const own = isFields(part.file) ? part.file : part;
    const data = textAt(own, 'file_data');
    this.tokens += fileTokens(this.family, data === null ? null : (dataOf(data) ?? data));
  }

  private document(part: Fields): void {
    this.text(part.title);
    this.text(part.context);
    this.content(part.document);
    const { source } = part;
    if (!isFields(source)) return;
    if (source.type === 'text') this.text(source.data);
    else if (source.type === 'content') this.content(source.content);
    else this.tokens += fileTokens(this.family, sourceData(source));
  }

  private geminiData(part: Fields): boolean {
    const own = part.inlineData ?? part.inline_data ?? part.fileData ?? part.file_data;
    if (!isFields(own)) return false;
    const mime = textAt(own, 'mimeType') ?? textAt(own, 'mime_type') ?? '';
    const data = textAt(own, 'data');
    if (mime.startsWith('text/') && data !== null) {
      this.text(Buffer.from(data, 'base64').toString('utf8'));
    } else if (/^(?:audio|video)\//.test(mime)) this.tokens += soundTokens(this.family, data);
    else if (mime.startsWith('application/')) this.tokens += fileTokens(this.family, data);
    else this.tokens += imageTokens(this.family, data);
    return true;
  }
}

const sourceData = (source: unknown): string | null =>
  isFields(source) && source.type === 'base64' ? textAt(source, 'data') : null;
