import { channelDecider } from '../../domain/channel/decider.ts';
import { channelStreamId } from '../../domain/channel/stream.ts';
import type { ChannelId } from '../../domain/shared/ids.ts';
import type { TaskPlatform, TaskReport } from '../../domain/task/events.ts';
import type {
  FindUnfinished,
  PolledTasks,
  PollTasks,
  UnfinishedTask,
  UnfinishedTasks,
} from '../../domain/task/messages.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Timers } from '../../infra/ports/timers.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import { every, type Job } from '../jobs/job.ts';
import { giveUpTask, reportTask } from './report-task.ts';
import { WatchedTasks } from './watched-tasks.ts';

type Deps = Readonly<{
  bus: Bus;
  vault: Vault;
  clock: Clock;
  timers: Timers;
  logger: Logger;
  commands: CommandHandler;
}>;

type Counts = { asked: number; changed: number; givenUp: number };

/** Files and caches are not polled: they have ended with their acceptance. */
type Polled = Exclude<TaskPlatform, 'file' | 'cache'>;

const platforms: readonly Polled[] = ['mj', 'suno', 'video', 'batch'];
const pollEveryMs = 15_000;
const maxUnfinished: Readonly<Record<Polled, number>> = {
  mj: 2_000,
  suno: 500,
  video: 500,
  batch: 500,
};
/** Tasks that are polled at a provider at once; videos and batches are polled one by one. */
const batch: Readonly<Record<Polled, number>> = { mj: 50, suno: 50, video: 20, batch: 20 };
const pollTimeoutMs = 25_000;
const hourMs = 3_600_000;
/** A task that has not ended after so many hours, and was polled in vain, is over (infra/reference/tasks.md). */
const maxHours: Readonly<Record<Polled, number>> = { mj: 1, suno: 1, video: 24, batch: 48 };

const actor = { kind: 'system', id: 'task-polling' } as const;
const timeoutReason = (platform: Polled): string => `上游任务超时（超过${maxHours[platform]}小时）`;
const goneReason = (channelId: ChannelId): string =>
  `获取渠道信息失败，请联系管理员，渠道ID：${channelId}`;

const byChannel = (tasks: readonly UnfinishedTask[]): Map<ChannelId, UnfinishedTask[]> => {
  const groups = new Map<ChannelId, UnfinishedTask[]>();
  for (const task of tasks) {
    groups.set(task.channelId, [...(groups.get(task.channelId) ?? []), task]);
  }
  return groups;
};

/** The answer to an earlier command changes nothing. */
const isChange = (result: Awaited<ReturnType<typeof reportTask>>): boolean =>
  result.kind === 'accepted' && !result.repeated && result.events.length > 0;

type Watched = Readonly<Record<Polled, WatchedTasks>>;

const watchedByPlatform = (): Watched => ({
  mj: new WatchedTasks(),
  suno: new WatchedTasks(),
  video: new WatchedTasks(),
  batch: new WatchedTasks(),
});

/** One poll of all tasks that have not ended. */
class Round {
  readonly counts: Counts = { asked: 0, changed: 0, givenUp: 0 };
  readonly #needs: Deps;
  readonly #watched: Watched;
  readonly #signal: AbortSignal;

  constructor(needs: Deps, watched: Watched, signal: AbortSignal) {
    this.#needs = needs;
    this.#watched = watched;
    this.#signal = signal;
  }

  async pollAll(platform: Polled): Promise<void> {
    const asked = { platform, limit: maxUnfinished[platform] };
    const { tasks } = await this.#needs.bus.request<FindUnfinished, UnfinishedTasks>(
      'task.unfinished',
      asked,
    );
    this.#watched[platform].see(tasks, this.#needs.timers.now());
    const groups = [...byChannel(tasks)];
    await Promise.all(groups.map(([channelId, own]) => this.#channel(platform, channelId, own)));
  }

  /** A channel whose provider cannot be polled now is polled again in the next round. */
  async #channel(
    platform: Polled,
    channelId: ChannelId,
    tasks: readonly UnfinishedTask[],
  ): Promise<void> {
    if (await this.#isGone(channelId)) {
      for (const task of tasks) await this.#giveUp(task, 'channel-gone', goneReason(channelId));
      return;
    }
    const taken = tasks.filter(({ upstreamId }) => upstreamId !== '');
    const size = batch[platform];
    for (let at = 0; at < taken.length && !this.#signal.aborted; at += size) {
      await this.#ask(platform, channelId, taken.slice(at, at + size));
    }
    const { clock, timers } = this.#needs;
    const latest = clock().getTime() - maxHours[platform] * hourMs;
    for (const task of tasks) {
      if (task.submittedMs > latest) continue;
      if (!this.#watched[platform].isOverdue(task.taskId, timers.now())) continue;
      await this.#giveUp(task, 'timeout', timeoutReason(platform));
    }
  }

  async #ask(
    platform: Polled,
    channelId: ChannelId,
    tasks: readonly UnfinishedTask[],
  ): Promise<void> {
    const upstreamIds = [...new Set(tasks.map(({ upstreamId }) => upstreamId))];
    const own = tasks.map(({ taskId, upstreamId }) => ({ taskId, upstreamId }));
    const asked: PollTasks = { platform, channelId, upstreamIds, tasks: own };
    this.counts.asked += tasks.length;
    const reports = await this.#poll(asked);
    const byUpstreamId = new Map<string, TaskReport>(
      (reports ?? []).map(({ upstreamId, report }) => [upstreamId, report]),
    );
    for (const { taskId, upstreamId } of tasks) {
      const report = byUpstreamId.get(upstreamId);
      if (report === undefined) continue;
      const result = await reportTask(this.#needs, { taskId, report, actor });
      if (isChange(result)) this.counts.changed += 1;
    }
  }

  async #poll(asked: PollTasks): Promise<PolledTasks['reports']> {
    const { bus, logger } = this.#needs;
    try {
      const options = { timeoutMs: pollTimeoutMs };
      const byUpstreamId = await bus.request<PollTasks, PolledTasks>(
        'relay.poll-tasks',
        asked,
        options,
      );
      return byUpstreamId.reports;
    } catch (error) {
      const { channelId } = asked;
      logger.warn({ channelId, error: String(error) }, 'no relay polled the tasks');
      return null;
    }
  }

  async #giveUp(
    { taskId }: UnfinishedTask,
    source: 'timeout' | 'channel-gone',
    reason: string,
  ): Promise<void> {
    const result = await giveUpTask(this.#needs, { taskId, source, reason }, actor);
    if (isChange(result)) this.counts.givenUp += 1;
  }

  async #isGone(channelId: ChannelId): Promise<boolean> {
    const { commands } = this.#needs;
    const { state } = await commands.load(channelDecider, channelStreamId(channelId));
    return state.status === 'absent' || state.status === 'deleted';
  }
}

/** Polls unfinished tasks at providers, and closes those that no provider reports. */
export const pollTasks = (needs: Deps, { isOn }: Readonly<{ isOn: boolean }>): Job => {
  const watched = watchedByPlatform();
  return {
    name: 'task-polling',
    everyMs: every(isOn ? pollEveryMs : null),
    run: async ({ signal }) => {
      const round = new Round(needs, watched, signal);
      await Promise.all(platforms.map((platform) => round.pollAll(platform)));
      const { asked, changed, givenUp } = round.counts;
      return asked + givenUp === 0 ? {} : { asked, changed, givenUp };
    },
  };
};
