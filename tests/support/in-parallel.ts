import pMap from 'p-map';

/** Runs `work` for 0 … count-1, never more than `atOnce` together. */
export const inParallel = async (
  { count, atOnce }: Readonly<{ count: number; atOnce: number }>,
  work: (i: number) => Promise<void>,
): Promise<void> => {
  await pMap(Array(count).keys(), work, { concurrency: atOnce });
};
