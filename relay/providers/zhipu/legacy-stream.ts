import type { ApiError } from '../../ingress/api-error.ts';
import { createChunkWriter } from '../shared/chunk-writer.ts';
import { discreet, interrupted } from '../shared/failure.ts';
import { parseObject, textAt } from '../shared/json.ts';
import { runStream } from '../shared/run-stream.ts';
import { type SaidUsage, saidUsage } from '../shared/said-usage.ts';
import type { StreamTranslation, TranslationContext } from '../translate.ts';
import { legacyError } from './failure.ts';
import { createLegacyReader, type LegacyFrame } from './legacy-frames.ts';

const errorOf = ({ event, data, json }: LegacyFrame): ApiError | null => {
  if (json !== '') return legacyError(parseObject(json) ?? {});
  if (event !== 'error' && event !== 'interrupted') return null;
  return { status: 502, message: discreet(data || event), type: 'zhipu_error', code: event };
};

/** Raw text in `data` lines, the end and the usage in a `meta` line (provider sheet, 3.9). */
export const legacyStream = (context: TranslationContext): StreamTranslation => {
  const writer = createChunkWriter(context);
  let usage: SaidUsage | null = null;

  return runStream(createLegacyReader(), {
    message: (frame, out) => {
      const error = errorOf(frame);
      if (error !== null) return error;
      writer.head({ id: frame.id });
      writer.content(frame.data, out);
      if (frame.event !== 'finish') return null;
      const meta = parseObject(frame.meta) ?? {};
      writer.head({ id: textAt(meta, 'task_id') });
      usage = saidUsage(meta.usage) ?? usage;
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
