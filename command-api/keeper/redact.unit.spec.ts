import { describe, expect, test } from 'vitest';
import type { CallFacts } from '../../domain/account/events.ts';
import { emptyReport } from '../../domain/task/report.ts';
import {
  aCall,
  aFailedRecord,
  aStartedRecord,
  aUsedRecord,
  leaseId,
  relayId,
  userId,
} from '../../tests/support/account-examples.ts';
import { aTaskAccepted, taskFacts } from '../../tests/support/task-examples.ts';
import { keptFacts, withoutTexts } from './redact.ts';

const facts = taskFacts({ prompt: 'a gate', state: 'mine', properties: '{"a":1}' });
const blankFacts = taskFacts({ prompt: '', state: '', properties: '' });
const report = { ...emptyReport, status: 'SUCCESS', progress: '100%', imageUrl: 'https://x/y' };
const accepted = {
  kind: 'accepted' as const,
  ...aTaskAccepted({ description: 'of mine', properties: '{"b":2}' }).data,
};

describe('what the log keeps of a caller', () => {
  test.each([
    ['a name', { username: 'ann', tokenName: 'laptop' }],
    ['an address', { ip: '192.0.2.7' }],
    ['both', { username: 'ann', tokenName: 'laptop', ip: '192.0.2.7' }],
  ])('is not %s, which relays of earlier versions sent', (_name, more) => {
    const call = { ...aCall(), ...more } as CallFacts;
    expect(keptFacts(call)).toEqual(aCall());
    expect(withoutTexts(aUsedRecord({ call }))).toEqual(aUsedRecord());
  });
  test('is all that relays of today send', () => {
    expect(keptFacts(aCall())).toEqual(aCall());
  });
});

describe('a record where nothing can be sealed', () => {
  test('keeps its money', () => {
    expect(withoutTexts(aUsedRecord())).toStrictEqual(aUsedRecord());
    expect(withoutTexts(aStartedRecord())).toStrictEqual(aStartedRecord());
    const idle = { kind: 'lease-idle', relayId, userId, sequence: 2, leaseId, unspent: 9 } as const;
    expect(withoutTexts(idle)).toStrictEqual(idle);
  });
  test('loses the message of an error', () => {
    expect(withoutTexts(aFailedRecord())).toEqual(aFailedRecord({ message: '' }));
  });
  test('loses what was asked of a task', () => {
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
  test('loses what the provider wrote, and keeps how far the task has come', () => {
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
