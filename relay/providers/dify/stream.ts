import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { numberAt, objectAt, parseObject, textAt } from '../../protocol/json.ts';
import { type ChunkWriter, createChunkWriter } from '../shared/chunk-writer.ts';
import { interrupted, redact } from '../shared/failure.ts';
import { runSse } from '../shared/run-stream.ts';
import { type UsageReport, usageReport } from '../shared/usage-report.ts';
import type { StreamTranslation, TranslationContext } from '../translate.ts';
import { sourcesOf } from './reply.ts';

const thinkingStart = /^<details[^>]*>\s*<summary>\s*Thinking\.\.\.\s*<\/summary>\s*$/;

/** The provider folds thoughts away in HTML; clients expect another mark. */
const contentOf = (answer: string): string => {
  if (thinkingStart.test(answer)) return '<think>\n';
  return answer.trim() === '</details>' ? '</think>' : answer;
};

/** Steps of a workflow in a line each; "" for other events. */
const stepOf = (event: string, data: JsonObject): string => {
  const [kind = '', moment = ''] = event.split('_');
  const isStep = (kind === 'workflow' || kind === 'node') && /^(started|finished)$/.test(moment);
  if (!isStep) return '';
  const name = kind === 'node' ? textAt(data, 'node_type') : textAt(data, 'workflow_id');
  const status = moment === 'finished' ? ` ${textAt(data, 'status')}` : '';
  return `${kind === 'node' ? 'Node' : 'Workflow'}: ${name}${status}\n`;
};

const errorOf = (part: JsonObject): ApiError => {
  const status = numberAt(part, 'status') ?? 0;
  return {
    status: status >= 400 && status <= 599 ? status : 502,
    message: redact(textAt(part, 'message') || 'The app failed'),
    type: 'upstream_error',
    code: textAt(part, 'code') || null,
  };
};

const say = (part: JsonObject, writer: ChunkWriter, out: JsonObject[]): void => {
  const event = textAt(part, 'event');
  if (event === 'message' || event === 'agent_message') {
    writer.content(contentOf(textAt(part, 'answer')), out);
  } else if (event === 'message_end') {
    writer.finish('stop', out, sourcesOf(objectAt(part, 'metadata')));
  }
};

export const difyStream = (context: TranslationContext): StreamTranslation => {
  const writer = createChunkWriter(context);
  const showsSteps = context.settings.dify?.showSteps ?? true;
  let usage: UsageReport | null = null;

  return runSse({
    message: ({ data }, out) => {
      const part = parseObject(data);
      if (part === null) return null;
      const event = textAt(part, 'event');
      if (event === 'error') return errorOf(part);
      writer.head({ id: textAt(part, 'conversation_id') });
      if (showsSteps) writer.reasoning(stepOf(event, objectAt(part, 'data')), out);
      usage = usageReport(objectAt(part, 'metadata').usage) ?? usage;
      say(part, writer, out);
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
