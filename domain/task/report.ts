import type { TaskReport } from './events.ts';

/** Before the first report of the provider. */
export const emptyReport: TaskReport = {
  status: '',
  progress: '0%',
  promptEn: '',
  description: '',
  state: '',
  submitTime: 0,
  startTime: 0,
  finishTime: 0,
  imageUrl: '',
  failReason: '',
  buttons: '',
  properties: '',
  data: '',
};

export const finished = '100%';

/** Empty fields of a report do not overwrite earlier ones (infra/reference/tasks.md). */
export const merged = (held: TaskReport, news: TaskReport): TaskReport => {
  const given = Object.entries(news).filter(
    ([name, value]) => Object.hasOwn(emptyReport, name) && Boolean(value),
  );
  return { ...held, ...(Object.fromEntries(given) as Partial<TaskReport>) };
};

export const isSame = (left: TaskReport, right: TaskReport): boolean =>
  (Object.keys(left) as (keyof TaskReport)[]).every((name) => left[name] === right[name]);

/** The rule of failure is the same for both platforms (infra/reference/tasks.md). */
export const isFailure = ({ status, progress, failReason }: TaskReport): boolean =>
  status === 'FAILURE' || (failReason !== '' && progress !== finished);

export const isSuccess = (report: TaskReport): boolean =>
  !isFailure(report) && (report.status === 'SUCCESS' || report.progress === finished);
