import { createChunkWriter } from '../shared/chunk-writer.ts';
import { interrupted } from '../shared/failure.ts';
import { numberAt, objectAt, objectsAt, parseObject, textAt } from '../shared/json.ts';
import { runSse } from '../shared/run-stream.ts';
import { type SaidUsage, saidUsage } from '../shared/said-usage.ts';
import type { JsonObject, StreamTranslation, TranslationContext } from '../translate.ts';
import { tencentError } from './failure.ts';
import { extrasOf, finishOf, usageNames } from './reply.ts';

/** Usage is cumulative and comes with each part; the stream has no end mark. */
export const tencentStream = (context: TranslationContext): StreamTranslation => {
  const writer = createChunkWriter(context);
  let usage: SaidUsage | null = null;

  const choice = (said: JsonObject, part: JsonObject, out: JsonObject[]): void => {
    const delta = objectAt(said, 'Delta');
    writer.reasoning(textAt(delta, 'ReasoningContent'), out);
    writer.content(textAt(delta, 'Content'), out);
    for (const call of objectsAt(delta, 'ToolCalls')) {
      const called = objectAt(call, 'Function');
      writer.callPart(numberAt(call, 'Index'), out, {
        id: textAt(call, 'Id'),
        name: textAt(called, 'Name'),
        arguments: textAt(called, 'Arguments'),
      });
    }
    const reason = textAt(said, 'FinishReason');
    if (reason !== '') writer.finish(finishOf(reason), out, extrasOf(part));
  };

  return runSse({
    message: ({ data }, out) => {
      const part = parseObject(data);
      if (part === null) return null;
      const error = tencentError(part);
      if (error !== null) return error;
      writer.head({ id: textAt(part, 'Id'), created: numberAt(part, 'Created') ?? 0 });
      usage = saidUsage(part.Usage, usageNames) ?? usage;
      for (const said of objectsAt(part, 'Choices')) choice(said, part, out);
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
