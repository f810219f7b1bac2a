import type { UsageRecord } from '../../domain/account/messages.ts';
import type { Metadata } from '../../domain/shared/event.ts';
import type { TaskCommand } from '../../domain/task/commands.ts';
import { taskDecider } from '../../domain/task/decider.ts';
import type { TaskNote, TaskOutcome } from '../../domain/task/messages.ts';
import { taskStreamId } from '../../domain/task/stream.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import type { Digest } from '../commands/digest.ts';
import { createHandle } from '../commands/handle-command.ts';
import { uuidFrom } from '../shared/uuid.ts';

export type NotedRecord = Exclude<UsageRecord, { kind: 'lease-idle' | 'producer-ended' }> &
  Readonly<{ task: TaskNote }>;

const lostReason = 'The gateway was interrupted before the provider answered';

/** The task that the record is about; null: none. */
export const taskIdOf = (record: UsageRecord): string | null => {
  if (record.kind === 'lease-idle' || record.kind === 'producer-ended') return null;
  const taskId: unknown = record.task?.facts?.taskId;
  return typeof taskId === 'string' ? taskId : null;
};

const isNoted = (record: UsageRecord): record is NotedRecord => taskIdOf(record) !== null;

const metadataOf = (
  { relayId, task: { facts } }: NotedRecord,
  step: string,
  occurredAt: string,
): Metadata => ({
  actor: { kind: 'relay', id: relayId },
  correlationId: facts.taskId,
  causationId: facts.taskId,
  commandId: uuidFrom(`task/${facts.taskId}/${step}`),
  occurredAt,
});

const outcomeCommand = (
  record: NotedRecord,
  outcome: TaskOutcome,
  occurredAt: string,
): TaskCommand => {
  const metadata = metadataOf(record, outcome.kind, occurredAt);
  if (outcome.kind === 'accepted') {
    const { kind: _kind, ...data } = outcome;
    return { type: 'AcceptTask', data, metadata };
  }
  const { code, reason } = outcome;
  const { taskId } = record.task.facts;
  return { type: 'RefuseTask', data: { taskId, code, reason }, metadata };
};

const commandsOf = (record: NotedRecord, occurredAt: string): readonly TaskCommand[] => {
  const { facts, outcome } = record.task;
  const submit: TaskCommand = {
    type: 'SubmitTask',
    data: facts,
    metadata: metadataOf(record, 'submitted', facts.submittedAt),
  };
  if (outcome !== null) return [submit, outcomeCommand(record, outcome, occurredAt)];
  if (record.kind !== 'lost') return [submit];
  const data = { taskId: facts.taskId, reason: lostReason };
  const metadata = metadataOf(record, 'abandoned', occurredAt);
  return [submit, { type: 'AbandonTask', data, metadata }];
};

type Settings = Readonly<{ eventStore: EventStore; clock: Clock; digest?: Digest }>;

/**
 * The tasks in the records of relays. Handled after the money of the same records is booked: a task
 * that fails later finds its charge in the account.
 */
export const createTaskNotes = ({ clock, ...log }: Settings) => {
  const commands = createHandle(log);

  const take = async (record: NotedRecord): Promise<void> => {
    const streamId = taskStreamId(record.task.facts.taskId);
    for (const command of commandsOf(record, clock().toISOString())) {
      await commands.handle(taskDecider, streamId, command);
    }
  };

  return async (records: readonly UsageRecord[]): Promise<void> => {
    const byTask = new Map<string, NotedRecord[]>();
    for (const record of records) {
      if (!isNoted(record)) continue;
      const { taskId } = record.task.facts;
      byTask.set(taskId, [...(byTask.get(taskId) ?? []), record]);
    }
    await Promise.all(
      [...byTask.values()].map(async (ofTask) => {
        for (const record of ofTask) await take(record);
      }),
    );
  };
};

export type TaskNotes = ReturnType<typeof createTaskNotes>;
