import type { AcceptTask, GiveUpTask, ReportTask, SubmitTask } from '../../domain/task/commands.ts';
import type {
  TaskAccepted,
  TaskFacts,
  TaskFailed,
  TaskReport,
  TaskSubmitted,
} from '../../domain/task/events.ts';
import { emptyReport } from '../../domain/task/report.ts';
import { aMetadata } from './metadata-examples.ts';

export const taskId = '20260301081500abcdefgh0000001';

export const taskFacts = (changes: Partial<TaskFacts> = {}): TaskFacts => ({
  taskId,
  platform: 'mj',
  userId: 42,
  tokenId: 7,
  channelId: 4,
  action: 'IMAGINE',
  model: 'mj_imagine',
  group: 'default',
  prompt: 'a gate at dawn',
  state: '',
  properties: '',
  submittedAt: '2026-03-01T08:15:00.000Z',
  ...changes,
});

export const aTaskSubmitted = (changes: Partial<TaskFacts> = {}): TaskSubmitted => ({
  type: 'TaskSubmitted',
  data: taskFacts(changes),
});
export const aSubmitTask = (changes: Partial<TaskFacts> = {}): SubmitTask => ({
  type: 'SubmitTask',
  data: taskFacts(changes),
  metadata: aMetadata(),
});

const acceptance = (changes: Partial<TaskAccepted['data']> = {}): TaskAccepted['data'] => ({
  taskId,
  platform: 'mj',
  userId: 42,
  channelId: 4,
  upstreamId: 'mj-1',
  code: 1,
  description: 'Submit success',
  quota: 50_000,
  acceptedAt: '2026-03-01T08:15:01.000Z',
  properties: '',
  ...changes,
});
export const aTaskAccepted = (changes: Partial<TaskAccepted['data']> = {}): TaskAccepted => ({
  type: 'TaskAccepted',
  data: acceptance(changes),
});
export const anAcceptTask = (
  changes: Partial<TaskAccepted['data']> = {},
  report: TaskReport | null = null,
): AcceptTask => ({
  type: 'AcceptTask',
  data: { ...acceptance(changes), report },
  metadata: aMetadata(),
});

export const aReport = (changes: Partial<TaskReport> = {}): TaskReport => ({
  ...emptyReport,
  ...changes,
});
export const aReportTask = (changes: Partial<TaskReport> = {}): ReportTask => ({
  type: 'ReportTask',
  data: { taskId, report: aReport(changes) },
  metadata: aMetadata(),
});
export const aGiveUpTask = (source: GiveUpTask['data']['source'] = 'timeout'): GiveUpTask => ({
  type: 'GiveUpTask',
  data: { taskId, source, reason: 'too long' },
  metadata: aMetadata(),
});
export const aTaskFailed = (changes: Partial<TaskFailed['data']> = {}): TaskFailed => ({
  type: 'TaskFailed',
  data: {
    taskId,
    userId: 42,
    source: 'upstream',
    code: null,
    reason: 'the brush broke',
    quota: 50_000,
    report: aReport({ status: 'FAILURE', progress: '100%', failReason: 'the brush broke' }),
    ...changes,
  },
});
