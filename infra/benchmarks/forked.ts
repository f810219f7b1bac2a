import type { ChildProcess } from 'node:child_process';

/** The port that a helper process of a benchmark listens on, which it sends first. */
export const portOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    child.once('message', (message) => resolve((message as { port: number }).port));
    child.once('exit', () => reject(new Error('a helper process of the benchmark ended')));
  });
