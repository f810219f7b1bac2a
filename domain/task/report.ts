import type { TaskReport } from './events.ts';

/** Before the provider said anything of it. */
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

/** Words that say nothing do not wipe out words that did (task sheet, section 9). */
export const merged = (held: TaskReport, said: TaskReport): TaskReport => {
  const told = Object.entries(said).filter(
    ([name, value]) => Object.hasOwn(emptyReport, name) && Boolean(value),
  );
  return { ...held, ...(Object.fromEntries(told) as Partial<TaskReport>) };
};

export const isSame = (left: TaskReport, right: TaskReport): boolean =>
  (Object.keys(left) as (keyof TaskReport)[]).every((name) => left[name] === right[name]);

/** The rule of failure is the same for both platforms (task sheet, sections 6.2 and 9). */
export const isFailure = ({ status, progress, failReason }: TaskReport): boolean =>
  status === 'FAILURE' || (failReason !== '' && progress !== finished);

export const isSuccess = (report: TaskReport): boolean =>
  !isFailure(report) && (report.status === 'SUCCESS' || report.progress === finished);
