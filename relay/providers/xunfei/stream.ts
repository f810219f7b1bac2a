import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { parseObject } from '../../protocol/json.ts';
import { createChunkWriter } from '../shared/chunk-writer.ts';
import { interrupted } from '../shared/failure.ts';
import { createLineReader } from '../shared/lines.ts';
import { runStream } from '../shared/run-stream.ts';
import type { UsageReport } from '../shared/usage-report.ts';
import type { StreamTranslation, TranslationContext } from '../translate.ts';
import { frameError, isAboutContent, readFrame } from './frames.ts';

/** Frames of a websocket, one on a line. */
export const xunfeiStream = (context: TranslationContext): StreamTranslation => {
  const writer = createChunkWriter(context);
  let usage: UsageReport | null = null;

  /** Blocked words end an answer that has begun; every other error is kept. */
  const fail = (error: ApiError, out: JsonObject[]): ApiError | null => {
    if (!isAboutContent(error) || !writer.hasBegun()) return error;
    writer.finish('content_filter', out);
    return null;
  };

  return runStream(createLineReader(), {
    message: (line, out) => {
      const frame = parseObject(line);
      if (frame === null) return null;
      const error = frameError(frame);
      if (error !== null) return fail(error, out);
      const { id, content, reasoning, calls, isLast, usage: report } = readFrame(frame);
      writer.head({ id });
      writer.reasoning(reasoning, out);
      writer.content(content, out);
      for (const call of calls) writer.call({ id: `call_${context.io.newId()}`, ...call }, out);
      usage = report ?? usage;
      if (isLast) writer.finish('stop', out);
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
