import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cluster, startCluster } from '../support/cluster.ts';
import {
  addChannel,
  addToken,
  type ConsoleClient,
  self,
  setUpSite,
} from '../support/console-client.ts';
import { findNatsServer } from '../support/nats-server.ts';
import { eventually } from '../support/product.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

const available = await findNatsServer();

if (available.start === null) {
  test.skip(`tasks over NATS (left out: ${available.reason})`, () => undefined);
} else {
  const { start } = available;
  let cluster: Cluster;
  let provider: StubProvider;
  let admin: ConsoleClient;
  let key = '';

  beforeAll(async () => {
    provider = await startStubProvider();
    const size = { relays: 2, commandApis: 2, projections: 2 };
    cluster = await startCluster(await start(), size, { enginesAsChosen: true });
    admin = await setUpSite(cluster.url);
    const drawings = { type: 2, name: 'drawings', key: 'mj-key', models: 'mj_imagine' };
    await addChannel(admin, provider.url, drawings);
    ({ key } = await addToken(admin));
  });
  afterAll(async () => {
    await cluster?.stop();
    await provider?.close();
  });

  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${cluster.url}${path}`, {
      method,
      headers: { 'mj-api-secret': key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as T;
  };

  test('a drawing that fails is paid back once, whichever process saw which part of it', async () => {
    const before = (await self(admin)).quota;
    const prompts = ['a gate', 'a gate that will fail', 'a wall', 'a wall that will fail'];
    const submitted = await eventually(async () => {
      const said = await call<{ result?: string }>('POST', '/mj/submit/imagine', {
        prompt: prompts[0],
      });
      if (said.result === undefined) throw new Error(JSON.stringify(said));
      return said.result;
    });
    const others = await Promise.all(
      prompts
        .slice(1)
        .map((prompt) =>
          call<{ result: string }>('POST', '/mj-fast/mj/submit/imagine', { prompt }),
        ),
    );
    const ids = [submitted, ...others.map(({ result }) => result)];
    type Drawing = Readonly<{ id: string; status: string }>;
    const drawings = await eventually(async () => {
      await admin.call('POST', '/api/jobs/task-polling/run', {});
      const found = await call<Drawing[]>('POST', '/mj/task/list-by-condition', { ids });
      const open = found.filter(({ status }) => !['SUCCESS', 'FAILURE'].includes(status));
      if (found.length < ids.length || open.length > 0) throw new Error(JSON.stringify(found));
      return found;
    });
    expect(drawings.filter(({ status }) => status === 'FAILURE')).toHaveLength(2);
    await eventually(async () => expect((await self(admin)).quota).toBe(before - 2 * 50_000));
  });
}
