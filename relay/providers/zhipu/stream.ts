import type { ApiError } from '../../protocol/api-error.ts';
import { parseObject, textAt } from '../../protocol/json.ts';
import { createChunkWriter } from '../shared/chunk-writer.ts';
import { interrupted, redact } from '../shared/failure.ts';
import { runStream } from '../shared/run-stream.ts';
import { type UsageReport, usageReport } from '../shared/usage-report.ts';
import type { StreamTranslation, TranslationContext } from '../translate.ts';
import { zhipuError } from './failure.ts';
import { createFrameReader, type Frame } from './frames.ts';

const errorOf = ({ event, data, json }: Frame): ApiError | null => {
  if (json !== '') return zhipuError(parseObject(json) ?? {});
  if (event !== 'error' && event !== 'interrupted') return null;
  return { status: 502, message: redact(data || event), type: 'zhipu_error', code: event };
};

/** Raw text in `data` lines, the end and the usage in a `meta` line. */
export const zhipuStream = (context: TranslationContext): StreamTranslation => {
  const writer = createChunkWriter(context);
  let usage: UsageReport | null = null;

  return runStream(createFrameReader(), {
    message: (frame, out) => {
      const error = errorOf(frame);
      if (error !== null) return error;
      writer.head({ id: frame.id });
      writer.content(frame.data, out);
      if (frame.event !== 'finish') return null;
      const meta = parseObject(frame.meta) ?? {};
      writer.head({ id: textAt(meta, 'task_id') });
      usage = usageReport(meta.usage) ?? usage;
      writer.finish('stop', out);
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
