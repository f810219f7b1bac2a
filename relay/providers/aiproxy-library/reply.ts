import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { objectsAt, parseObject, textAt } from '../../protocol/json.ts';
import type { HttpReply } from '../../upstream/types.ts';
import { redact, unusableReply } from '../shared/failure.ts';
import { assistantMessage, chatReply, choiceOf, newHead } from '../shared/openai-chunks.ts';
import type { OpenAiReply, TranslationContext } from '../translate.ts';

/** The documents behind an answer as a numbered list of links; "" when there are none. */
export const documentList = (body: JsonObject): string => {
  const lines = objectsAt(body, 'documents').map(
    (document, at) => `${at + 1}. [${textAt(document, 'title')}](${textAt(document, 'url')})\n`,
  );
  return lines.length === 0 ? '' : `\n\n${lines.join('')}`;
};

/** null when the answer is one. */
export const libraryError = (body: JsonObject): ApiError | null => {
  const { errCode: code } = body;
  if (body.success !== false && (code === undefined || code === 0)) return null;
  return {
    status: 502,
    message: redact(textAt(body, 'message') || 'The knowledge base failed'),
    type: 'upstream_error',
    code: typeof code === 'number' || typeof code === 'string' ? code : null,
  };
};

/** Usage is never reported. */
export const libraryReply = (
  { body }: HttpReply,
  { call, io }: TranslationContext,
): OpenAiReply | ApiError => {
  const answer = parseObject(body.toString('utf8'));
  if (answer === null) return unusableReply();
  const error = libraryError(answer);
  if (error !== null) return error;
  const content = textAt(answer, 'answer') + documentList(answer);
  const choice = choiceOf(assistantMessage({ content }), 'stop');
  return {
    status: 200,
    contentType: 'application/json',
    body: chatReply(newHead(io, call.upstreamModel), [choice], null),
    usage: null,
  };
};
