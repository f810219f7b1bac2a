import type { CallFacts } from '../../domain/account/events.ts';
import type { RequestFailedRecord, UsageRecord } from '../../domain/account/messages.ts';
import type { TaskNote, TaskOutcome } from '../../domain/task/messages.ts';
import { emptyReport } from '../../domain/task/report.ts';

type EarlierFacts = CallFacts & Readonly<{ username?: string; tokenName?: string; ip?: string }>;

/** Relays of earlier versions, and journals that they left, say more of a caller than the log keeps. */
export const keptFacts = (call: CallFacts): CallFacts => {
  if (!('ip' in call) && !('username' in call)) return call;
  const { username: _username, tokenName: _tokenName, ip: _ip, ...kept } = call as EarlierFacts;
  return kept;
};

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
  const kept = 'call' in reported ? { call: keptFacts(reported.call) } : {};
  const task = reported.task === undefined ? {} : { task: blankNote(reported.task) };
  return { ...reported, ...kept, ...task } as R;
};
