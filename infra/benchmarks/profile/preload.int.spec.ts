import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { eventually } from '../../../tests/support/product.ts';
import { sharesOf } from './shares.ts';

const busyProcess = `
  const spin = () => {
    let sum = 0;
    for (let i = 0; i < 10_000_000; i += 1) sum += i % 7;
    return sum;
  };
  let rounds = 0;
  setInterval(() => {
    spin();
    rounds += 1;
    process.send(rounds);
  }, 1);
`;

test('between two signals the busiest function of a process is found', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-profile-'));
  const preload = pathToFileURL('infra/benchmarks/profile/preload.mjs');
  preload.searchParams.set('folder', folder);
  const script = join(folder, 'busy.mjs');
  writeFileSync(script, busyProcess);
  const child = fork(script, { execArgv: ['--import', String(preload)] });
  try {
    const written = (name: string): string => join(folder, `${child.pid}.${name}`);
    await once(child, 'message');
    expect(existsSync(written('on'))).toBe(true);
    child.kill('SIGUSR2');
    for (let rounds = 0; rounds < 20; rounds += 1) await once(child, 'message');
    child.kill('SIGUSR2');
    const profile = await eventually(async () =>
      JSON.parse(readFileSync(written('cpuprofile'), 'utf8')),
    );
    const { functions } = sharesOf(profile, () => []);
    // V8 may inline the loop into its caller.
    expect(functions[0]?.name).toMatch(/^(spin|\(anonymous\)), busy\.mjs$/);
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});
