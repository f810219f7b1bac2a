import { ConfigError } from '../config.ts';
import { KeyringError } from '../vault/keyring-store.ts';

/** Sent to the parent process before a child ends for good: another instance would end the same way. */
export const refusedMessage = { kind: 'refused' } as const;

/** Ends this process with one line on standard error and exit code 1. */
export const refuse = async (message: string): Promise<never> => {
  process.stderr.write(`${message}\n`);
  const { send } = process;
  if (send !== undefined) {
    await new Promise<void>((sent) => send.call(process, refusedMessage, () => sent()));
  }
  process.exit(1);
};

/** Runs what a wrong configuration or key can stop; an error of that kind ends the process. */
export const orRefuse = async <T>(attempt: () => T | Promise<T>): Promise<T> => {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof ConfigError || error instanceof KeyringError) {
      return refuse(error.message);
    }
    throw error;
  }
};
