import type { Bus, Stop } from '../../infra/ports/bus.ts';

/** Subject `projection.checkpoint`: progress of projections and processes in the log. */
export const checkpointSubject = 'projection.checkpoint';
export type CheckpointNotice = Readonly<{
  checkpoints: readonly Readonly<{
    /** A projection, or `process:<name>`. */
    name: string;
    /** Decimal text of a log position. */
    position: string;
    failed?: true;
    /** Processes: position of the newest event that they caused. */
    caused?: string;
  }>[];
  /** A caller waits until this position is shown; projections put nothing off until then. */
  awaited?: string;
}>;

/** What a command committed: where, and whether a process acts upon it. */
export type Commit = Readonly<{ position: bigint; hasConsequences: boolean }>;

export interface Visibility {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Resolves once readers show the commit; `lagging` when they did not within the bound. */
  wait(commit: Commit): Promise<'visible' | 'lagging'>;
}

type Reader = { position: bigint; caused: bigint; failed: boolean; silent: boolean };
type Waiter = { isMet: () => boolean; met: () => void };

const boundMs = 2_000;
const isProcess = (name: string): boolean => name.startsWith('process:');

const furthest = (left: bigint, right: string | undefined): bigint => {
  const other = right === undefined ? left : BigInt(right);
  if (other > left) return other;
  return left;
};

/** Several processes may run the same reader; the one that is furthest counts. */
const merge = (
  known: Reader | undefined,
  { position, caused, failed }: CheckpointNotice['checkpoints'][number],
): Reader => ({
  position: known ? furthest(known.position, position) : BigInt(position),
  caused: furthest(known?.caused ?? 0n, caused),
  failed: failed === true,
  silent: false,
});

/** Read your own writes: a reply waits until those who show the change have passed it. */
export const createVisibility = (bus: Bus, timeoutMs: number = boundMs): Visibility => {
  const readers = new Map<string, Reader>();
  const waiters = new Set<Waiter>();
  let stop: Stop | null = null;

  const hear = ({ checkpoints }: CheckpointNotice): void => {
    for (const checkpoint of checkpoints) {
      readers.set(checkpoint.name, merge(readers.get(checkpoint.name), checkpoint));
    }
    for (const waiter of waiters) if (waiter.isMet()) waiter.met();
  };

  const awaited = (processes: boolean): [string, Reader][] =>
    [...readers].filter(
      ([name, { failed, silent }]) => isProcess(name) === processes && !failed && !silent,
    );

  const behind = ({ position, hasConsequences }: Commit): string[] => {
    let goal = position;
    if (hasConsequences) {
      const processes = awaited(true);
      const late = processes.filter(([, reader]) => reader.position < position);
      if (late.length > 0) return late.map(([name]) => name);
      for (const [, { caused }] of processes) if (caused > goal) goal = caused;
    }
    return awaited(false)
      .filter(([, reader]) => reader.position < goal)
      .map(([name]) => name);
  };

  return {
    async start() {
      stop ??= await bus.subscribe<CheckpointNotice>(checkpointSubject, hear);
    },
    async stop() {
      await stop?.();
      stop = null;
      for (const waiter of waiters) waiter.met();
    },
    wait: (commit) =>
      new Promise((resolve) => {
        if (behind(commit).length === 0) return resolve('visible');
        const end = (result: 'visible' | 'lagging'): void => {
          clearTimeout(timer);
          waiters.delete(waiter);
          resolve(result);
        };
        const timer = setTimeout(() => {
          // A reader without a report for this long is not awaited until it reports again.
          for (const name of behind(commit)) {
            const reader = readers.get(name);
            if (reader) reader.silent = true;
          }
          end('lagging');
        }, timeoutMs);
        const waiter = { isMet: () => behind(commit).length === 0, met: () => end('visible') };
        waiters.add(waiter);
        const awaited = commit.position.toString();
        bus.publish<CheckpointNotice>(checkpointSubject, { checkpoints: [], awaited });
      }),
  };
};
