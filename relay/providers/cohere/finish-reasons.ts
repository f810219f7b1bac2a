import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { objectAt } from '../../protocol/json.ts';
import { unusableReply } from '../shared/failure.ts';
import { type UsageReport, usageReport } from '../shared/usage-report.ts';

const finishes: Readonly<Record<string, string>> = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop',
  USER_CANCEL: 'stop',
  MAX_TOKENS: 'length',
  ERROR_LIMIT: 'length',
  TOOL_CALL: 'tool_calls',
  ERROR_TOXIC: 'content_filter',
};

export const cohereFinish = (reason: unknown): string => finishes[String(reason)] ?? 'stop';

/** The provider gave up; null when it did not. */
export const cohereBreak = (reason: unknown): ApiError | null =>
  reason === 'ERROR' || reason === 'TIMEOUT'
    ? unusableReply(`The provider ended the answer: ${String(reason)}`)
    : null;

const names = { prompt: 'input_tokens', completion: 'output_tokens', total: '' };

/** What is charged, which is less than what was read: the provider's own wrapping is free. */
export const billed = (owner: JsonObject): UsageReport | null =>
  usageReport(objectAt(owner, 'billed_units'), names) ??
  usageReport(objectAt(owner, 'tokens'), names);
