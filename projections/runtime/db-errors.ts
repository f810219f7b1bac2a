const transientClasses = new Set(['08', '40', '53', '55', '57']);
const transientCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** An outage of the database, which ends by itself; anything else is a fault of the projector. */
export const isOutage = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (transientCodes.has(code)) return true;
  if (code.length === 5) return transientClasses.has(code.slice(0, 2));
  return /connection terminated|connection timeout|timeout exceeded|ended the connection/i.test(
    error.message,
  );
};

/** Resolves after `ms` or as soon as the signal aborts. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });

/** 100 ms, doubled with each failure, up to 5 s. */
export const backoffMs = (failures: number): number => Math.min(5_000, 100 * 2 ** failures);
