/* `npm run dev`: the product, the console's dev server with hot reload on port 5173, the test provider. */
import { spawn } from 'node:child_process';

const run = (args: readonly string[]) => spawn(process.execPath, [...args], { stdio: 'inherit' });

const children = [
  run(['--watch-preserve-output', '--watch', 'infra/processes/all-in-one.ts']),
  run(['node_modules/vite/bin/vite.js', '--config', 'console/vite.config.ts']),
  run(['tests/support/stub-provider/main.ts']),
];
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
  });
}
await Promise.all(children.map((child) => new Promise((done) => child.once('exit', done))));
