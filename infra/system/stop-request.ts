/** Environment variable of a child whose parent stops it by a message. */
export const supervisedVariable = 'TOLLGATE_SUPERVISED';
export const stopMessage = { kind: 'stop' } as const;

const signals = ['SIGTERM', 'SIGINT'] as const;

/**
 * A signal to the whole process group reaches a child together with its parent, which needs the child
 * until its own work is done. So a supervised child stops at its parent's message, or when that is gone.
 */
export const onStop = (stop: (reason: string) => void): void => {
  // biome-ignore lint/style/noProcessEnv: set by the parent process, not a setting of the operator.
  const isSupervised = process.env[supervisedVariable] === 'true';
  for (const signal of signals) process.on(signal, () => isSupervised || stop(signal));
  if (process.send === undefined) return;
  process.on('disconnect', () => stop('parent gone'));
  process.on('message', (message: unknown) => {
    if ((message as { kind?: string } | null)?.kind === stopMessage.kind) stop('parent');
  });
};
