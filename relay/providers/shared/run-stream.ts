import type { ReportedUsage } from '../../../domain/pricing/bound-usage.ts';
import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import type { StreamTranslation } from '../translate.ts';
import { unusableReply } from './failure.ts';
import { createSseReader, type SseEvent } from './sse.ts';

/** Cuts bytes into what a protocol calls one message; null: longer than allowed or damaged. */
export type MessageReader<T> = Readonly<{
  push: (bytes: Buffer) => readonly T[] | null;
  end: () => readonly T[];
}>;

/** One protocol's rules. Both steps add chunks to `out`; an error ends the stream. */
export type StreamRules<T> = Readonly<{
  message: (message: T, out: JsonObject[]) => ApiError | null;
  /** Called once, after the last message. */
  end: (out: JsonObject[]) => ApiError | null;
  usage: () => ReportedUsage | null;
}>;

/**
 * Runs the rules over an upstream stream. The text before an error is emitted first; the error
 * follows with the next call, which always occurs: `end` is called when upstream has ended.
 */
export const runStream = <T>(
  reader: MessageReader<T>,
  rules: StreamRules<T>,
): StreamTranslation => {
  let failure: ApiError | null = null;

  const answer = (out: readonly JsonObject[]): readonly JsonObject[] | ApiError =>
    failure !== null && out.length === 0 ? failure : out;
  const take = (messages: readonly T[], out: JsonObject[]): void => {
    for (const message of messages) {
      failure = rules.message(message, out);
      if (failure !== null) return;
    }
  };

  return {
    push: (bytes) => {
      if (failure !== null) return failure;
      const out: JsonObject[] = [];
      const messages = reader.push(bytes);
      if (messages === null) failure = unusableReply('The provider sent an endless line');
      else take(messages, out);
      return answer(out);
    },
    end: () => {
      if (failure !== null) return failure;
      const out: JsonObject[] = [];
      take(reader.end(), out);
      if (failure === null) failure = rules.end(out);
      // There is no later call: an error must not be lost behind the last text.
      return failure ?? out;
    },
    usage: () => rules.usage(),
  };
};

/** Rules over server-sent events; `[DONE]` and what follows it are left out. */
export const runSse = (
  rules: StreamRules<SseEvent> & Readonly<{ done?: () => void }>,
): StreamTranslation => {
  let isDone = false;
  return runStream(createSseReader(), {
    ...rules,
    message: (event, out) => {
      if (event.data.trim() === '[DONE]') {
        isDone = true;
        rules.done?.();
      }
      return isDone ? null : rules.message(event, out);
    },
  });
};
