import { reject } from '../../domain/shared/decider.ts';
import type { JobRow, jobApi } from '../contract/job.ts';
import { ok } from '../http/answer.ts';
import type { Handlers } from '../http/routes.ts';
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

export const createJobRoutes = ({ jobs }: Deps): Handlers<typeof jobApi> => ({
  'GET /api/jobs': async () => ok((await jobs.list()).map(jobRowOf)),
  'POST /api/jobs/:name/run': async ({ params, caller }) => {
    const started = await jobs.runNow(params.name, caller.userId);
    if (started === 'unknown') return reject('job.unknown');
    return started === 'running' ? reject('job.running') : ok();
  },
});
