import { beforeEach, describe, expect, test } from 'vitest';
import type { UsageRecord } from '../../domain/account/messages.ts';
import type { TaskNote } from '../../domain/task/messages.ts';
import {
  aFailedRecord,
  aLeaseIdle,
  aStartedRecord,
  aUsedRecord,
  relayId,
} from '../../tests/support/account-examples.ts';
import {
  createMemoryEventStore,
  type MemoryEventStore,
} from '../../tests/support/memory-event-store.ts';
import { aTaskAccepted, taskFacts, taskId } from '../../tests/support/task-examples.ts';
import { createTaskNotes } from './task-notes.ts';

const facts = taskFacts();
const now = '2026-03-01T08:20:00.000Z';
const accepted: TaskNote['outcome'] = { kind: 'accepted', ...aTaskAccepted().data, report: null };
const refused: TaskNote['outcome'] = { kind: 'refused', code: 24, reason: 'banned word' };

let store: MemoryEventStore;
let note: (records: readonly UsageRecord[]) => Promise<void>;
beforeEach(() => {
  store = createMemoryEventStore();
  note = createTaskNotes({ eventStore: store, clock: () => new Date(now) });
});
const started = (outcome: TaskNote['outcome'] = null) =>
  aStartedRecord({ task: { facts, outcome } });
const types = () => store.all.map(({ event }) => event.type);
const last = () => store.all.at(-1);

describe('what a record contains of a task', () => {
  test('is that it was submitted, at the time that it names', async () => {
    await note([started()]);
    expect(types()).toEqual(['TaskSubmitted']);
    expect(last()).toMatchObject({ streamId: `task-${taskId}`, event: { data: facts } });
    expect(last()?.metadata).toMatchObject({
      actor: { kind: 'relay', id: relayId },
      correlationId: taskId,
      causationId: taskId,
      occurredAt: facts.submittedAt,
    });
  });
  test('is that the provider accepted it', async () => {
    await note([started(), aUsedRecord({ task: { facts, outcome: accepted } })]);
    expect(types()).toEqual(['TaskSubmitted', 'TaskAccepted']);
    expect(last()).toMatchObject({
      event: { data: aTaskAccepted().data },
      metadata: { occurredAt: now },
    });
  });
  test('is that the provider refused it, and why', async () => {
    await note([aFailedRecord({ task: { facts, outcome: refused } })]);
    expect(types()).toEqual(['TaskSubmitted', 'TaskFailed']);
    expect(last()?.event.data).toMatchObject({ taskId });
    expect(JSON.stringify(last()?.event.data)).toContain('banned word');
  });
  test('is that it has no answer where the relay died', async () => {
    await note([{ ...started(), kind: 'lost' }]);
    expect(types()).toEqual(['TaskSubmitted', 'TaskFailed']);
    expect(JSON.stringify(last()?.event.data)).toContain(
      'The gateway was interrupted before the provider answered',
    );
  });
  test('is its answer where the relay died after it', async () => {
    await note([{ ...started(accepted), kind: 'lost' }]);
    expect(types()).toEqual(['TaskSubmitted', 'TaskAccepted']);
  });
  test('is recorded once, however often it arrives', async () => {
    const records = [started(), aUsedRecord({ task: { facts, outcome: accepted } })];
    await note(records);
    await note(records);
    expect(types()).toEqual(['TaskSubmitted', 'TaskAccepted']);
  });
  test('is recorded for each task separately, in its order', async () => {
    const other = taskFacts({ taskId: 'other' });
    await note([
      started(),
      aStartedRecord({ task: { facts: other, outcome: null } }),
      aUsedRecord({ task: { facts, outcome: accepted } }),
    ]);
    const of = (id: string) =>
      store.all.filter(({ streamId }) => streamId === `task-${id}`).map(({ event }) => event.type);
    expect([of(taskId), of('other')]).toEqual([
      ['TaskSubmitted', 'TaskAccepted'],
      ['TaskSubmitted'],
    ]);
  });
});

test('records without a task leave nothing behind', async () => {
  const odd = { facts: { ...facts, taskId: 5 }, outcome: null } as unknown as TaskNote;
  await note([
    aUsedRecord(),
    aLeaseIdle(),
    { ...aLeaseIdle(), task: { facts, outcome: null } } as UsageRecord,
    aStartedRecord({ task: odd }),
    aStartedRecord({ task: {} as TaskNote }),
  ]);
  expect(store.all).toEqual([]);
});
