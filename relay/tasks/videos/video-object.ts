import type { TaskReport } from '../../../domain/task/events.ts';
import type { FoundTask } from '../../../domain/task/messages.ts';
import { readVideoProperties, videoIdOf } from '../../../domain/task/video.ts';
import { numberAt, textAt } from '../../protocol/json.ts';
import type { VideoStatus } from '../../providers/shared/videos/video-adapter.ts';
import { reportedData } from '../own-task.ts';

/** Longest text that is taken over from a provider, in characters. */
const maxText = 16_384;

const statuses: Readonly<Record<VideoStatus['state'], string>> = {
  queued: 'QUEUED',
  running: 'IN_PROGRESS',
  done: 'SUCCESS',
  failed: 'FAILURE',
};

/** A task is finished by its status alone: until then no provider may call it complete. */
const percentOf = ({ state, percent }: VideoStatus): number => {
  if (state === 'done' || state === 'failed') return 100;
  return Math.min(99, Math.max(0, Math.floor(percent ?? 0)));
};

const wholeSeconds = (seconds: number): number => {
  const whole = Math.floor(seconds);
  return Number.isSafeInteger(whole) && whole > 0 ? whole : 0;
};

/** The provider's report of a video, as the task keeps it. */
export const videoReport = (status: VideoStatus, empty: TaskReport): TaskReport => {
  const { state, finishedAt, error, url, expiresAt } = status;
  const data = {
    ...(url === '' ? {} : { url: url.slice(0, maxText) }),
    ...(expiresAt === 0 ? {} : { expires_at: wholeSeconds(expiresAt) }),
    ...(error === null ? {} : { error_code: error.code.slice(0, 256) }),
  };
  return {
    ...empty,
    status: statuses[state],
    progress: `${percentOf(status)}%`,
    finishTime: wholeSeconds(finishedAt),
    failReason: error === null ? '' : error.message.slice(0, maxText),
    data: Object.keys(data).length === 0 ? '' : JSON.stringify(data),
  };
};

const shownStatuses: Readonly<Record<string, string>> = {
  IN_PROGRESS: 'in_progress',
  SUCCESS: 'completed',
  FAILURE: 'failed',
};

const shownStatus = (status: string): string => shownStatuses[status] ?? 'queued';

const errorOf = (task: FoundTask): object | null => {
  if (task.report.status !== 'FAILURE') return null;
  const code = textAt(reportedData(task), 'error_code') || 'video_generation_failed';
  return { code, message: task.report.failReason };
};

/** A video as OpenAI's API shows it. */
export const videoObject = (task: FoundTask): object => {
  const { report, submittedMs } = task;
  const properties = readVideoProperties(report.properties);
  const isDone = report.status === 'SUCCESS';
  return {
    id: videoIdOf(task.taskId),
    object: 'video',
    model: properties?.model ?? '',
    status: shownStatus(report.status),
    progress: Number.parseInt(report.progress, 10) || 0,
    created_at: Math.floor(submittedMs / 1_000),
    completed_at: isDone && report.finishTime > 0 ? report.finishTime : null,
    expires_at: isDone ? numberAt(reportedData(task), 'expires_at') : null,
    seconds: String(properties?.seconds ?? ''),
    size: properties?.size ?? '',
    prompt: task.prompt,
    remixed_from_video_id: properties?.remixedFrom ? videoIdOf(properties.remixedFrom) : null,
    error: errorOf(task),
  };
};
