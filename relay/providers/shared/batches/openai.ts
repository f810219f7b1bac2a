import type { UpstreamChannel } from '../../../feeds/upstream-channel.ts';
import type { JsonObject } from '../../../protocol/canonical.ts';
import { numberAt, objectAt, objectsAt, textAt } from '../../../protocol/json.ts';
import { responsesUsage } from '../openai/responses.ts';
import { reportedUsage } from '../openai-usage.ts';
import { bearer } from '../outgoing.ts';
import { type BatchAdapter, type BatchStatus, fileContentPath } from './batch-adapter.ts';

/*
 * OpenAI's Batch API: POST /v1/files, GET and DELETE /v1/files/{id}, GET /v1/files/{id}/content,
 * POST /v1/batches, GET /v1/batches/{id}, POST /v1/batches/{id}/cancel.
 */

const states: Readonly<Record<string, BatchStatus['state']>> = {
  validating: 'running',
  in_progress: 'running',
  finalizing: 'running',
  cancelling: 'running',
  completed: 'done',
  expired: 'done',
  cancelled: 'done',
  failed: 'failed',
};

const times = [
  ...['in_progress_at', 'expires_at', 'finalizing_at', 'completed_at', 'failed_at'],
  ...['expired_at', 'cancelling_at', 'cancelled_at'],
] as const;
const maxErrors = 20;

const timesOf = (answer: JsonObject): JsonObject =>
  Object.fromEntries(
    times.map((name) => [name, numberAt(answer, name)]).filter(([, at]) => at !== null),
  );

const errorsOf = (answer: JsonObject): readonly JsonObject[] =>
  objectsAt(objectAt(answer, 'errors'), 'data')
    .slice(0, maxErrors)
    .map((error) => ({
      code: textAt(error, 'code'),
      message: textAt(error, 'message').slice(0, 512),
      param: textAt(error, 'param') || null,
      line: numberAt(error, 'line'),
    }));

const countsOf = (answer: JsonObject): Record<'total' | 'completed' | 'failed', number> => {
  const counts = objectAt(answer, 'request_counts');
  const at = (name: string): number => Math.max(0, Math.floor(numberAt(counts, name) ?? 0));
  return { total: at('total'), completed: at('completed'), failed: at('failed') };
};

const headersOf = (channel: UpstreamChannel): Readonly<Record<string, string>> => {
  const { organization } = channel.settings;
  return organization === ''
    ? bearer(channel)
    : { ...bearer(channel), 'openai-organization': organization };
};

const isAnswered = (status: number | null): boolean =>
  status !== null && status >= 200 && status <= 299;

/** For a provider with that API; `root`: what precedes `/files` and `/batches`. */
export const openAiBatches = ({
  baseUrl,
  root,
}: Readonly<{ baseUrl: string; root: string }>): BatchAdapter => ({
  wire: 'openai',
  baseUrl,
  headers: headersOf,
  path: `${root}/batches`,
  filesPath: `${root}/files`,
  cancelPath: (upstreamId) => `${root}/batches/${encodeURIComponent(upstreamId)}/cancel`,
  status: (answer) => {
    const status = textAt(answer, 'status');
    const state = states[status];
    if (state === undefined) return null;
    const { total, completed, failed } = countsOf(answer);
    const errors = errorsOf(answer);
    const reason = String(errors[0]?.message ?? '') || 'The provider gave no reason';
    return {
      state,
      percent: total === 0 ? null : Math.floor(((completed + failed) * 100) / total),
      reason: state === 'failed' ? reason : '',
      data: {
        status,
        ...timesOf(answer),
        ...(errors.length === 0 ? {} : { errors }),
        // Counts move on with every question; they are kept when they are final.
        ...(state === 'running' ? {} : { request_counts: { total, completed, failed } }),
        output: textAt(answer, 'output_file_id'),
        error: textAt(answer, 'error_file_id'),
      },
    };
  },
  resultPaths: (_upstreamId, data) => {
    const output = textAt(data, 'output');
    return output === '' ? [] : [fileContentPath({ filesPath: `${root}/files` }, output)];
  },
  usage: (line) => {
    const response = objectAt(line, 'response');
    if (!isAnswered(numberAt(response, 'status_code'))) return { kind: 'unpaid' };
    const usage = objectAt(objectAt(response, 'body'), 'usage');
    const isResponse = usage.input_tokens !== undefined;
    return {
      kind: 'answered',
      reported: isResponse ? responsesUsage(usage) : reportedUsage(usage),
    };
  },
});
