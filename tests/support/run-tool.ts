import { spawn } from 'node:child_process';
import { once } from 'node:events';

const root = new URL('../..', import.meta.url).pathname;

export type ToolRun = Readonly<{ code: number | null; stdout: string; stderr: string }>;

/** Runs a process of `infra/processes/` to its end, as `npm run <name> -- <args>` does. */
export const runTool = async (
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ToolRun> => {
  const child = spawn(process.execPath, ['infra/tooling/start.mjs', name, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (part: Buffer) => {
    stdout += part.toString('utf8');
  });
  child.stderr.on('data', (part: Buffer) => {
    stderr += part.toString('utf8');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
};
