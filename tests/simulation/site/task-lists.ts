import type {
  TaskAccepted,
  TaskEvent,
  TaskPlatform,
  TaskSubmitted,
} from '../../../domain/task/events.ts';
import type {
  FindTasks,
  FindUnfinished,
  FoundTask,
  UnfinishedTask,
} from '../../../domain/task/messages.ts';
import { emptyReport, merged } from '../../../domain/task/report.ts';
import type { LogServer } from '../log/log-server.ts';

type Listed = { -readonly [Key in keyof FoundTask]: FoundTask[Key] } & { hasEnded: boolean };

type Tasks = Map<string, Listed>;

const submitted = (tasks: Tasks, { data }: TaskSubmitted): void => {
  const { taskId, userId, channelId, action, prompt, properties, submittedAt } = data;
  const report = { ...emptyReport, properties };
  const submittedMs = Date.parse(submittedAt);
  const known = { taskId, userId, channelId, action, prompt, submittedMs, report };
  tasks.set(taskId, { ...known, upstreamId: '', hasEnded: false });
};

/** One that was given up is the newest again. */
const accepted = (tasks: Tasks, task: Listed, { data }: TaskAccepted): void => {
  if (task.hasEnded) tasks.delete(task.taskId);
  const submittedMs = Date.parse(data.acceptedAt);
  tasks.set(task.taskId, { ...task, submittedMs, upstreamId: data.upstreamId, hasEnded: false });
};

const moved = (tasks: Tasks, event: Exclude<TaskEvent, TaskSubmitted>): void => {
  const task = tasks.get(event.data.taskId);
  if (task === undefined) return;
  switch (event.type) {
    case 'TaskAccepted':
      accepted(tasks, task, event);
      return;
    case 'TaskSucceeded':
    case 'TaskProgressed':
      task.report = merged(task.report, event.data.report);
      task.hasEnded = event.type === 'TaskSucceeded';
      return;
    case 'TaskFailed':
      task.hasEnded = true;
  }
};

/** All tasks of a platform, as the read model of tasks lists them. */
const tasksIn = ({ log }: LogServer, platform: TaskPlatform): readonly Listed[] => {
  const tasks: Tasks = new Map();
  for (const { event } of log.all) {
    if (!event.type.startsWith('Task')) continue;
    const known = event as TaskEvent;
    if (known.type !== 'TaskSubmitted') moved(tasks, known);
    else if (known.data.platform === platform) submitted(tasks, known);
  }
  return [...tasks.values()];
};

/** Tasks without an end. */
export const unfinishedIn = (log: LogServer, { platform }: FindUnfinished): UnfinishedTask[] =>
  tasksIn(log, platform)
    .filter(({ hasEnded }) => !hasEnded)
    .map(({ taskId, upstreamId, channelId, submittedMs }) => ({
      ...{ taskId, upstreamId, channelId, submittedMs },
    }));

export const foundIn = (log: LogServer, query: FindTasks): FoundTask[] => {
  const { platform, userId, upstreamIds, taskIds } = query;
  return tasksIn(log, platform).filter(
    (task) =>
      (userId === null || task.userId === userId) &&
      (taskIds === undefined
        ? upstreamIds.includes(task.upstreamId)
        : taskIds.includes(task.taskId)),
  );
};
