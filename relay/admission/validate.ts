import type { ApiError } from '../protocol/api-error.ts';
import type { TextOperation } from '../protocol/calls.ts';
import { parseJson } from '../protocol/json.ts';
import type { ScannedBody } from '../protocol/normalise.ts';
import { producesText } from '../protocol/operations.ts';
import { relayError } from '../protocol/relay-errors.ts';
import { type BodyScan, type Member, scanMembers } from '../protocol/scan-body.ts';
import { fieldText } from '../protocol/scan-form.ts';
import { shortText } from '../protocol/splice.ts';

/** Half of what fits a signed 32-bit number; providers overflow above it. */
export const maxMaxTokens = 1_073_741_823;
const maxChoices = 128;

const maxNumberBytes = 64;
/** A list with nothing in it may hold blanks. */
const maxBlankBytes = 256;
const maxModelBytes = 1_024;
const maxOptionsBytes = 4_096;
/** With the shape that an answer is to have. */
const maxConfigBytes = 1_048_576;

export const invalid = (message: string, param: string | null = null): ApiError => ({
  ...relayError('invalid_text_request', message),
  type: 'invalid_request_error',
  param,
});

export const noModel = invalid('Invalid request: model is required', 'model');

const isLonger = (member: Member | undefined, maxBytes: number): boolean =>
  member !== undefined && member.valueEnd - member.valueStart > maxBytes;

const isEmptyArray = (text: string): boolean => /^\[\s*\]$/.test(text);

const startsWith = (body: Buffer, member: Member, byte: number): boolean =>
  body[member.valueStart] === byte;

const messagesProblem = (body: Buffer, member: Member | undefined): ApiError | null => {
  const isList = member !== undefined && startsWith(body, member, 0x5b);
  if (!isList) return invalid('Invalid request: messages must be a list', 'messages');
  if (isEmptyArray(shortText(body, member, maxBlankBytes))) {
    return invalid('Invalid request: messages must not be empty', 'messages');
  }
  return null;
};

const isNull = (body: Buffer, member: Member): boolean => startsWith(body, member, 0x6e);

const isEmptyText = (member: Member, body: Buffer): boolean =>
  startsWith(body, member, 0x22) && member.valueEnd - member.valueStart === 2;

export const isNothing = (body: Buffer, member: Member): boolean =>
  isNull(body, member) ||
  isEmptyText(member, body) ||
  (startsWith(body, member, 0x5b) && isEmptyArray(shortText(body, member, maxBlankBytes)));

const rankingProblem = (body: Buffer): ApiError | null => {
  const members = scanMembers(body);
  const missing = (['query', 'documents'] as const).find((name) => {
    const member = members?.get(name);
    return member === undefined || isNothing(body, member);
  });
  return missing === undefined
    ? null
    : {
        ...invalid(`Invalid request: ${missing} is required`, missing),
        code: `invalid_${missing}`,
      };
};

const contentProblem = (
  operation: TextOperation,
  body: Buffer,
  { members }: BodyScan,
): ApiError | null => {
  if (operation === 'chat') return messagesProblem(body, members.messages);
  if (operation === 'completions') {
    const { prompt } = members;
    if (prompt === undefined || !isEmptyText(prompt, body)) return null;
    return invalid('Invalid request: prompt must not be empty', 'prompt');
  }
  if (operation === 'rerank') return rankingProblem(body);
  const { input, prompt } = members;
  // Stored prompts of the Responses API need no input.
  if (operation === 'responses' && prompt !== undefined) return null;
  if (input !== undefined && !isNull(body, input)) return null;
  return invalid('Invalid request: input is required', 'input');
};

/** A whole number that a member names; null when it names none. */
const wholeNumber = (body: Buffer, member: Member | undefined): number | null => {
  if (member === undefined) return null;
  const text = shortText(body, member, maxNumberBytes);
  const value = Number(text);
  return text !== '' && Number.isFinite(value) ? value : null;
};

