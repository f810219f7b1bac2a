import type { ApiError } from '../../protocol/api-error.ts';
import { objectAt, objectsAt, parseJson, parseObject, textAt } from '../../protocol/json.ts';
import type { HttpReply } from '../../upstream/types.ts';
import { unusableReply } from '../shared/failure.ts';
import { assistantMessage, chatReply, choiceOf, newHead } from '../shared/openai-chunks.ts';
import { usageReport } from '../shared/usage-report.ts';
import type { OpenAiReply, TranslationContext } from '../translate.ts';
import { zhipuError } from './failure.ts';

/** Texts are quoted, with the escapes of JSON. */
const unquoted = (content: string): string => {
  const text = content.trim();
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return content;
  const value = parseJson(text);
  return typeof value === 'string' ? value : text.slice(1, -1);
};

export const zhipuReply = (
  { body }: HttpReply,
  { call, io }: TranslationContext,
): OpenAiReply | ApiError => {
  const answer = parseObject(body.toString('utf8'));
  if (answer === null) return unusableReply();
  const error = zhipuError(answer);
  if (error !== null) return error;
  const data = objectAt(answer, 'data');
  const fresh = newHead(io, call.upstreamModel);
  const head = { ...fresh, id: textAt(data, 'task_id') || fresh.id };
  const choices = objectsAt(data, 'choices').map((choice, index) =>
    choiceOf(assistantMessage({ content: unquoted(textAt(choice, 'content')) }), 'stop', index),
  );
  if (choices.length === 0) return unusableReply();
  const usage = usageReport(data.usage);
  return {
    status: 200,
    contentType: 'application/json',
    body: chatReply(head, choices, usage?.shown ?? null),
    usage: usage?.reported ?? null,
  };
};
