import { setTimeout as pause } from 'node:timers/promises';
import type { UserId } from '../../domain/shared/ids.ts';
import type { TaskId, TaskPlatform } from '../../domain/task/events.ts';
import type { FindTasks, FoundTask, FoundTasks } from '../../domain/task/messages.ts';
import type { RelayCore } from '../relay-core.ts';

const askTimeoutMs = 5_000;

/** @throws BusUnavailableError when no read model answers */
export const findTasks = async (
  { bus }: Pick<RelayCore, 'bus'>,
  asked: FindTasks,
): Promise<readonly FoundTask[]> => {
  const found = await bus.request<FindTasks, FoundTasks>('task.find', asked, {
    timeoutMs: askTimeoutMs,
  });
  return found.tasks;
};

/** The newest of that number among somebody's own tasks; `userId` null for everybody's. */
export const findTask = async (
  core: Pick<RelayCore, 'bus'>,
  platform: TaskPlatform,
  { userId, id }: Readonly<{ userId: UserId | null; id: string }>,
): Promise<FoundTask | null> =>
  (await findTasks(core, { platform, userId, upstreamIds: [id] }))[0] ?? null;

const firstPauseMs = 15;
const longestPauseMs = 150;
const patienceMs = 2_000;

/**
 * Waits until lists show a task that was just taken, so that a caller who asks for it at once finds
 * it. Past two seconds the caller is answered anyway: the journal holds the task.
 */
export const untilShown = async (
  core: Pick<RelayCore, 'bus' | 'logger'>,
  platform: TaskPlatform,
  { taskId, upstreamId }: Readonly<{ taskId: TaskId; upstreamId: string }>,
): Promise<void> => {
  const end = performance.now() + patienceMs;
  const asked: FindTasks = { platform, userId: null, upstreamIds: [], taskIds: [taskId] };
  for (let pauseMs = firstPauseMs; performance.now() < end; pauseMs *= 2) {
    await pause(Math.min(pauseMs, longestPauseMs));
    try {
      const [shown] = await findTasks(core, asked);
      if (shown?.upstreamId === upstreamId) return;
    } catch (error) {
      core.logger.debug({ taskId, error: String(error) }, 'no read model says what it shows');
      return;
    }
  }
};
