import type { Usage } from '../../domain/pricing/types.ts';
import type { Actor, Metadata } from '../../domain/shared/event.ts';
import type {
  GiveUpTask,
  ReportTask,
  TaskCommand,
  TaskRejection,
} from '../../domain/task/commands.ts';
import { taskDecider } from '../../domain/task/decider.ts';
import type { TaskEvent, TaskId, TaskReport } from '../../domain/task/events.ts';
import type {
  RemovalOfTask,
  RemovedTask,
  ReportOfTask,
  TaskReported,
} from '../../domain/task/messages.ts';
import { taskStreamId } from '../../domain/task/stream.ts';
import type { Bus, Stop } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import type { CommandResult } from '../commands/command-result.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import { uuidFrom } from '../shared/uuid.ts';

type Deps = Readonly<{
  vault: Vault;
  clock: Clock;
  commands: CommandHandler;
}>;

type Reported = Readonly<{ taskId: TaskId; report: TaskReport; used?: Usage; actor: Actor }>;

/** The same report twice is the same command: it changes a task once. */
const metadataOf = (
  { clock, vault }: Deps,
  taskId: TaskId,
  about: Readonly<{ actor: Actor; payload: unknown }>,
): Metadata => {
  // Keyed: a report repeats the prompt, and the id would confirm a guess at it.
  const reported = vault.claimHash('task-report', JSON.stringify(about.payload));
  const commandId = uuidFrom(`task/${taskId}/${reported}`);
  return {
    actor: about.actor,
    correlationId: taskId,
    causationId: commandId,
    commandId,
    occurredAt: clock().toISOString(),
  };
};

const handle = (
  { commands }: Deps,
  command: TaskCommand,
): Promise<CommandResult<TaskEvent, TaskRejection>> =>
  commands.handle(taskDecider, taskStreamId(command.data.taskId), command);

/** A provider's report of a task, by its callback or by a poll. */
export const reportTask = (needs: Deps, { taskId, report, used, actor }: Reported) => {
  const data: ReportTask['data'] =
    used === undefined ? { taskId, report } : { taskId, report, used };
  const payload = used === undefined ? report : { report, used };
  const metadata = metadataOf(needs, taskId, { actor, payload });
  return handle(needs, { type: 'ReportTask', data, metadata });
};

/** No provider reports its end any more: what it cost goes back. */
export const giveUpTask = (needs: Deps, data: GiveUpTask['data'], actor: Actor) => {
  const metadata = metadataOf(needs, data.taskId, { actor, payload: data.source });
  return handle(needs, { type: 'GiveUpTask', data, metadata });
};

/** Deletes tasks for their owners, whom the relays have checked. */
export const serveTaskRemovals = (bus: Bus, needs: Deps): Promise<Stop> =>
  bus.serve<RemovalOfTask, RemovedTask>('task.remove', async ({ taskId, relayId }) => {
    const actor: Actor = { kind: 'relay', id: relayId };
    const metadata = metadataOf(needs, taskId, { actor, payload: 'removal' });
    const result = await handle(needs, { type: 'RemoveTask', data: { taskId }, metadata });
    if (result.kind === 'accepted') return { outcome: 'removed' };
    return { outcome: result.code === 'task.unfinished' ? 'unfinished' : 'unknown' };
  });

/** Takes calls back of providers from the relays, which have checked who calls. */
export const serveTaskReports = (bus: Bus, needs: Deps): Promise<Stop> =>
  bus.serve<ReportOfTask, TaskReported>('task.report', async ({ relayId, ...reported }) => {
    const actor: Actor = { kind: 'relay', id: relayId };
    const result = await reportTask(needs, { ...reported, actor });
    return { isKnown: result.kind === 'accepted' };
  });
