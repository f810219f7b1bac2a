import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { VerifyReport } from '../../../infra/ports/verify.ts';
import { type ClusterBuild, root } from './build.ts';

/** `npm run verify -- --json` against the engines that `env` names. */
export const runVerify = async (
  build: ClusterBuild,
  env: Readonly<Record<string, string>>,
  aliveRelays: readonly string[],
): Promise<VerifyReport> => {
  const entry = join(build.folder, 'infra', 'processes', 'verify.js');
  const child = spawn(process.execPath, [entry, '--json', `--alive=${aliveRelays.join(',')}`], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      LOG_LEVEL: 'error',
      TOLLGATE_BUILD: build.folder,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (part: Buffer) => {
    output += part.toString('utf8');
  });
  child.stderr.on('data', (part: Buffer) => {
    errors += part.toString('utf8');
  });
  await once(child, 'close');
  try {
    return JSON.parse(output) as VerifyReport;
  } catch {
    throw new Error(`verify gave no report: ${output.slice(-2_000)} ${errors.slice(-2_000)}`);
  }
};
