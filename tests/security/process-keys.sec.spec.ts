import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chat } from '../support/chat.ts';
import { buildCluster, type ClusterBuild } from '../support/cluster/build.ts';
import { type Member, startMember } from '../support/cluster/member.ts';
import { type Customer, setUpCustomers } from '../support/cluster/site.ts';
import { type Cluster, clusterSecret, startCluster } from '../support/cluster.ts';
import { freePort } from '../support/free-port.ts';
import { findNatsServer } from '../support/nats-server.ts';
import { eventually } from '../support/product.ts';
import { runTool, type ToolRun } from '../support/run-tool.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

/*
 * Processes of a cluster with their own keys, with none, and with wrong ones. A process with a
 * wrong key must not start: it would seal what no other opens, and take work that it cannot do.
 */

const available = await findNatsServer();
const kinds = ['command-api', 'projections', 'relay'] as const;
const wrongSecret = 'a-secret-that-is-not-of-this-site-but-long-enough';

const folders: string[] = [];
const aFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Exactly one line, which names the error. */
const expectRefusal = ({ code, stderr }: ToolRun, reason: string | RegExp): void => {
  expect(code).toBe(1);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(stderr).toMatch(reason);
};

const nowhere = {
  EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false',
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  NATS_URL: 'nats://127.0.0.1:1',
};

test.each(kinds)('%s without SECRET_KEY does not start, and makes no key', async (kind) => {
  const folder = aFolder();
  const run = await runTool(kind, [], { ...nowhere, DATA_DIR: folder, LOG_LEVEL: 'silent' });
  expectRefusal(run, 'configuration: SECRET_KEY or SECRET_KEY_FILE must be set');
  expect(readdirSync(folder)).not.toContain('secret-key');
});

if (available.start === null) {
  test.skip(`keys of a cluster over NATS (left out: ${available.reason})`, () => undefined);
} else {
  const { start } = available;
  let cluster: Cluster;
  let build: ClusterBuild;
  let provider: StubProvider;
  let customer: Customer;
  const members: Member[] = [];

  beforeAll(async () => {
    provider = await startStubProvider({ record: true });
    build = await buildCluster();
    cluster = await startCluster(await start(), { relays: 1, commandApis: 1, projections: 1 });
    const [first] = (await setUpCustomers(cluster.url, provider.url, 1)).customers;
    customer = first ?? expect.unreachable('there is a customer');
    expect((await chat(cluster.url, customer.key, {})).status).toBe(200);
  });
  afterAll(async () => {
    for (const member of members) await member.stop();
    await cluster?.stop();
    build?.remove();
    await provider?.close();
  });

  const attempt = async (kind: string, secret: string): Promise<ToolRun> =>
    runTool(kind, [], {
      ...cluster.env,
      PORT: String(await freePort()),
      DATA_DIR: aFolder(),
      LOG_LEVEL: 'silent',
      SECRET_KEY: secret,
    });

  const print = async (kind: string): Promise<string> => {
    const run = await runTool('keys-cli', ['print', kind], { ...cluster.env, DATA_DIR: aFolder() });
    expect([run.code, run.stderr]).toEqual([0, '']);
    return run.stdout.trim();
  };

  /** A further process that serves; answers its address. */
  const addProcess = async (kind: string, secret: string): Promise<string> => {
    const port = await freePort();
    const metricsPort = await freePort();
    const env = {
      ...cluster.env,
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      DATA_DIR: aFolder(),
      SECRET_KEY: secret,
    };
    members.push(startMember({ name: kind, build, entry: `infra/processes/${kind}`, env }));
    const url = `http://127.0.0.1:${port}`;
    await eventually(async () =>
      expect((await fetch(`http://127.0.0.1:${metricsPort}/readyz`)).status).toBe(200),
    );
    return url;
  };

  test.each([
    ['command-api', 'SECRET_KEY does not open the keyring of this log'],
    ['projections', 'SECRET_KEY does not open the keyring of this log'],
    ['relay', 'SECRET_KEY does not open the feeds of this site'],
  ])('%s with a key of another site does not start', async (kind, reason) => {
    expectRefusal(await attempt(kind, wrongSecret), reason);
    expect((await chat(cluster.url, customer.key, {})).status).toBe(200);
  });

  test('a relay with its printed key serves calls, with the upstream key it was fed', async () => {
    const text = await print('relay');
    expect(text).toMatch(/^tgk1\.relay\./);
    const url = await addProcess('relay', text);
    const answer = await chat(url, customer.key, {});
    expect([answer.status, answer.complete]).toEqual([200, true]);
    expect(provider.requests.at(-1)?.authorization).toBe('Bearer sk-upstream');
  });

  test('projections with their printed key join, and show what is sealed', async () => {
    const url = await addProcess('projections', await print('projections'));
    const answer = await fetch(`${url}/api/token/?p=0&size=10`, {
      headers: customer.client.headers,
    });
    const { data } = (await answer.json()) as { data: readonly { key: string }[] };
    expect(data[0]?.key).toBe(customer.key);
  });

  test('a printed key starts no other kind of process', async () => {
    const [relay, projections] = [await print('relay'), await print('projections')];
    expectRefusal(await attempt('command-api', relay), 'this process needs the master key');
    expectRefusal(await attempt('command-api', projections), 'this process needs the master key');
    expectRefusal(await attempt('projections', relay), 'SECRET_KEY is a relay key');
    expectRefusal(await attempt('relay', projections), 'SECRET_KEY is a projections key');
    expectRefusal(await attempt('relay', `${relay}x`), 'a part missing');
  });

  test('after a renewal earlier printed keys are refused, new ones serve, and everything continues', async () => {
    const [oldRelay, oldProjections] = [await print('relay'), await print('projections')];
    for (const purpose of ['relay', 'secrets']) {
      const env = { ...cluster.env, SECRET_KEY: clusterSecret, DATA_DIR: aFolder() };
      expect((await runTool('keys-cli', ['renew', purpose], env)).code).toBe(0);
    }
    expectRefusal(await attempt('projections', oldProjections), 'print another');
    await eventually(async () => {
      expectRefusal(await attempt('relay', oldRelay), 'print another');
    });
    const url = await addProcess('relay', await print('relay'));
    expect((await chat(url, customer.key, {})).status).toBe(200);
    expect((await chat(cluster.url, customer.key, {})).status).toBe(200);
  });
}
