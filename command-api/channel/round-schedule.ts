import { setTimeout as sleep } from 'node:timers/promises';

/** How a round over all channels goes. */
export type RoundSchedule = Readonly<{
  /** Milliseconds between the starts of two rounds; null: manually only. */
  everyMs: number | null;
  /** Milliseconds between two channels, lest a provider takes it for an attack. */
  pauseMs: number;
}>;

export const pauseBetween = async (
  { pauseMs }: RoundSchedule,
  signal: AbortSignal,
): Promise<void> => {
  if (pauseMs === 0 || signal.aborted) return;
  await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
};