export type TextLimits = Readonly<{
  /** Output tokens over all choices that the client allows; null: no limit named. */
  outputLimit: number | null;
}>;

const responseLimit = (body: Buffer): TextLimits => {
  const limit = wholeNumber(body, scanMembers(body)?.get('max_output_tokens')) ?? 0;
  return { outputLimit: limit > 0 ? Math.min(Math.ceil(limit), maxMaxTokens) : null };
};

/** What the relay itself requires of a text call; the rest is for the provider to judge. */
export const checkText = (
  operation: TextOperation,
  body: Buffer,
  scan: BodyScan,
): TextLimits | ApiError => {
  const problem = contentProblem(operation, body, scan);
  if (problem !== null) return problem;
  if (!producesText(operation)) return { outputLimit: 0 };
  if (operation === 'responses') return responseLimit(body);
  const { members } = scan;
  if (isLonger(members.stream_options, maxOptionsBytes)) {
    return invalid('Invalid request: stream_options is too long', 'stream_options');
  }
  const plain = wholeNumber(body, members.max_tokens);
  if (plain !== null && plain > maxMaxTokens) {
    return invalid('Invalid request: max_tokens is too large', 'max_tokens');
  }
  const limit = Math.max(plain ?? 0, wholeNumber(body, members.max_completion_tokens) ?? 0);
  if (limit <= 0) return { outputLimit: null };
  const choices = Math.min(Math.max(wholeNumber(body, members.n) ?? 1, 1), maxChoices);
  return { outputLimit: Math.min(Math.ceil(limit), maxMaxTokens) * Math.ceil(choices) };
};

const maxOf = (config: unknown): number => {
  if (typeof config !== 'object' || config === null) return 0;
  const limit = 'maxOutputTokens' in config ? Number(config.maxOutputTokens) : 0;
  const choices = 'candidateCount' in config ? Number(config.candidateCount) : 1;
  const isLimited = Number.isFinite(limit) && limit > 0;
  return isLimited ? Math.ceil(limit) * Math.min(Math.max(choices || 1, 1), maxChoices) : 0;
};

/** The same for bodies of generateContent and embedContent. */
export const checkContents = (operation: TextOperation, body: Buffer): TextLimits | ApiError => {
  const members = scanMembers(body);
  if (operation === 'embeddings') {
    const isAsked = members?.has('content') === true || members?.has('requests') === true;
    return isAsked ? { outputLimit: 0 } : invalid('content is required', 'content');
  }
  const contents = members?.get('contents');
  if (contents === undefined || isEmptyArray(shortText(body, contents, maxBlankBytes))) {
    return invalid('contents is required and must not be empty', 'contents');
  }
  const config = members?.get('generationConfig');
  if (isLonger(config, maxConfigBytes)) {
    return invalid('generationConfig is too long', 'generationConfig');
  }
  const limit =
    config === undefined ? 0 : maxOf(parseJson(shortText(body, config, maxConfigBytes)));
  return { outputLimit: limit === 0 ? null : Math.min(limit, maxMaxTokens) };
};

/** The requested model; null when none can be read. */
export const modelOf = ({ body, scan, form }: ScannedBody): string | null => {
  if (form !== undefined) return fieldText(body, form, 'model')?.trim() || null;
  const { model } = scan.members;
  if (model === undefined || !startsWith(body, model, 0x22)) return null;
  const text = shortText(body, model, maxModelBytes);
  if (text === '') return null;
  if (!text.includes('\\')) return text.length === 2 ? null : text.slice(1, -1);
  try {
    return String(JSON.parse(text)) || null;
  } catch {
    return null;
  }
};

/** Where streaming is the default: a literal false. */
export const refusesStream = (body: Buffer, { members }: BodyScan): boolean =>
  members.stream !== undefined && startsWith(body, members.stream, 0x66);

/** Only a literal true: what a provider makes of anything else is its own affair. */
export const isStreamed = (body: Buffer, { members }: BodyScan): boolean =>
  members.stream !== undefined && startsWith(body, members.stream, 0x74);
