import { reject } from '../../domain/shared/decider.ts';
import { type JobRow, jobInPath } from '../contract/job.ts';
import { type Answer, ok } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import type { Routes } from '../http/routes.ts';
import type { Begun, Finished } from './job-book.ts';
import type { JobRunner, JobStatus } from './run-jobs.ts';

type Deps = Readonly<{
  jobs: JobRunner;
}>;

const secondsOf = (iso: string): number => Math.floor(Date.parse(iso) / 1_000);

const begunRow = ({ runId, startedAt, askedBy }: Begun): NonNullable<JobRow['running']> => ({
  run_id: runId,
  started_at: secondsOf(startedAt),
  asked_by: askedBy,
});

const finishedRow = (run: Finished): JobRow['runs'][number] => ({
  ...begunRow(run),
  duration_ms: run.durationMs,
  outcome: run.outcome,
  figures: run.figures,
  error: run.error,
});

const jobRowOf = ({ name, everyMs, nextAt, running, runs }: JobStatus): JobRow => ({
  name,
  every_seconds: everyMs === null ? null : everyMs / 1_000,
  next_at: nextAt === null ? null : secondsOf(nextAt),
  running: running && begunRow(running),
  runs: runs.map(finishedRow),
});

export const createJobRoutes = ({ jobs }: Deps): Routes => {
  const list = async (): Promise<Answer> => ok((await jobs.list()).map(jobRowOf));

  const run = async (call: Call): Promise<Answer> => {
    const { name } = call.params(jobInPath);
    const started = await jobs.runNow(name, call.caller.userId);
    if (started === 'unknown') return reject('job.unknown');
    return started === 'running' ? reject('job.running') : ok();
  };

  return { 'GET /api/jobs': list, 'POST /api/jobs/:name/run': run };
};
