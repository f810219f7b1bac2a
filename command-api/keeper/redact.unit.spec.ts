import { describe, expect, test } from 'vitest';
import { emptyReport } from '../../domain/task/report.ts';
import {
  aFailedRecord,
  aLeaseIdle,
  aStartedRecord,
  aUsedRecord,
} from '../../tests/support/account-examples.ts';
import { aTaskAccepted, taskFacts } from '../../tests/support/task-examples.ts';
import { withoutTexts } from './redact.ts';

const facts = taskFacts({ prompt: 'a gate', state: 'mine', properties: '{"a":1}' });
const blankFacts = taskFacts({ prompt: '', state: '', properties: '' });
const report = { ...emptyReport, status: 'SUCCESS', progress: '100%', imageUrl: 'https://x/y' };
const accepted = {
  kind: 'accepted' as const,
  ...aTaskAccepted({ description: 'of mine', properties: '{"b":2}' }).data,
};

describe('a record where nothing can be sealed', () => {
  test('keeps its money', () => {
    expect(withoutTexts(aUsedRecord())).toStrictEqual(aUsedRecord());
    expect(withoutTexts(aStartedRecord())).toStrictEqual(aStartedRecord());
    expect(withoutTexts(aLeaseIdle())).toStrictEqual(aLeaseIdle());
  });
  test('loses the message of an error', () => {
    expect(withoutTexts(aFailedRecord())).toEqual(aFailedRecord({ message: '' }));
  });
  test('loses the prompt of a task', () => {
    const started = aStartedRecord({ task: { facts, outcome: null } });
    expect(withoutTexts(started).task).toEqual({ facts: blankFacts, outcome: null });
  });
  test('loses why a task was refused', () => {
    const outcome = { kind: 'refused', code: 24, reason: 'banned word' } as const;
    expect(withoutTexts(aUsedRecord({ task: { facts, outcome } })).task?.outcome).toEqual({
      kind: 'refused',
      code: 24,
      reason: '',
    });
  });
  test("loses the provider's text, and keeps the progress of the task", () => {
    const blank = { ...accepted, description: '', properties: '' };
    const taskOf = (outcome: typeof accepted & { report: typeof report | null }) =>
      withoutTexts(aUsedRecord({ task: { facts, outcome } })).task?.outcome;
    expect(taskOf({ ...accepted, report })).toEqual({
      ...blank,
      report: { ...emptyReport, status: 'SUCCESS', progress: '100%' },
    });
    expect(taskOf({ ...accepted, report: null })).toEqual({ ...blank, report: null });
  });
});
