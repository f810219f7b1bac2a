import { createHash } from 'node:crypto';
import type { CommandHandler } from '../../../command-api/commands/handle-command.ts';
import type { Job } from '../../../command-api/jobs/job.ts';
import { pollTasks } from '../../../command-api/task/poll-tasks.ts';
import { reportTask, serveTaskReports } from '../../../command-api/task/report-task.ts';
import type { TaskReport } from '../../../domain/task/events.ts';
import type { FindUnfinished, PolledTasks, PollTasks } from '../../../domain/task/messages.ts';
import { emptyReport, finished } from '../../../domain/task/report.ts';
import type { Bus } from '../../../infra/ports/bus.ts';
import type { Logger } from '../../../infra/ports/logger.ts';
import type { Vault } from '../../../infra/ports/vault.ts';
import type { TaskPlan } from '../history.ts';
import type { LogServer } from '../log/log-server.ts';
import type { Machine } from '../world/machine.ts';
import type { Network } from '../world/network.ts';
import { createRemoteCalls, type RemoteCalls } from '../world/remote-calls.ts';
import type { Provider } from './provider.ts';
import { unfinishedIn } from './task-lists.ts';

type Needs = Readonly<{
  machine: Machine;
  network: Network;
  provider: Provider;
  log: LogServer;
  commands: CommandHandler;
  logger: Logger;
  /** The real one, which relays answer on; null in histories without batches. */
  bus: Bus | null;
}>;

const everyMs = 400;
/** Shorter than in the field, as histories are. */
const pollTimeoutMs = 6_000;
const answerWithinMs = 6_000;

/** Reports hold nothing secret here. */
const plainHashes: Pick<Vault, 'claimHash'> = {
  claimHash: (kind, value) => createHash('sha256').update(`${kind} ${value}`).digest('hex'),
};

const reportOf = ({ end }: TaskPlan): TaskReport => {
  const failure = { status: 'FAILURE', failReason: 'the work came to nothing' };
  const success = { status: 'SUCCESS', progress: finished };
  return { ...emptyReport, ...(end === 'failed' ? failure : success) };
};

/** The product's own job that polls tasks, with the read model and the provider as this world has them. */
export class TaskPolling {
  readonly #needs: Needs;
  readonly #calls: RemoteCalls;
  readonly #job: Job;
  readonly #stopped = new AbortController();

  constructor(needs: Needs) {
    this.#needs = needs;
    const { machine, network, provider, commands, logger } = needs;
    const { clock, timers } = machine;
    const server = provider.machine;
    this.#calls = createRemoteCalls({ network, machine, server, attemptMs: answerWithinMs });
    const vault = plainHashes as Vault;
    const bus = { request: this.#answer } as unknown as Bus;
    this.#job = pollTasks({ bus, vault, clock, timers, logger, commands }, { isOn: true });
  }

  async start(): Promise<void> {
    const { bus, commands, machine } = this.#needs;
    const vault = plainHashes as Vault;
    if (bus !== null) await serveTaskReports(bus, { vault, clock: machine.clock, commands });
    this.#next();
  }

  #next(): void {
    this.#needs.machine.timers.setTimeout(() => void this.#round(), everyMs);
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #round(): Promise<void> {
    const { signal } = this.#stopped;
    if (signal.aborted) return;
    try {
      await this.#job.run({ runId: 'round', signal, isByHand: false });
    } catch (error) {
      this.#needs.logger.warn({ error: String(error) }, 'a round of polls came to nothing');
    }
    this.#next();
  }

  readonly #answer = async (
    subject: string,
    asked: FindUnfinished | PollTasks,
  ): Promise<unknown> => {
    if (subject === 'task.unfinished') {
      return { tasks: unfinishedIn(this.#needs.log, asked as FindUnfinished) };
    }
    const { bus } = this.#needs;
    return asked.platform === 'batch' && bus !== null
      ? bus.request(subject, asked, { timeoutMs: pollTimeoutMs })
      : this.#poll(asked as PollTasks);
  };

  async #poll({ tasks = [] }: PollTasks): Promise<PolledTasks> {
    const { provider } = this.#needs;
    const ends = await this.#calls.call(() =>
      tasks.map(({ taskId, upstreamId }) => ({
        taskId,
        upstreamId,
        end: provider.endOf(upstreamId),
      })),
    );
    const reports = [];
    for (const { taskId, upstreamId, end } of ends) {
      if (end === null) continue;
      const report = reportOf(end);
      if (end.end === 'settled') await this.#settle(taskId, { report, end });
      else reports.push({ upstreamId, report });
    }
    return { reports };
  }

  /** As a relay reports it that has read the results. */
  async #settle(
    taskId: string,
    { report, end }: Readonly<{ report: TaskReport; end: TaskPlan }>,
  ): Promise<void> {
    const { machine, commands } = this.#needs;
    const used = {
      promptTokens: 0,
      completionTokens: end.usedTokens,
      cachedTokens: 0,
      cacheCreationTokens: 0,
    };
    const vault = plainHashes as Vault;
    const actor = { kind: 'relay', id: 'relay' } as const;
    await reportTask({ vault, clock: machine.clock, commands }, { taskId, report, used, actor });
  }
}
