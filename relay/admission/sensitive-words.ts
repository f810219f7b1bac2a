import type { WordMatcher } from '../feeds/word-matcher.ts';
import type { ApiError } from '../protocol/api-error.ts';
import { relayError } from '../protocol/relay-errors.ts';
import type { Caller } from './caller.ts';
import type { AdmissionDeps } from './deps.ts';

export const sensitiveWords: ApiError = {
  ...relayError('sensitive_words_detected'),
  type: 'invalid_request_error',
};

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Members, in small letters, that contain the text of a person or a model, in any caller protocol. */
const spoken: ReadonlySet<string> = new Set([
  ...['messages', 'system', 'prompt', 'input', 'instructions', 'content', 'text', 'parts'],
  ...['contents', 'systeminstruction', 'system_instruction', 'requests'],
]);

const maxDepth = 12;

/** Members of documents have any names. */
const documentTexts = ({ documents, document }: Fields): readonly string[] =>
  [documents, document].filter((own) => own !== undefined).map((own) => JSON.stringify(own));

const gather = (value: unknown, texts: string[], depth: number): void => {
  if (typeof value === 'string') texts.push(value);
  else if (depth < maxDepth && Array.isArray(value)) {
    for (const part of value) gather(part, texts, depth + 1);
  } else if (depth < maxDepth && isFields(value)) {
    // Compared without regard to case and width, as the least strict reader of JSON does.
    for (const [member, own] of Object.entries(value)) {
      if (spoken.has(member.normalize('NFKC').toLowerCase())) gather(own, texts, depth + 1);
    }
    texts.push(...documentTexts(value));
  }
};

/** The texts of a request, message by message; pictures and names are left out. */
const spokenTexts = (body: Buffer): readonly string[] => {
  const texts: string[] = [];
  const request: unknown = JSON.parse(body.toString('utf8'));
  if (isFields(request)) gather(request, texts, 0);
  return texts;
};

/** The first word found in a text, in whatever letters it is written. */
export const wordIn = (words: WordMatcher, text: string): string | null =>
  words.next(Buffer.from(text.toLowerCase()))?.word ?? null;

/** Raw bytes first: bodies without a word, which are nearly all, are never parsed. */
export const wordInBody = (words: WordMatcher, body: Buffer): string | null => {
  if (!words.mayHold(body)) return null;
  for (const text of spokenTexts(body)) {
    const word = wordIn(words, text);
    if (word !== null) return word;
  }
  return null;
};

/** Members with data, or with an address of it. */
const isData = (name: string, text: string): boolean =>
  /base64|^audio$|^data$/i.test(name) || text.startsWith('data:');

const allTexts = (name: string, value: unknown, texts: string[]): void => {
  if (typeof value === 'string') {
    if (!isData(name, value)) texts.push(value);
  } else if (Array.isArray(value)) {
    for (const part of value) allTexts(name, part, texts);
  } else if (isFields(value)) {
    for (const [member, own] of Object.entries(value)) allTexts(member, own, texts);
  }
};

/** The first word in any text of a parsed body, whatever its member is named. */
export const wordInTexts = (words: WordMatcher, value: unknown): string | null => {
  const texts: string[] = [];
  allTexts('', value, texts);
  for (const text of texts) {
    const word = wordIn(words, text);
    if (word !== null) return word;
  }
  return null;
};

/** Refuses a parsed event of a session with a word of the operator's list. */
export const checkTexts = (
  core: Pick<AdmissionDeps, 'options' | 'logger'>,
  caller: Pick<Caller, 'account'>,
  event: object,
): ApiError | null => {
  const words = core.options.current().filter.prompt;
  return words === null ? null : checkWords(core, caller, wordInTexts(words, event));
};

/** Refuses a prompt with a word of the operator's list; the word goes to the log alone. */
export const checkWords = (
  { logger }: Pick<AdmissionDeps, 'logger'>,
  { account }: Pick<Caller, 'account'>,
  word: string | null,
): ApiError | null => {
  if (word === null) return null;
  logger.warn({ userId: account.userId, word }, 'a prompt holds a sensitive word');
  return sensitiveWords;
};
