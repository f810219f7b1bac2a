import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { objectAt, objectsAt, parseObject, textAt } from '../../protocol/json.ts';
import { refuse } from '../../protocol/refusal.ts';
import type { HttpReply } from '../../upstream/types.ts';
import { unusableReply } from '../shared/failure.ts';
import { assistantMessage, chatReply, choiceOf, newHead } from '../shared/openai-chunks.ts';
import { baseOf, bearer } from '../shared/outgoing.ts';
import { helperCall } from '../shared/upload.ts';
import { type UsageNames, usageReport } from '../shared/usage-report.ts';
import type { OpenAiReply, TranslationContext } from '../translate.ts';
import { cozeError, failedChat } from './failure.ts';
import { cozeBase } from './messages.ts';

export const usageNames: UsageNames = {
  prompt: 'input_count',
  completion: 'output_count',
  total: 'token_count',
};

const pollMs = 1_000;
const maxPolls = 600;

const isRunning = (chat: JsonObject): boolean =>
  ['created', 'in_progress'].includes(textAt(chat, 'status'));

const asked = async (
  path: string,
  chat: JsonObject,
  { channel, io }: TranslationContext,
): Promise<JsonObject> => {
  const query = new URLSearchParams({
    conversation_id: textAt(chat, 'conversation_id'),
    chat_id: textAt(chat, 'id'),
  });
  const answer = await helperCall(io, {
    method: 'GET',
    url: `${baseOf(channel, cozeBase)}${path}?${query}`,
    headers: { ...bearer(channel), accept: 'application/json' },
  });
  const error = cozeError(answer);
  return error === null ? answer : refuse(error);
};

const completed = async (first: JsonObject, context: TranslationContext): Promise<JsonObject> => {
  let chat = first;
  for (let polls = 0; isRunning(chat) && polls < maxPolls; polls += 1) {
    await context.io.pause(pollMs);
    const next = objectAt(await asked('/v3/chat/retrieve', chat, context), 'data');
    chat = { ...chat, ...next };
  }
  return textAt(chat, 'status') === 'completed' ? chat : refuse(failedChat(chat));
};

/** Without a stream the provider only takes the question: the answer is fetched. */
export const cozeReply = async (
  { body }: HttpReply,
  context: TranslationContext,
): Promise<OpenAiReply | ApiError> => {
  const { call, io } = context;
  const answer = parseObject(body.toString('utf8'));
  if (answer === null) return unusableReply();
  const error = cozeError(answer);
  if (error !== null) return error;
  const chat = await completed(objectAt(answer, 'data'), context);
  const list = await asked('/v3/chat/message/list', chat, context);
  const answers = objectsAt(list, 'data').filter(
    ({ role, type }) => role === 'assistant' && type === 'answer',
  );
  const joined = (member: string): string =>
    answers.map((message) => textAt(message, member)).join('\n');
  const message = assistantMessage({
    content: joined('content'),
    reasoning: joined('reasoning_content').trim(),
  });
  const usage = usageReport(chat.usage, usageNames);
  return {
    status: 200,
    contentType: 'application/json',
    body: chatReply(
      newHead(io, call.upstreamModel),
      [choiceOf(message, 'stop')],
      usage?.shown ?? null,
    ),
    usage: usage?.reported ?? null,
  };
};
