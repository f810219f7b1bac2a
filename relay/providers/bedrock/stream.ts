import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { parseObject, textAt } from '../../protocol/json.ts';
import { claudeEvents } from '../shared/claude/stream.ts';
import { redact } from '../shared/failure.ts';
import { runStream, type StreamRules } from '../shared/run-stream.ts';
import type { StreamTranslation, TranslationContext } from '../translate.ts';
import { converseEvents } from './converse-stream.ts';
import { createFrameReader, type Frame } from './frames.ts';
import { isClaude, modelId } from './models.ts';

const statuses: Readonly<Record<string, number>> = {
  validationException: 400,
  throttlingException: 429,
  modelTimeoutException: 408,
  modelStreamErrorException: 424,
  internalServerException: 500,
  serviceUnavailableException: 503,
};

const exceptionOf = ({ headers, payload }: Frame): ApiError => {
  const type = headers[':exception-type'] ?? headers[':error-code'] ?? 'upstream_error';
  const reported = textAt(parseObject(payload.toString('utf8')) ?? {}, 'message');
  return {
    status: statuses[type] ?? 502,
    message: redact(reported || headers[':error-message'] || type),
    type,
    code: type,
  };
};

const isException = ({ headers }: Frame): boolean => headers[':message-type'] !== 'event';

/** Frames of the Messages protocol wrap each event in base64; the common protocol does not. */
const eventIn = ({ headers, payload }: Frame, isOwn: boolean): JsonObject | null => {
  const outer = parseObject(payload.toString('utf8'));
  if (outer === null || !isOwn) {
    return outer === null ? null : { ...outer, type: headers[':event-type'] ?? '' };
  }
  return parseObject(Buffer.from(textAt(outer, 'bytes'), 'base64').toString('utf8'));
};

const framed = (rules: StreamRules<JsonObject>, isOwn: boolean): StreamRules<Frame> => ({
  ...rules,
  message: (frame, out) => {
    if (isException(frame)) return exceptionOf(frame);
    const event = eventIn(frame, isOwn);
    return event === null ? null : rules.message(event, out);
  },
});

export const bedrockStream = (context: TranslationContext): StreamTranslation => {
  const isOwn = isClaude(modelId(context.call.upstreamModel, ''));
  const rules = isOwn ? claudeEvents(context) : converseEvents(context);
  return runStream(createFrameReader(), framed(rules, isOwn));
};
