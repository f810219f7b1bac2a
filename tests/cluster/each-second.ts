import { setTimeout as sleep } from 'node:timers/promises';

/** Retries until it holds, within the limits of the API. Fails with the last reason. */
export const eachSecond = async <T>(ask: () => Promise<T>, patienceMs = 60_000): Promise<T> => {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (performance.now() > until) throw error;
      await sleep(1_000);
    }
  }
};
