import type { RequestFailedRecord, UsageRecord } from '../../domain/account/messages.ts';
import type { TaskNote, TaskOutcome } from '../../domain/task/messages.ts';
import { emptyReport } from '../../domain/task/report.ts';

const blankOutcome = (outcome: TaskOutcome): TaskOutcome => {
  if (outcome.kind === 'refused') return { ...outcome, reason: '' };
  const report = outcome.report && {
    ...emptyReport,
    status: outcome.report.status,
    progress: outcome.report.progress,
  };
  return { ...outcome, description: '', properties: '', report };
};

const blankNote = ({ facts, outcome }: TaskNote): TaskNote => ({
  facts: { ...facts, prompt: '', state: '', properties: '' },
  outcome: outcome && blankOutcome(outcome),
});

const blankMessage = (record: RequestFailedRecord): RequestFailedRecord => ({
  ...record,
  message: '',
});

/** A record for places that have no key to seal under: the money, and nothing that a person wrote. */
export const withoutTexts = <R extends UsageRecord>(record: R): R => {
  if (record.kind === 'lease-idle' || record.kind === 'producer-ended') return record;
  const reported: Exclude<UsageRecord, { kind: 'lease-idle' | 'producer-ended' }> =
    record.kind === 'failed' ? blankMessage(record) : record;
  const task = reported.task === undefined ? {} : { task: blankNote(reported.task) };
  return { ...reported, ...task } as R;
};
