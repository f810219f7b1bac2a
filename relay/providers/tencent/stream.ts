import type { JsonObject } from '../../protocol/canonical.ts';
import { numberAt, objectAt, objectsAt, parseObject, textAt } from '../../protocol/json.ts';
import { createChunkWriter } from '../shared/chunk-writer.ts';
import { interrupted } from '../shared/failure.ts';
import { runSse } from '../shared/run-stream.ts';
import { type UsageReport, usageReport } from '../shared/usage-report.ts';
import type { StreamTranslation, TranslationContext } from '../translate.ts';
import { tencentError } from './failure.ts';
import { extrasOf, finishOf, usageNames } from './reply.ts';

/** Usage is cumulative and sent with each part; the stream has no end mark. */
export const tencentStream = (context: TranslationContext): StreamTranslation => {
  const writer = createChunkWriter(context);
  let usage: UsageReport | null = null;

  const choice = (own: JsonObject, part: JsonObject, out: JsonObject[]): void => {
    const delta = objectAt(own, 'Delta');
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
    const reason = textAt(own, 'FinishReason');
    if (reason !== '') writer.finish(finishOf(reason), out, extrasOf(part));
  };

  return runSse({
    message: ({ data }, out) => {
      const part = parseObject(data);
      if (part === null) return null;
      const error = tencentError(part);
      if (error !== null) return error;
      writer.head({ id: textAt(part, 'Id'), created: numberAt(part, 'Created') ?? 0 });
      usage = usageReport(part.Usage, usageNames) ?? usage;
      for (const own of objectsAt(part, 'Choices')) choice(own, part, out);
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
