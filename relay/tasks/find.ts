import { setTimeout as pause } from 'node:timers/promises';
import type { UserId } from '../../domain/shared/ids.ts';
import type { TaskId, TaskPlatform } from '../../domain/task/events.ts';
import type { FindTasks, FoundTask, FoundTasks } from '../../domain/task/messages.ts';
import type { RelayCore } from '../execution/relay-core.ts';

const findTimeoutMs = 5_000;

/** @throws BusUnavailableError when no read model answers */
export const findTasks = async (
  { bus }: Pick<RelayCore, 'bus'>,
  query: FindTasks,
): Promise<readonly FoundTask[]> => {
  const found = await bus.request<FindTasks, FoundTasks>('task.find', query, {
    timeoutMs: findTimeoutMs,
  });
  return found.tasks;
};

/** The newest task of that number of one user; `userId` null: of all users. */
export const findTask = async (
  core: Pick<RelayCore, 'bus'>,
  platform: TaskPlatform,
  { userId, id }: Readonly<{ userId: UserId | null; id: string }>,
): Promise<FoundTask | null> =>
  (await findTasks(core, { platform, userId, upstreamIds: [id] }))[0] ?? null;

const firstPauseMs = 15;
const maxPauseMs = 150;
const maxWaitMs = 2_000;

/**
 * Waits until lists show a task that was just accepted, so that a caller who reads it at once finds
 * it. After two seconds the caller is answered anyway: the journal contains the task.
 */
export const untilShown = async (
  core: Pick<RelayCore, 'bus' | 'logger'>,
  platform: TaskPlatform,
  { taskId, upstreamId }: Readonly<{ taskId: TaskId; upstreamId: string }>,
): Promise<void> => {
  const end = performance.now() + maxWaitMs;
  const query: FindTasks = { platform, userId: null, upstreamIds: [], taskIds: [taskId] };
  for (let pauseMs = firstPauseMs; performance.now() < end; pauseMs *= 2) {
    await pause(Math.min(pauseMs, maxPauseMs));
    try {
      const [shown] = await findTasks(core, query);
      if (shown?.upstreamId === upstreamId) return;
    } catch (error) {
      core.logger.debug(
        { taskId, error: String(error) },
        'task lookup failed: no projection answered',
      );
      return;
    }
  }
};
