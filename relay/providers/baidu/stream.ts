import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject, numberAt, parseObject, textAt } from '../../protocol/json.ts';
import { createChunkWriter } from '../shared/chunk-writer.ts';
import { interrupted } from '../shared/failure.ts';
import { runSse } from '../shared/run-stream.ts';
import { type UsageReport, usageReport } from '../shared/usage-report.ts';
import type { StreamTranslation, TranslationContext } from '../translate.ts';
import { baiduError, isStaleToken } from './failure.ts';
import { extrasOf, finishOf } from './reply.ts';
import { tokenCacheKey } from './token.ts';

export const baiduStream = (context: TranslationContext): StreamTranslation => {
  const { io } = context;
  const writer = createChunkWriter(context);
  let usage: UsageReport | null = null;

  /** A token that is no longer accepted is dropped. */
  const errorIn = (part: JsonObject): ApiError | null => {
    const error = baiduError(part);
    if (error !== null && isStaleToken(error)) io.forget?.(tokenCacheKey(context));
    return error;
  };
  const write = (part: JsonObject, out: JsonObject[]): void => {
    writer.head({ id: textAt(part, 'id'), created: numberAt(part, 'created') ?? 0 });
    usage = usageReport(part.usage) ?? usage;
    writer.content(textAt(part, 'result'), out);
    const { function_call: made } = part;
    if (isObject(made)) {
      const called = { name: textAt(made, 'name'), arguments: textAt(made, 'arguments') };
      writer.call({ id: `call_${io.newId()}`, ...called }, out);
    }
    if (part.is_end === true) writer.finish(finishOf(part), out, extrasOf(part));
  };

  return runSse({
    message: ({ data }, out) => {
      const part = parseObject(data);
      if (part === null) return null;
      const error = errorIn(part);
      if (error === null) write(part, out);
      return error;
    },
    end: (out) => {
      if (!writer.isFinished()) return interrupted();
      writer.usage(usage, out);
      return null;
    },
    usage: () => usage?.reported ?? null,
  });
};
