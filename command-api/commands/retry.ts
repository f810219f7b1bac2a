/** Conflicts in a row on one stream before the writer gives up. */
const maxAttempts = 12;

/**
 * Runs an attempt again as long as another writer was faster.
 * @throws when the stream moves on that often in a row
 */
export const retryOnConflict = async <T>(
  streamId: string,
  attempt: () => Promise<T | 'conflict'>,
): Promise<T> => {
  for (let tries = 0; tries < maxAttempts; tries += 1) {
    const outcome = await attempt();
    if (outcome !== 'conflict') return outcome;
  }
  throw new Error(`stream ${streamId} moved on ${maxAttempts} times in a row`);
};
