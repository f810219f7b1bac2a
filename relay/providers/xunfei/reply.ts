import type { ApiError } from '../../protocol/api-error.ts';
import { parseObject } from '../../protocol/json.ts';
import type { HttpReply } from '../../upstream/types.ts';
import { interrupted } from '../shared/failure.ts';
import {
  assistantMessage,
  chatReply,
  choiceOf,
  newHead,
  toolCall,
} from '../shared/openai-chunks.ts';
import type { OpenAiReply, TranslationContext } from '../translate.ts';
import { type Frame, frameError, isAboutContent, readFrame } from './frames.ts';

type Folded = Readonly<{ frames: readonly Frame[]; error: ApiError | null }>;

const fold = (body: Buffer): Folded => {
  const frames: Frame[] = [];
  for (const line of body.toString('utf8').split('\n')) {
    const frame = parseObject(line);
    if (frame === null) continue;
    const error = frameError(frame);
    if (error !== null) return { frames, error };
    frames.push(readFrame(frame));
  }
  return { frames, error: null };
};

/** An answer is sent in frames even where no stream was requested. */
export const xunfeiReply = (
  { body }: HttpReply,
  { call, io }: TranslationContext,
): OpenAiReply | ApiError => {
  const { frames, error } = fold(body);
  const content = frames.map((frame) => frame.content).join('');
  const isCut = error !== null && isAboutContent(error) && content !== '';
  if (error !== null && !isCut) return error;
  if (!isCut && frames.at(-1)?.isLast !== true) return interrupted();
  const toolCalls = frames
    .flatMap(({ calls }) => calls)
    .map(({ name, arguments: args }) => toolCall(`call_${io.newId()}`, name, args));
  const reasoning = frames.map((frame) => frame.reasoning).join('');
  const usage = frames.findLast((frame) => frame.usage !== null)?.usage ?? null;
  const fresh = newHead(io, call.upstreamModel);
  const head = { ...fresh, id: frames.find(({ id }) => id !== '')?.id ?? fresh.id };
  const finish = isCut ? 'content_filter' : toolCalls.length > 0 ? 'tool_calls' : 'stop';
  const message = assistantMessage({ content, reasoning, toolCalls });
  return {
    status: 200,
    contentType: 'application/json',
    body: chatReply(head, [choiceOf(message, finish)], usage?.shown ?? null),
    usage: usage?.reported ?? null,
  };
};
