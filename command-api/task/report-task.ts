import type { Actor, Metadata } from '../../domain/shared/event.ts';
import type {
  GiveUpTask,
  ReportTask,
  TaskCommand,
  TaskRejection,
} from '../../domain/task/commands.ts';
import { taskDecider } from '../../domain/task/decider.ts';
import type { TaskEvent, TaskId, TaskReport } from '../../domain/task/events.ts';
import type { ReportOfTask, TaskReported } from '../../domain/task/messages.ts';
import { taskStreamId } from '../../domain/task/stream.ts';
import type { Bus, Stop } from '../../infra/ports/bus.ts';
import type { CommandResult } from '../command-result.ts';
import { schemaVersion } from '../metadata.ts';
import type { Services } from '../services.ts';
import { uuidFrom } from '../uuid.ts';

type Needs = Pick<Services, 'commands' | 'clock' | 'vault'>;
type Told = Readonly<{ taskId: TaskId; report: TaskReport; actor: Actor }>;

/** The same report twice is the same command: it changes a task once. */
const metadataOf = (
  { clock, vault }: Needs,
  taskId: TaskId,
  about: Readonly<{ actor: Actor; wish: unknown }>,
): Metadata => {
  // Keyed: a report repeats the prompt, and the id would confirm a guess at it.
  const said = vault.claimHash('task-report', JSON.stringify(about.wish));
  const commandId = uuidFrom(`task/${taskId}/${said}`);
  return {
    actor: about.actor,
    correlationId: taskId,
    causationId: commandId,
    commandId,
    occurredAt: clock().toISOString(),
    schemaVersion,
  };
};

const handle = (
  { commands }: Needs,
  command: TaskCommand,
): Promise<CommandResult<TaskEvent, TaskRejection>> =>
  commands.handle(taskDecider, taskStreamId(command.data.taskId), command);

/** What a provider said of a task, by its call back or when it was asked. */
export const reportTask = (needs: Needs, { taskId, report, actor }: Told) => {
  const data: ReportTask['data'] = { taskId, report };
  const metadata = metadataOf(needs, taskId, { actor, wish: report });
  return handle(needs, { type: 'ReportTask', data, metadata });
};

/** Nobody will say any more what became of it: what it cost goes back. */
export const giveUpTask = (needs: Needs, data: GiveUpTask['data'], actor: Actor) => {
  const metadata = metadataOf(needs, data.taskId, { actor, wish: data.source });
  return handle(needs, { type: 'GiveUpTask', data, metadata });
};

/** Takes calls back of providers from the relays, which have checked who calls. */
export const serveTaskReports = (bus: Bus, needs: Needs): Promise<Stop> =>
  bus.serve<ReportOfTask, TaskReported>('task.report', async ({ taskId, report, relayId }) => {
    const result = await reportTask(needs, {
      taskId,
      report,
      actor: { kind: 'relay', id: relayId },
    });
    return { isKnown: result.kind === 'accepted' };
  });
