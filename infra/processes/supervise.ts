import { type ChildProcess, fork } from 'node:child_process';
import type { Logger } from '../ports/logger.ts';
import { entryPath } from './entries.ts';

export type Supervised = Readonly<{
  /** The child that lives now; null between two lives. */
  current: () => ChildProcess | null;
  /** Asks the child to stop and waits; kills it when it takes longer than `patienceMs`. */
  stop: (patienceMs?: number) => Promise<void>;
}>;

export type ChildPlan = Readonly<{
  name: string;
  /** Module to run, from the top of the project and without its ending. */
  entry: string;
  /** Asked for every life. */
  env: () => NodeJS.ProcessEnv;
  logger: Logger;
  /** Called for every life, the first one included. */
  onLife: (child: ChildProcess) => void;
}>;

const longestWaitMs = 5_000;

/** Keeps one child process alive until `stop`; a life that ends early is followed by another. */
export const supervise = ({ name, entry, env, logger, onLife }: ChildPlan): Supervised => {
  let child: ChildProcess | null = null;
  let stopping = false;
  let waitMs = 100;
  let timer: NodeJS.Timeout | null = null;

  const live = (): void => {
    const bornAt = Date.now();
    const life = fork(entryPath(entry), {
      env: env(),
      serialization: 'advanced',
    });
    child = life;
    life.on('error', (error) => logger.error({ child: name, error: error.message }, 'child error'));
    life.on('exit', (code, signal) => {
      child = null;
      if (stopping) return;
      waitMs = Date.now() - bornAt > 30_000 ? 100 : Math.min(waitMs * 2, longestWaitMs);
      logger.error({ child: name, code, signal, restartInMs: waitMs }, 'child died');
      timer = setTimeout(live, waitMs);
    });
    onLife(life);
  };
  live();

  return {
    current: () => child,
    stop: async (patienceMs = 10_000) => {
      stopping = true;
      if (timer !== null) clearTimeout(timer);
      const life = child;
      if (life === null) return;
      const gone = new Promise<void>((resolve) => life.once('exit', () => resolve()));
      life.kill('SIGTERM');
      const force = setTimeout(() => life.kill('SIGKILL'), patienceMs);
      await gone;
      clearTimeout(force);
    },
  };
};
