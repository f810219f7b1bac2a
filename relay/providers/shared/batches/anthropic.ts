import { anthropic as facts } from '../../../../domain/channel/providers/anthropic.ts';
import { numberAt, objectAt, textAt } from '../../../protocol/json.ts';
import { reportedClaude } from '../claude/usage.ts';
import type { BatchAdapter } from './batch-adapter.ts';

/*
 * Anthropic's Message Batches: POST /v1/messages/batches, GET and DELETE /v1/messages/batches/{id},
 * GET /v1/messages/batches/{id}/results, POST /v1/messages/batches/{id}/cancel.
 */

const path = '/v1/messages/batches';
const countNames = ['processing', 'succeeded', 'errored', 'canceled', 'expired'] as const;
const timeNames = ['created_at', 'ended_at', 'expires_at', 'cancel_initiated_at'] as const;

const ofBatch = (upstreamId: string): string => `${path}/${encodeURIComponent(upstreamId)}`;

export const anthropicBatches: BatchAdapter = {
  wire: 'anthropic',
  baseUrl: facts.baseUrl,
  headers: ({ key }) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  path,
  filesPath: '',
  cancelPath: (upstreamId) => `${ofBatch(upstreamId)}/cancel`,
  status: (answer) => {
    const status = textAt(answer, 'processing_status');
    if (!['in_progress', 'canceling', 'ended'].includes(status)) return null;
    const isDone = status === 'ended';
    const counts = Object.fromEntries(
      countNames.map((name) => [
        name,
        Math.max(0, Math.floor(numberAt(objectAt(answer, 'request_counts'), name) ?? 0)),
      ]),
    );
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const ended = total - (counts.processing ?? 0);
    const times = timeNames
      .map((name) => [name, textAt(answer, name)] as const)
      .filter(([, at]) => at !== '');
    return {
      state: isDone ? 'done' : 'running',
      percent: total === 0 ? null : Math.floor((ended * 100) / total),
      reason: '',
      data: {
        status,
        ...Object.fromEntries(times),
        ...(isDone ? { request_counts: counts } : {}),
      },
    };
  },
  resultPaths: (upstreamId) => [`${ofBatch(upstreamId)}/results`],
  usage: (line) => {
    const result = objectAt(line, 'result');
    if (textAt(result, 'type') !== 'succeeded') return { kind: 'unpaid' };
    const reported = reportedClaude(objectAt(objectAt(result, 'message'), 'usage'));
    return { kind: 'answered', reported };
  },
};
