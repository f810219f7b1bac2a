import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { objectAt, parseObject, textAt } from '../../protocol/json.ts';
import type { HttpReply } from '../../upstream/types.ts';
import { createChunkWriter } from '../shared/chunk-writer.ts';
import { interrupted, unusableReply } from '../shared/failure.ts';
import { createLineReader } from '../shared/lines.ts';
import { assistantMessage, chatReply, choiceOf, newHead } from '../shared/openai-chunks.ts';
import { runStream } from '../shared/run-stream.ts';
import type { UsageReport } from '../shared/usage-report.ts';
import type { OpenAiReply, StreamTranslation, TranslationContext } from '../translate.ts';
import { billed, cohereBreak, cohereFinish } from './finish-reasons.ts';

const quoted = (answer: JsonObject): JsonObject => ({
  ...(Array.isArray(answer.citations) ? { citations: answer.citations } : {}),
  ...(Array.isArray(answer.documents) ? { documents: answer.documents } : {}),
});

export const firstReply = (
  reply: HttpReply,
  { call, io }: TranslationContext,
): OpenAiReply | ApiError => {
  const answer = parseObject(reply.body.toString('utf8'));
  if (answer === null || typeof answer.text !== 'string') return unusableReply();
  const broken = cohereBreak(answer.finish_reason);
  if (broken !== null) return broken;
  const usage = billed(objectAt(answer, 'meta'));
  const own = newHead(io, call.upstreamModel);
  const head = { ...own, id: textAt(answer, 'response_id') || own.id };
  const choices = [
    choiceOf(assistantMessage({ content: answer.text }), cohereFinish(answer.finish_reason)),
  ];
  return {
    status: 200,
    contentType: 'application/json',
    body: { ...chatReply(head, choices, usage?.shown ?? null), ...quoted(answer) },
    usage: usage?.reported ?? null,
  };
};

/** One JSON object on each line. */
export const firstStream = (context: TranslationContext): StreamTranslation => {
  const writer = createChunkWriter(context);
  let usage: UsageReport | null = null;
  return runStream(createLineReader(), {
    message: (line, out) => {
      const event = parseObject(line);
      if (event === null) return null;
      if (event.event_type === 'text-generation') writer.content(textAt(event, 'text'), out);
      if (event.event_type !== 'stream-end') return null;
      const broken = cohereBreak(event.finish_reason);
      if (broken !== null) return broken;
      const response = objectAt(event, 'response');
      usage = billed(objectAt(response, 'meta'));
      writer.finish(cohereFinish(event.finish_reason), out, quoted(response));
      return null;
    },
    end: (out) => {
      if (!writer.isFinished()) return interrupted();
      writer.usage(usage, out);
      return null;
    },
    usage: () => usage?.reported ?? null,
  });
};
