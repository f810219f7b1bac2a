import type { UserId } from '../../domain/shared/ids.ts';
import type { KeyValue } from '../../infra/ports/bus.ts';
import type { JobFigures } from './job.ts';

/** `lost`: the process died; `stopped`: it was ended by a stop. */
export type Outcome = 'done' | 'failed' | 'lost' | 'stopped';

export type Begun = Readonly<{
  runId: string;
  startedAt: string;
  /** The requester; null: it was scheduled. */
  askedBy: UserId | null;
}>;

export type Finished = Begun &
  Readonly<{ durationMs: number; outcome: Outcome; figures: JobFigures; error: string }>;

/** Newest run first. */
export type JobPage = Readonly<{ running: Begun | null; runs: readonly Finished[] }>;

const keptRuns = 20;
const emptyPage: JobPage = { running: null, runs: [] };

const isIdle = (run: Finished | undefined): boolean =>
  run?.outcome === 'done' && Object.keys(run.figures).length === 0;

/** Of runs that found nothing to do only the newest stays, so that the others remain to be read. */
const added = (runs: readonly Finished[], run: Finished): readonly Finished[] => {
  const older = isIdle(run) && isIdle(runs[0]) ? runs.slice(1) : runs;
  return [run, ...older].slice(0, keptRuns);
};

/** The history of each job's runs. One writer at a time: the holder of the job's lease. */
export const createJobBook = (bucket: KeyValue) => {
  const read = async (name: string): Promise<JobPage> =>
    (await bucket.get<JobPage>(name)) ?? emptyPage;

  return {
    read,
    /** A run that is still open has died with its process; its length is unknown. */
    async begin(name: string, run: Begun): Promise<void> {
      const { running, runs } = await read(name);
      const lost: Finished | null = running && {
        ...running,
        durationMs: 0,
        outcome: 'lost',
        figures: {},
        error: '',
      };
      await bucket.put<JobPage>(name, { running: run, runs: lost ? added(runs, lost) : runs });
    },
    async end(name: string, run: Finished): Promise<void> {
      const { runs } = await read(name);
      await bucket.put<JobPage>(name, { running: null, runs: added(runs, run) });
    },
  };
};
