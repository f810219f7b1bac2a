/*
 * `npm run bench:feed`: how long a change takes until a relay acts on it, in the one-machine run
 * and as separate processes over NATS. A token is switched off and on; a client asks the relay
 * until it sees the difference. Counted from the moment at which the command is sent, so command,
 * append, projection and feed are all inside. Bar: p99 ≤ 100 ms on a quiet machine.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { startCluster } from '../../tests/support/cluster.ts';
import {
  addToken,
  type ConsoleClient,
  setUpSite,
  type TokenRow,
} from '../../tests/support/console-client.ts';
import { findNatsServer } from '../../tests/support/nats-server.ts';
import { removeData, startProduct } from '../../tests/support/product.ts';
import { quantile } from './load.ts';

const changes = 300;
const warmUp = 20;
const givesUpAfterMs = 10_000;
const askEveryMs = 1;

type Site = Readonly<{ client: ConsoleClient; relays: readonly Pool[]; token: TokenRow }>;
type Row = Readonly<{ run: string; changes: number; p50: number; p99: number; max: number }>;

const isServed = async (relay: Pool, key: string): Promise<boolean> => {
  const { statusCode, body } = await relay.request({
    method: 'GET',
    path: '/v1/models',
    headers: { authorization: `Bearer sk-${key}` },
  });
  await body.dump();
  return statusCode === 200;
};

const untilServed = async (relay: Pool, key: string, wanted: boolean): Promise<void> => {
  const until = performance.now() + givesUpAfterMs;
  while ((await isServed(relay, key)) !== wanted) {
    if (performance.now() > until) throw new Error('the relay does not see the change');
    // A client that asks without a break takes the processor away from what is measured.
    await pause(askEveryMs);
  }
};

/** Milliseconds from the command to its effect on the slowest relay. */
const change = async ({ client, relays, token }: Site, on: boolean): Promise<number> => {
  const begun = performance.now();
  const seen = relays.map(async (relay) => {
    await untilServed(relay, token.key, on);
    return performance.now() - begun;
  });
  const command = client.ok('PUT', '/api/token/?status_only=true', {
    id: token.id,
    status: on ? 1 : 2,
  });
  const took = Math.max(...(await Promise.all(seen)));
  await command;
  return took;
};

const measure = async (run: string, url: string, relayUrls: readonly string[]): Promise<Row> => {
  const client = await setUpSite(url);
  const token = await addToken(client);
  const relays = relayUrls.map((relay) => new Pool(relay, { connections: 1 }));
  const site: Site = { client, relays, token };
  const took: number[] = [];
  for (let n = 0; n < changes + warmUp; n += 1) {
    const ms = await change(site, n % 2 === 1);
    if (n >= warmUp) took.push(ms);
  }
  await Promise.all(relays.map((relay) => relay.close()));
  const p50 = quantile(took, 0.5);
  return { run, changes, p50, p99: quantile(took, 0.99), max: Math.max(...took) };
};

const oneMachine = async (): Promise<Row> => {
  const product = await startProduct({ env: { LOG_LEVEL: 'error' } });
  try {
    return await measure('one machine', product.url, [product.url]);
  } finally {
    await product.stop();
    removeData(product);
  }
};

const distributed = async (): Promise<readonly Row[]> => {
  const nats = await findNatsServer();
  if (nats.start === null) {
    console.log(`over NATS: left out (${nats.reason})`);
    return [];
  }
  const size = { relays: 2, commandApis: 1, projections: 1 };
  const cluster = await startCluster(await nats.start(), size, { env: { LOG_LEVEL: 'error' } });
  try {
    return [await measure('2 relays over NATS', cluster.url, cluster.relayUrls)];
  } finally {
    await cluster.stop();
  }
};

const rows = [await oneMachine(), ...(await distributed())];
console.table(
  Object.fromEntries(
    rows.map(({ run, changes: count, p50, p99, max }) => [
      run,
      {
        changes: count,
        'p50 ms': p50.toFixed(1),
        'p99 ms': p99.toFixed(1),
        'max ms': max.toFixed(1),
      },
    ]),
  ),
);
mkdirSync('bench-results', { recursive: true });
writeFileSync(
  'bench-results/feed.json',
  JSON.stringify({ at: new Date().toISOString(), node: process.version, rows }, null, 2),
);
process.exit(0);
