import { type ChildProcess, fork } from 'node:child_process';
import type { Logger } from '../ports/logger.ts';
import { stopMessage, supervisedVariable } from '../system/stop-request.ts';
import { entryPath } from './entry-paths.ts';

export type Supervised = Readonly<{
  /** The child that runs now; null between two instances. */
  current: () => ChildProcess | null;
  /** Requests the child to stop and waits; kills it when it takes longer than `stopTimeoutMs`. */
  stop: (stopTimeoutMs?: number) => Promise<void>;
}>;

export type ChildPlan = Readonly<{
  name: string;
  /** Module to run, from the top of the project and without its ending. */
  entry: string;
  /**
   * Flags of Node in addition to those of this process; of two that contradict each other, these
   * count.
   */
  nodeFlags?: readonly string[];
  /** Called for every instance. */
  env: () => NodeJS.ProcessEnv;
  logger: Logger;
  /** Called for every instance, the first one included. */
  onInstance: (child: ChildProcess) => void;
}>;

const maxWaitMs = 5_000;

/** Keeps one child process running until `stop`; an instance that ends early is replaced. */
export const supervise = ({
  name,
  entry,
  nodeFlags = [],
  env,
  logger,
  onInstance,
}: ChildPlan): Supervised => {
  let child: ChildProcess | null = null;
  let stopping = false;
  let waitMs = 100;
  let timer: NodeJS.Timeout | null = null;

  const start = (): void => {
    const startedAt = performance.now();
    const instance = fork(entryPath(entry), {
      env: { ...env(), [supervisedVariable]: 'true' },
      execArgv: [...process.execArgv, ...nodeFlags],
      serialization: 'advanced',
    });
    child = instance;
    instance.on('error', (error) =>
      logger.error({ child: name, error: error.message }, 'child error'),
    );
    instance.on('exit', (code, signal) => {
      child = null;
      if (stopping) return;
      waitMs = performance.now() - startedAt > 30_000 ? 100 : Math.min(waitMs * 2, maxWaitMs);
      logger.error({ child: name, code, signal, restartInMs: waitMs }, 'child ended');
      timer = setTimeout(start, waitMs);
    });
    onInstance(instance);
  };
  start();

  return {
    current: () => child,
    stop: async (stopTimeoutMs = 10_000) => {
      stopping = true;
      if (timer !== null) clearTimeout(timer);
      const instance = child;
      if (instance === null) return;
      const gone = new Promise<void>((resolve) => instance.once('exit', () => resolve()));
      if (instance.connected) instance.send(stopMessage, () => undefined);
      else instance.kill('SIGTERM');
      const force = setTimeout(() => instance.kill('SIGKILL'), stopTimeoutMs);
      await gone;
      clearTimeout(force);
    },
  };
};
