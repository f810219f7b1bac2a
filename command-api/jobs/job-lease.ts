import type { KeyValue } from '../../infra/ports/bus.ts';

type Holder = Readonly<{ runId: string }>;

/** A run whose process died is over after this long. */
export const leaseSeconds = 30;
const renewEveryMs = 10_000;

export interface JobLease {
  /** Aborted when another process runs the job now, because this one was silent for too long. */
  signal: AbortSignal;
  release(): Promise<void>;
}

/**
 * Null: another process runs this job at present. Two could run it only when a process hangs past its lease
 * and wakes up; the log's expected revisions keep the ledger right even then.
 */
export const takeLease = async (
  bucket: KeyValue,
  name: string,
  runId: string,
): Promise<JobLease | null> => {
  if (!(await bucket.create<Holder>(name, { runId }))) return null;
  const lost = new AbortController();

  const isOurs = async (): Promise<boolean> => {
    const holder = await bucket.get<Holder>(name);
    return holder === null || holder.runId === runId;
  };
  const renew = async (): Promise<void> => {
    if (await isOurs()) await bucket.put<Holder>(name, { runId });
    else lost.abort(new Error('another process runs this job now'));
  };
  let renewing = Promise.resolve();
  const timer = setInterval(() => {
    // A bus that is away for a moment is tried again in the next round.
    renewing = renew().catch(() => undefined);
  }, renewEveryMs).unref();

  return {
    signal: lost.signal,
    async release() {
      clearInterval(timer);
      await renewing;
      if (await isOurs()) await bucket.remove(name);
    },
  };
};
