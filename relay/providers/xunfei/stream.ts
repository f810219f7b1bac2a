import { createChunkWriter } from '../shared/chunk-writer.ts';
import { interrupted } from '../shared/failure.ts';
import { parseObject } from '../shared/json.ts';
import { createLineReader } from '../shared/lines.ts';
import { runStream } from '../shared/run-stream.ts';
import type { SaidUsage } from '../shared/said-usage.ts';
import type { StreamTranslation, TranslationContext } from '../translate.ts';
import { frameError, isAboutContent, readFrame } from './frames.ts';

/** Frames of a websocket, one on a line. */
export const xunfeiStream = (context: TranslationContext): StreamTranslation => {
  const writer = createChunkWriter(context);
  let usage: SaidUsage | null = null;

  return runStream(createLineReader(), {
    message: (line, out) => {
      const frame = parseObject(line);
      if (frame === null) return null;
      const error = frameError(frame);
      if (error !== null) {
        if (!isAboutContent(error) || !writer.hasBegun()) return error;
        writer.finish('content_filter', out);
        return null;
      }
      const { id, content, reasoning, calls, isLast, usage: said } = readFrame(frame);
      writer.head({ id });
      writer.reasoning(reasoning, out);
      writer.content(content, out);
      for (const call of calls) writer.call({ id: `call_${context.io.newId()}`, ...call }, out);
      usage = said ?? usage;
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
