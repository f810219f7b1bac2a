/** Runs `work` for 0 … count-1, never more than `atOnce` together. */
export const inParallel = async (
  { count, atOnce }: Readonly<{ count: number; atOnce: number }>,
  work: (i: number) => Promise<void>,
): Promise<void> => {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, lane));
};
