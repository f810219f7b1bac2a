import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { parseObject, textAt } from '../../protocol/json.ts';
import { createChunkWriter } from '../shared/chunk-writer.ts';
import { interrupted } from '../shared/failure.ts';
import { runSse } from '../shared/run-stream.ts';
import { type UsageReport, usageReport } from '../shared/usage-report.ts';
import type { StreamTranslation, TranslationContext } from '../translate.ts';
import { cozeError, failedChat } from './failure.ts';
import { usageNames } from './reply.ts';

const endings: readonly string[] = [
  'conversation.chat.failed',
  'conversation.chat.requires_action',
];

const errorOf = (event: string, data: JsonObject): ApiError | null => {
  if (endings.includes(event)) return failedChat(data);
  // An answer of the first kind: plain JSON, or an event named `error`.
  return event === 'error' || event === '' ? cozeError(data) : null;
};

/** Only the agent's answer is passed on; its search results and suggestions are left out. */
export const cozeStream = (context: TranslationContext): StreamTranslation => {
  const writer = createChunkWriter(context);
  let usage: UsageReport | null = null;

  return runSse({
    message: ({ event, data }, out) => {
      const part = parseObject(data);
      if (part === null) return null;
      const error = errorOf(event, part);
      if (error !== null) return error;
      if (event === 'conversation.message.delta' && part.type === 'answer') {
        writer.reasoning(textAt(part, 'reasoning_content'), out);
        writer.content(textAt(part, 'content'), out);
      } else if (event === 'conversation.chat.completed') {
        usage = usageReport(part.usage, usageNames) ?? usage;
        writer.finish('stop', out);
      }
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
