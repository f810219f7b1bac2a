import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject, TranslatedOperation } from '../../protocol/canonical.ts';
import { isObject } from '../../protocol/json.ts';
import type { HttpReply } from '../../upstream/types.ts';
import type { TranslationContext } from '../translate.ts';
import { errorObject, unusableReply } from './failure.ts';

/** How a family with OpenAI's shapes differs. Steps may throw refusals. */
export type OpenAiLikeRules = Readonly<{
  operations: readonly TranslatedOperation[];
  /** "" when the operator must give one. */
  baseUrl: string;
  /** Below the base URL, with query; the caller's own path where absent. */
  path?: (context: TranslationContext) => string;
  /** The whole address, for channels whose base URL is one; base URL and path where absent. */
  url?: (context: TranslationContext) => string;
  headers?: (context: TranslationContext) => Readonly<Record<string, string>>;
  /** Gets a copy of the caller's body with the upstream name in it. */
  body?: (body: JsonObject, context: TranslationContext) => JsonObject | Promise<JsonObject>;
  /**
   * Whether usage is requested of streams always, at the caller's request, or never: the member is
   * refused.
   */
  streamUsage: 'ask' | 'keep' | 'refused';
  /** A message or a delta in the provider's words. */
  message?: (message: JsonObject, context: TranslationContext) => JsonObject;
  /** A choice of a stream, before its delta is edited. */
  streamChoice?: (choice: JsonObject) => JsonObject;
  /** Finish reasons that are not OpenAI's; `error` ends the answer with an error. */
  finishes?: Readonly<Record<string, string>>;
  /** The usage object as OpenAI would have written it. */
  usage?: (usage: JsonObject) => JsonObject;
  failure?: (reply: HttpReply) => ApiError;
  /** An answer or a chunk of HTTP 200 with an error in the provider's own form. */
  refusal?: (body: JsonObject) => ApiError | null;
  /** A whole answer in OpenAI's shape. */
  reply?: (body: JsonObject, context: TranslationContext) => JsonObject | Promise<JsonObject>;
  /** A chunk in OpenAI's shape; null leaves it out. `event` is "" where none is named. */
  chunk?: (chunk: JsonObject, event: string) => JsonObject | null;
}>;

/** An error status for an error that had HTTP status 200. */
const statusOf = (code: unknown): number =>
  typeof code === 'number' && code >= 400 && code <= 599 ? code : 502;

/** The `error` of an answer or a chunk that should have none; null when there is none. */
const embeddedError = (body: JsonObject): ApiError | null => {
  if (!isObject(body.error)) return null;
  return errorObject(body.error, statusOf(body.error.code));
};

/** The error that an answer of HTTP 200 contains; null when it contains none. */
export const refusalIn = (body: JsonObject, rules: OpenAiLikeRules): ApiError | null =>
  rules.refusal?.(body) ?? embeddedError(body);

/** A choice with its finish reason and its message or delta in OpenAI's words. */
export const editedChoice = (
  choice: JsonObject,
  context: TranslationContext,
  rules: OpenAiLikeRules,
): JsonObject => {
  const { finish_reason: finish } = choice;
  const edited: JsonObject = { ...choice };
  const mapped = typeof finish === 'string' ? rules.finishes?.[finish] : undefined;
  if (mapped !== undefined) edited.finish_reason = mapped;
  if (rules.message === undefined) return edited;
  for (const member of ['message', 'delta']) {
    const message = choice[member];
    if (isObject(message)) edited[member] = rules.message(message, context);
  }
  return edited;
};

/** The provider gave up in the middle of an answer without saying more. */
export const gaveUp = (choices: readonly unknown[]): ApiError | null =>
  choices.some((choice) => isObject(choice) && choice.finish_reason === 'error')
    ? unusableReply('The provider ended the answer with an error')
    : null;
