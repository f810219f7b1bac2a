import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { killTree, treeOf, untilGone } from '../support/processes.ts';
import { eventually, startProduct } from '../support/product.ts';

const root = new URL('../..', import.meta.url).pathname;
let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
  // As root the engine runs as another user, who must get here.
  chmodSync(dataDir, 0o755);
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

test('at a terminal a start greets the person and shows no JSON', async () => {
  const port = await freePort();
  // `script` gives the program a separate terminal.
  const child = spawn('script', ['-qefc', 'npm start', '/dev/null'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      HOST: '127.0.0.1',
      PORT: String(port),
      METRICS_PORT: '0',
      DATA_DIR: dataDir,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  child.stdout.on('data', (part: Buffer) => {
    shown += part.toString('utf8').replaceAll('\r', '');
  });
  const pid = child.pid ?? 0;
  onTestFinished(() => void killTree(pid));
  await eventually(async () => expect(shown).toContain('Ctrl-C stops it'), 110_000);
  expect(shown).toMatch(/Tollgate \S+ is ready on Node (2[6-9]|[3-9]\d)\.\S+\./);
  expect(shown).toContain(`http://localhost:${port}`);
  expect(shown).toContain(dataDir);
  expect(shown).toContain('choose the name and password of the super admin');
  expect(shown).not.toMatch(/^\{/m);
  expect(shown).not.toMatch(/npm warn|chunk/i);
  const pids = treeOf(pid);
  const ended = once(child, 'exit');
  // As the key itself: the terminal sends the signal.
  child.stdin.write('\x03');
  await ended;
  await untilGone(pids);
});

test('without a terminal every line is JSON', async () => {
  const product = await startProduct({ dataDir });
  await product.stop();
  const lines = product.log().trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).msg)).toContain('Tollgate is open');
});
