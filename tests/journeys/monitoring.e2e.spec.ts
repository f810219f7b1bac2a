import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { chat } from '../support/chat.ts';
import { addChannel, addToken, setUpSite } from '../support/console-client.ts';
import { freePort } from '../support/free-port.ts';
import {
  alertExpressions,
  exportedBy,
  monitoringFolder,
  namesIn,
  panelExpressions,
} from '../support/monitoring.ts';
import { treeOf } from '../support/processes.ts';
import { eventually, type Product, removeData, startProduct } from '../support/product.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

let product: Product;
let provider: StubProvider;
let key: string;

/**
 * Calls of every kind that the dashboards distinguish: served, refused by the gateway, failed
 * upstream.
 */
const callEveryKind = async (): Promise<void> => {
  await Promise.all([
    chat(product.url, key, {}),
    chat(product.url, key, { stream: true }),
    chat(product.url, 'wrong', {}),
    chat(product.url, key, { model: 'gpt-4o', stub: { status: 500 } }),
    // Long enough for another thread.
    chat(product.url, key, { messages: [{ role: 'user', content: 'word '.repeat(250_000) }] }),
  ]);
};

beforeAll(async () => {
  provider = await startStubProvider();
  product = await startProduct();
  const admin = await setUpSite(product.url);
  await addChannel(admin, provider.url, { auto_ban: 0 });
  ({ key } = await addToken(admin));
  await eventually(async () => expect((await chat(product.url, key, {})).status).toBe(200));
});
afterAll(async () => {
  await product.kill();
  await provider.close();
  removeData(product);
});

const isInstalled = (program: string): boolean =>
  spawnSync(program, ['--version']).error === undefined;

test('every metric and label that dashboards and alert rules name is exported', async () => {
  const expressions = [...panelExpressions('1m'), ...alertExpressions()];
  expect(expressions.length).toBeGreaterThan(40);
  await eventually(async () => {
    await callEveryKind();
    const exported = exportedBy(await (await fetch(`${product.metricsUrl()}/metrics`)).text());
    const missing = expressions.flatMap(({ of, expr }) => {
      const { metrics, labels } = namesIn(expr);
      const known = new Set(metrics.flatMap((name) => [...(exported.get(name) ?? [])]));
      // Alarms of read models: nothing here gives a reason for one.
      const isSilent = metrics.every((name) => name === 'projection_rebuild_alarms_total');
      return [
        ...metrics.filter((name) => !exported.has(name)).map((name) => `${of}: ${name}`),
        ...(isSilent ? [] : labels)
          .filter((label) => !known.has(label))
          .map((label) => `${of}: label ${label}`),
      ];
    });
    expect(missing).toEqual([]);
  }, 30_000);
});

test.runIf(isInstalled('promtool'))('the alert rules hold their own tests, by promtool', () => {
  const run = (args: readonly string[]) =>
    spawnSync('promtool', [...args], { cwd: monitoringFolder, encoding: 'utf8' });
  const checked = run(['check', 'rules', 'alerts.yaml']);
  expect(checked.status, checked.stderr).toBe(0);
  const tested = run(['test', 'rules', 'alerts.test.yaml']);
  expect(tested.status, tested.stdout + tested.stderr).toBe(0);
});

/** Longer than the metrics of a process wait for those of another one that hangs. */
const scrapeSeconds = 6;

type Prometheus = Readonly<{
  query: (expr: string) => Promise<readonly unknown[]>;
  log: () => string;
}>;

const untilExit = (child: ChildProcess): Promise<void> =>
  new Promise((done) => child.once('exit', () => done()));

/** Over the rules of the project, with the times of the one that is waited for made short. */
const startPrometheus = async (): Promise<Prometheus> => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
  const port = await freePort();
  const rules = readFileSync(join(monitoringFolder, 'alerts.yaml'), 'utf8');
  writeFileSync(
    join(folder, 'alerts.yaml'),
    rules.replaceAll('[2m]', '[20s]').replaceAll('for: 1m', `for: ${scrapeSeconds}s`),
  );
  const target = new URL(product.metricsUrl()).host;
  writeFileSync(
    join(folder, 'prometheus.yaml'),
    `global: { scrape_interval: ${scrapeSeconds}s, scrape_timeout: ${scrapeSeconds}s, evaluation_interval: 2s }
rule_files: [${folder}/alerts.yaml]
scrape_configs:
  - { job_name: tollgate, static_configs: [{ targets: ["${target}"] }] }
`,
  );
  const child = spawn(
    'prometheus',
    [
      `--config.file=${folder}/prometheus.yaml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let log = '';
  child.stderr.on('data', (part: Buffer) => {
    log = (log + part.toString('utf8')).slice(-20_000);
  });
  onTestFinished(async () => {
    const gone = untilExit(child);
    child.kill('SIGKILL');
    await gone;
    rmSync(folder, { recursive: true, force: true });
  });
  const query = async (expr: string): Promise<readonly unknown[]> => {
    const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(expr)}`;
    const { status, data, error } = await (await fetch(url)).json();
    if (status !== 'success') throw new Error(`${expr}: ${error}`);
    return data.result;
  };
  await eventually(async () => void (await query('up')), 30_000);
  return { query, log: () => log };
};

const controlOf = (pid: number): number => {
  const found = treeOf(pid).find((one) =>
    readFileSync(`/proc/${one}/cmdline`, 'utf8').includes('processes/control'),
  );
  if (found === undefined) throw new Error('no control process');
  return found;
};

test.runIf(isInstalled('prometheus'))(
  'with a real Prometheus no panel is empty under traffic, and an alert fires once settlement stops',
  { timeout: 300_000 },
  async () => {
    const prometheus = await startPrometheus();
    let isCalling = true;
    const calling = (async () => {
      while (isCalling) {
        await callEveryKind();
        await new Promise((done) => setTimeout(done, 500));
      }
    })();
    const firing = () =>
      prometheus.query('ALERTS{alertname="TollgateSettlementStopped",alertstate="firing"}');
    try {
      await eventually(async () => {
        const empty: string[] = [];
        for (const { of, expr } of panelExpressions('40s')) {
          if ((await prometheus.query(expr)).length === 0) empty.push(`${of}: ${expr}`);
        }
        expect(empty).toEqual([]);
      }, 90_000);
      expect(await firing()).toEqual([]);
      const control = controlOf(product.pid);
      process.kill(control, 'SIGSTOP');
      try {
        await eventually(async () => expect((await firing()).length).toBe(1), 120_000);
      } finally {
        process.kill(control, 'SIGCONT');
      }
      await eventually(async () => expect(await firing()).toEqual([]), 60_000);
    } finally {
      isCalling = false;
      await calling;
    }
  },
);
