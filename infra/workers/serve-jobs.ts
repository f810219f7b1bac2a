import type { Task, TaskResult } from './job-queue.ts';

export type Job = (input: never, port: Task['port']) => unknown;

/** What a worker module exports as `work`. Errors of jobs come back as values, so that a thread that ended is told from them. */
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
