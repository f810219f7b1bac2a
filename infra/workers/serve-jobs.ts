import type { Task, TaskResult } from './job-queue.ts';

export type Job = (input: never, port: Task['port']) => unknown;

/**
 * The `work` export of a worker module. Errors of jobs are returned as values, to distinguish them
 * from a thread that ended.
 */
export const serveJobs =
  (jobs: Readonly<Record<string, Job>>) =>
  async ({ job, input, port }: Task): Promise<TaskResult> => {
    try {
      const own = jobs[job];
      if (own === undefined) throw new Error(`no such job: ${job}`);
      return { ok: true, value: await own(input as never, port) };
    } catch (error) {
      const {
        name,
        message,
        stack = '',
      } = error instanceof Error ? error : new Error(String(error));
      return { ok: false, name, message, stack };
    }
  };
