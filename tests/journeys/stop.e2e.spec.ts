import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { attachPostgres } from '../../infra/embedded/postgres/attach-postgres.ts';
import { chat } from '../support/chat.ts';
import { addChannel, addToken, setUpSite } from '../support/console-client.ts';
import { freePort } from '../support/free-port.ts';
import { killTree, treeOf, untilGone } from '../support/processes.ts';
import { eventually } from '../support/product.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

const root = new URL('../..', import.meta.url).pathname;

let dataDir: string;
let provider: StubProvider;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
  // As root the engine runs as another user, who must get here.
  chmodSync(dataDir, 0o755);
  provider = await startStubProvider();
});
afterEach(async () => {
  await provider.close();
  rmSync(dataDir, { recursive: true, force: true });
});

type Started = Readonly<{
  url: string;
  child: ChildProcess;
  pids: () => number[];
  output: () => string;
}>;

/** The leader of a separate process group, as a shell or an init system starts it. */
const start = async (command: string, args: readonly string[]): Promise<Started> => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(command, [...args], {
    cwd: root,
    detached: true,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      HOST: '127.0.0.1',
      PORT: String(port),
      METRICS_PORT: '0',
      API_RATE_LIMIT: '0',
      DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (part: Buffer): void => {
    output += part.toString('utf8');
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const pid = child.pid ?? 0;
  onTestFinished(() => void killTree(pid));
  await eventually(async () => {
    const answer = await fetch(`${url}/api/status`);
    expect(answer.ok, output).toBe(true);
  }, 110_000);
  return { url, child, pids: () => treeOf(pid), output: () => output };
};

/** How many requests the log of a stopped site has charged, as its own database counts them. */
const chargesInLog = async (): Promise<number> => {
  const postgres = await attachPostgres({
    dataDir: join(dataDir, 'postgres'),
    logger: silentLogger,
  });
  const client = new pg.Client({ connectionString: postgres.url('event_store') });
  await client.connect();
  const { rows } = await client.query(
    "select count(*)::int as charges from events where type = 'RequestCharged'",
  );
  await client.end();
  await postgres.release();
  return rows[0].charges;
};

const node = [process.execPath, ['infra/tooling/start.mjs', 'all-in-one']] as const;

type Case = Readonly<{
  name: string;
  start: readonly [string, readonly string[]];
  stop: (child: ChildProcess) => void;
}>;
const cases: readonly Case[] = [
  {
    name: 'SIGTERM to npm',
    start: ['npm', ['start']],
    stop: (child) => void child.kill('SIGTERM'),
  },
  { name: 'SIGTERM to the process', start: node, stop: (child) => void child.kill('SIGTERM') },
  {
    name: 'SIGTERM to the whole process group',
    start: node,
    stop: ({ pid = 0 }) => void process.kill(-pid, 'SIGTERM'),
  },
  {
    name: 'Ctrl-C, which is SIGINT to the whole process group',
    start: ['npm', ['start']],
    stop: ({ pid = 0 }) => void process.kill(-pid, 'SIGINT'),
  },
];

test.each(cases)('$name leaves no process behind, and ships everything', async (how) => {
  const site = await start(...how.start);
  const admin = await setUpSite(site.url);
  await addChannel(admin, provider.url);
  const { key } = await addToken(admin);
  await eventually(async () => expect((await chat(site.url, key, {})).status).toBe(200));
  const served = await Promise.all(Array.from({ length: 40 }, () => chat(site.url, key, {})));
  const pids = site.pids();
  expect(pids.length).toBeGreaterThan(3);
  const ended = once(site.child, 'exit');
  how.stop(site.child);
  await ended;
  await untilGone(pids);
  expect(site.output()).not.toMatch(/left for the next start|could not stop cleanly|child ended/);
  expect(served.every(({ complete }) => complete)).toBe(true);
  expect(await chargesInLog()).toBe(served.length + 1);
});
