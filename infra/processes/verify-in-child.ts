import { fork } from 'node:child_process';
import type { Verify, VerifyProgress, VerifyReport } from '../ports/verify.ts';
import { entryPath } from './entry-paths.ts';

type Place = Readonly<{
  /** Of the embedded engine; what the environment names is found there. */
  databaseUrl: string;
  /** Contains `run.json`, which names an embedded event store. */
  dataDir: string;
}>;
type Word =
  | Readonly<{ kind: 'verify-progress'; progress: VerifyProgress }>
  | Readonly<{ kind: 'verify-report'; report: VerifyReport }>;

/**
 * Verifies in a separate process: walking millions of events neither slows down the requests that
 * this process answers nor takes its memory.
 */
export const verifyInChild =
  ({ databaseUrl, dataDir }: Place): Verify =>
  ({ onProgress, aliveRelays }) =>
    new Promise((resolve, reject) => {
      const alive = [...(aliveRelays ?? [])].join(',');
      const child = fork(entryPath('infra/processes/verify'), [`--alive=${alive}`], {
        env: {
          ...process.env,
          DATABASE_URL: process.env.DATABASE_URL || databaseUrl,
          DATA_DIR: dataDir,
        },
      });
      child.on('message', (word: Word) => {
        if (word.kind === 'verify-progress') onProgress?.(word.progress);
        if (word.kind === 'verify-report') resolve(word.report);
      });
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`verify ended with ${code} and no report`)));
    });
