import { spawn } from 'node:child_process';
import type { Product } from './product.ts';

const root = new URL('../..', import.meta.url).pathname;

export type ToolRun = Readonly<{ code: number | null; output: string }>;

/** Runs a tool of the product, such as `verify`, beside the site that it finds by its data folder. */
export const runTool = (
  product: Pick<Product, 'dataDir'>,
  name: string,
  options: readonly string[] = [],
): Promise<ToolRun> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['infra/tooling/start.mjs', name, ...options], {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        DATA_DIR: product.dataDir,
        LOG_LEVEL: 'error',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const keep = (part: Buffer): void => {
      output += part.toString('utf8');
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
