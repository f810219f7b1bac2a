import { type BatchWire, batchIdOf, type FilePart, fileIdOf } from '../../../domain/task/batch.ts';
import type { FoundTask } from '../../../domain/task/messages.ts';
import { isObject, numberAt, textAt } from '../../protocol/json.ts';
import { hasEnded, reportedData } from '../own-task.ts';
import { propertiesOf } from './own-work.ts';

const secondsOf = (ms: number): number => Math.floor(ms / 1_000);

/** Of requests that are carried out: from the share that has ended. */
const endedOf = (task: FoundTask, total: number): number =>
  Math.floor((total * (Number.parseInt(task.report.progress, 10) || 0)) / 100);

/** Results are there for callers when they have been settled. */
const statusOf = (task: FoundTask): string => {
  const status = textAt(reportedData(task), 'status');
  if (task.report.status === 'FAILURE') return 'failed';
  return status === '' ? 'validating' : status;
};

const resultId = (task: FoundTask, part: FilePart, upstream: string): string | null =>
  task.report.status === 'SUCCESS' && textAt(reportedData(task), upstream) !== ''
    ? fileIdOf({ taskId: task.taskId, part })
    : null;

const errorsOf = (task: FoundTask): object | null => {
  if (task.report.status !== 'FAILURE') return null;
  const { errors } = reportedData(task);
  const own = [{ code: 'batch_failed', message: task.report.failReason, param: null, line: null }];
  return { object: 'list', data: Array.isArray(errors) ? errors : own };
};

const openAiBatch = (task: FoundTask): object => {
  const data = reportedData(task);
  const properties = propertiesOf(task);
  const total = properties?.requests ?? 0;
  const running = { total, completed: endedOf(task, total), failed: 0 };
  const at = (name: string): number | null => numberAt(data, name);
  return {
    id: batchIdOf('openai', task.taskId),
    object: 'batch',
    endpoint: properties?.endpoint ?? '',
    errors: errorsOf(task),
    input_file_id: properties?.inputFile ?? '',
    completion_window: '24h',
    status: statusOf(task),
    output_file_id: resultId(task, 'output', 'output'),
    error_file_id: resultId(task, 'errors', 'error'),
    created_at: secondsOf(task.submittedMs),
    in_progress_at: at('in_progress_at'),
    expires_at: at('expires_at') ?? secondsOf(task.submittedMs) + 86_400,
    finalizing_at: at('finalizing_at'),
    completed_at: at('completed_at'),
    failed_at: at('failed_at'),
    expired_at: at('expired_at'),
    cancelling_at: at('cancelling_at'),
    cancelled_at: at('cancelled_at'),
    request_counts: isObject(data.request_counts) ? data.request_counts : running,
    metadata: properties?.metadata ?? null,
  };
};

const isoOf = (ms: number): string => new Date(ms).toISOString();
const dayMs = 86_400_000;

const messageBatch = (task: FoundTask): object => {
  const data = reportedData(task);
  const total = propertiesOf(task)?.requests ?? 0;
  const running = { processing: total, succeeded: 0, errored: 0, canceled: 0, expired: 0 };
  const isOver = hasEnded(task);
  const failed = { ...running, processing: 0, errored: total };
  const counts = task.report.status === 'FAILURE' ? failed : running;
  const id = batchIdOf('anthropic', task.taskId);
  const at = (name: string): string | null => textAt(data, name) || null;
  return {
    id,
    type: 'message_batch',
    processing_status: isOver ? 'ended' : textAt(data, 'status') || 'in_progress',
    request_counts: isOver && isObject(data.request_counts) ? data.request_counts : counts,
    created_at: at('created_at') ?? isoOf(task.submittedMs),
    expires_at: at('expires_at') ?? isoOf(task.submittedMs + dayMs),
    ended_at: isOver ? (at('ended_at') ?? isoOf(task.submittedMs)) : null,
    cancel_initiated_at: at('cancel_initiated_at'),
    archived_at: null,
    results_url: task.report.status === 'SUCCESS' ? `/v1/messages/batches/${id}/results` : null,
  };
};

/** A batch as the API of its wire shows it. */
export const batchObject = (wire: BatchWire, task: FoundTask): object =>
  wire === 'openai' ? openAiBatch(task) : messageBatch(task);

/** A file of requests as OpenAI's API shows it. */
export const fileObject = (task: FoundTask): object => {
  const properties = propertiesOf(task);
  return {
    id: fileIdOf({ taskId: task.taskId, part: 'requests' }),
    object: 'file',
    bytes: properties?.bytes ?? 0,
    created_at: secondsOf(task.submittedMs),
    expires_at: null,
    filename: properties?.fileName ?? '',
    purpose: 'batch',
    status: 'processed',
    status_details: null,
  };
};

/** The results of a batch, as a file; null: it has none of these. */
export const resultObject = (task: FoundTask, part: 'output' | 'errors'): object | null => {
  const id = resultId(task, part, part === 'output' ? 'output' : 'error');
  if (id === null) return null;
  const data = reportedData(task);
  return {
    id,
    object: 'file',
    bytes: numberAt(data, `${part}_bytes`) ?? 0,
    created_at: numberAt(data, 'completed_at') ?? secondsOf(task.submittedMs),
    expires_at: null,
    filename: `${batchIdOf('openai', task.taskId)}_${part}.jsonl`,
    purpose: 'batch_output',
    status: 'processed',
    status_details: null,
  };
};
