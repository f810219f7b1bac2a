import type { Logger } from '../ports/logger.ts';
import { onStop } from '../system/stop-request.ts';

type Step = Readonly<{ name: string; run: () => Promise<void> }>;

/**
 * Runs the steps in order when this process is to stop, then exits. A step that fails is logged and
 * does not keep the others from running.
 */
export const shutDownOnSignal = (logger: Logger, steps: readonly Step[]): void => {
  let begun = false;
  const shutDown = async (reason: string): Promise<void> => {
    if (begun) return;
    begun = true;
    logger.info({ reason }, 'stopping');
    for (const { name, run } of steps) {
      try {
        await run();
      } catch (error) {
        logger.error({ step: name, error: String(error) }, 'could not stop cleanly');
      }
    }
    process.exit(0);
  };
  onStop((reason) => void shutDown(reason));
};

/** An unhandled rejection is a bug: it is logged and the process ends, to be started afresh. */
export const failLoudly = (logger: Logger): void => {
  const fail = (error: unknown): void => {
    const detail =
      error instanceof Error
        ? { error: error.message, stack: error.stack }
        : { error: String(error) };
    logger.error(detail, 'fault; the process ends');
    process.exit(1);
  };
  process.on('unhandledRejection', fail);
  process.on('uncaughtException', fail);
};
