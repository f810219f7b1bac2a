import type { TaskEvent, TaskPlatform, TaskReport } from '../../domain/task/events.ts';
import { projector } from '../runtime/projector.ts';
import { secondsOf } from '../shared/time.ts';
import { type TaskListRow, taskListTables } from './table.ts';

/** PostgreSQL takes no NUL. */
const plain = (text: string): string => text.replaceAll('\0', '\ufffd');

const inPlatformTime = (platform: TaskPlatform, ms: number): number =>
  platform === 'mj' ? ms : Math.floor(ms / 1_000);

/** The provider's answer; fields that it left empty keep their stored value. */
const reported = (report: TaskReport, sealed = ''): Partial<TaskListRow> => ({
  sealed_report: sealed,
  status: plain(report.status),
  progress: plain(report.progress),
  prompt_en: plain(report.promptEn),
  image_url: plain(report.imageUrl),
  fail_reason: plain(report.failReason),
  start_time: report.startTime,
  finish_time: report.finishTime,
  buttons: plain(report.buttons),
  data: plain(report.data),
  ...(report.description === '' ? {} : { description: plain(report.description) }),
  ...(report.state === '' ? {} : { state: plain(report.state) }),
  ...(report.submitTime === 0 ? {} : { submit_time: report.submitTime }),
  ...(report.properties === '' ? {} : { properties: plain(report.properties) }),
});

/** A reported drawing was accepted, whatever the first answer was; other tasks show no code. */
const taken = { code: 1 } as const;

/** Drawings have none before their provider names one. */
const firstStatus = (platform: TaskPlatform): string => (platform === 'mj' ? '' : 'NOT_START');

/** Nothing is recorded of it but that it is under way. */
const begun = (platform: TaskPlatform): Partial<TaskListRow> => ({
  status: firstStatus(platform),
  progress: '0%',
  fail_reason: '',
  sealed_failure: '',
  is_open: true,
});
const failure = { status: 'FAILURE', progress: '100%' } as const;

/** Answers: which drawings, songs and videos were requested, and what is the state of each? */
export const taskListProjector = projector<TaskEvent>()({
  name: 'task-list',
  version: 3,
  tables: taskListTables,
  on: {
    TaskSubmitted: ({ tasks }, recorded) => {
      const { data } = recorded.event;
      const submittedMs = Date.parse(data.submittedAt);
      tasks.put({
        task_id: data.taskId,
        id: Number(recorded.position),
        platform: data.platform,
        user_id: data.userId,
        channel_id: data.channelId,
        action: plain(data.action),
        upstream_id: '',
        prompt: plain(data.prompt),
        prompt_en: '',
        description: '',
        state: plain(data.state),
        code: 0,
        quota: 0,
        status: firstStatus(data.platform),
        progress: '0%',
        image_url: '',
        fail_reason: '',
        buttons: '',
        properties: plain(data.properties),
        data: '',
        submitted_ms: submittedMs,
        submit_time: inPlatformTime(data.platform, submittedMs),
        start_time: 0,
        finish_time: 0,
        created_at: Math.floor(submittedMs / 1_000),
        updated_at: secondsOf(recorded),
        is_open: true,
        is_removed: false,
        sealed_ask: data.personal ?? '',
        sealed_answer: '',
        sealed_report: '',
        sealed_failure: '',
      });
    },
    TaskAccepted: ({ tasks }, recorded) => {
      const { data } = recorded.event;
      tasks.patch(data.taskId, {
        channel_id: data.channelId,
        upstream_id: plain(data.upstreamId),
        code: data.code,
        description: plain(data.description),
        quota: data.quota,
        ...(data.properties === '' ? {} : { properties: plain(data.properties) }),
        // A relay that was taken for dead may report after all.
        ...begun(data.platform),
        sealed_answer: data.personal ?? '',
        updated_at: secondsOf(recorded),
      });
    },
    TaskProgressed: ({ tasks }, recorded) => {
      const { taskId, report, personal } = recorded.event.data;
      const updated_at = secondsOf(recorded);
      tasks.patch(taskId, { ...reported(report, personal), ...taken, updated_at });
    },
    TaskSucceeded: ({ tasks }, recorded) => {
      const { taskId, report, personal } = recorded.event.data;
      const updated_at = secondsOf(recorded);
      tasks.patch(taskId, { ...reported(report, personal), updated_at, is_open: false });
    },
    TaskSettled: 'ignored',
    TaskRemoved: ({ tasks }, recorded) => {
      tasks.patch(recorded.event.data.taskId, {
        is_removed: true,
        updated_at: secondsOf(recorded),
      });
    },
    TaskFailed: ({ tasks }, recorded) => {
      const { taskId, code, reason, report, personal } = recorded.event.data;
      tasks.patch(taskId, {
        ...(report === null ? {} : reported(report, personal)),
        ...failure,
        sealed_failure: personal ?? '',
        fail_reason: plain(reason),
        ...(code === null ? {} : { code }),
        updated_at: secondsOf(recorded),
        is_open: false,
      });
    },
  },
});
