import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';

const root = new URL('../..', import.meta.url).pathname;
const outcome = z.object({
  cell: z.string(),
  value: z.unknown().optional(),
  error: z.string().optional(),
  notOffered: z.string().optional(),
});
export type Outcome = z.infer<typeof outcome>;

export type DriverRun = Readonly<{ driver: string; url: string; key: string; model: string }>;

/** A child process in which only the named packages are loaded, with no setting of this machine. */
export const runDriver = async ({ driver, url, key, model }: DriverRun): Promise<Outcome[]> => {
  const folder = `${root}tests/clients/drivers`;
  const args = [
    '--import',
    `${folder}/packages.mjs`,
    `${folder}/main.mjs`,
    driver,
    url,
    key,
    model,
  ];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (part: Buffer) => {
    output += part.toString();
  });
  child.stderr.on('data', (part: Buffer) => {
    errors = (errors + part.toString()).slice(-4_000);
  });
  await once(child, 'close');
  const lines = output.split('\n').filter((line) => line.startsWith('{"cell"'));
  if (lines.length === 0) throw new Error(`the driver ${driver} wrote nothing: ${errors}`);
  return lines.map((line) => outcome.parse(JSON.parse(line)));
};
