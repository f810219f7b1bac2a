import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProjectionRow } from '../../projections/contract/projection.ts';
import type { VerifyReportRow, VerifyState } from '../../projections/contract/verify.ts';
import { chat } from '../support/chat.ts';
import {
  addChannel,
  addToken,
  type ConsoleClient,
  rootUser,
  type SelfRow,
  self,
  setUpSite,
} from '../support/console-client.ts';
import { inParallel } from '../support/in-parallel.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';
import { type ComposeRun, prepareCompose } from './compose.ts';
import { requireDocker } from './docker.ts';
import { eachSecond } from './each-second.ts';
import { prepareImages } from './images.ts';
import { type LoadFigures, type SteadyLoad, startSteadyLoad } from './steady-load.ts';

/* `infra/compose.yaml` with the embedded node, in containers: `npm run test:cluster`. */

const callsPerSecond = Number(process.env.CLUSTER_CALLS_PER_SECOND ?? 100);
const processes = ['relay-0', 'relay-1', 'command-api', 'projections'];
const engines = ['nats', 'eventstore', 'postgres'];

let run: ComposeRun;
let provider: StubProvider;
let admin: ConsoleClient;
let key: string;
let load: SteadyLoad;
/** Whole answers outside of the load. */
let others = 0;

beforeAll(async () => {
  requireDocker();
  run = await prepareCompose(await prepareImages());
}, 1_800_000);
afterAll(async () => {
  await load?.stop();
  await provider?.close();
  await run?.remove();
}, 300_000);

const answered = (): number => load.answered() + others;
const ask = async (): Promise<void> => {
  const answer = await chat(run.url, key, {});
  expect([answer.status, answer.complete, answer.text]).toEqual([200, true, answer.text]);
  others += 1;
};
/** What was returned instead of an answer, without the ids of requests, and how often. */
const kindsOf = (refused: readonly string[]): string => {
  const counts = new Map<string, number>();
  for (const text of refused.map((one) => one.replace(/ \(request id: \w+\)/, ''))) {
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].map(([text, count]) => `\n  ${count} x ${text}`).join('');
};
const report = (phase: string, { answered: whole, refused, failed }: LoadFigures): void =>
  console.log(
    `${phase}: ${whole + refused.length + failed.length} calls, ${refused.length} refused, ` +
      `${failed.length} failed${kindsOf([...refused, ...failed])}`,
  );
const seconds = (since: number): string => ((performance.now() - since) / 1_000).toFixed(1);

/** The price of one call, as the first one was charged. */
let price = 0;
const untilCharged = (check: (row: SelfRow) => void): Promise<SelfRow> =>
  eachSecond(async () => {
    const row = await self(admin);
    check(row);
    expect(row.used_quota).toBe(row.request_count * price);
    return row;
  }, 120_000);
const exactly = (row: SelfRow): void => expect(row.request_count).toBe(answered());

const verified = async (): Promise<VerifyReportRow> => {
  const { report: before } = await admin.ok<VerifyState>('GET', '/api/verify');
  // Reports name their time in seconds.
  await sleep(1_000);
  await admin.ok('POST', '/api/verify');
  return eachSecond(async () => {
    const { running, report: found, error } = await admin.ok<VerifyState>('GET', '/api/verify');
    expect([running, error]).toEqual([null, '']);
    expect(found?.started_at ?? 0).toBeGreaterThan(before?.started_at ?? 0);
    return found ?? expect.unreachable('there is a report');
  }, 120_000);
};

test('every container becomes healthy', async () => {
  const begun = performance.now();
  await run.up();
  console.log(`healthy after ${seconds(begun)} s: ${(await run.containers()).length} containers`);
  provider = await startStubProvider({ host: await run.gateway() });
});

test('a newcomer sets the site up through the proxy, and the first call is charged', async () => {
  admin = await setUpSite(run.url);
  await addChannel(admin, provider.url);
  ({ key } = await addToken(admin));
  await eachSecond(ask, 30_000);
  const first = await eachSecond(async () => {
    const row = await self(admin);
    expect(row.request_count).toBe(1);
    return row;
  });
  expect(first.used_quota).toBeGreaterThan(0);
  price = first.used_quota;
});

describe('under load', () => {
  beforeAll(() => {
    load = startSteadyLoad(run.url, key, callsPerSecond);
    console.log(`${callsPerSecond} calls a second`);
  });

  const unharmed = async (phase: string): Promise<void> => {
    const figures = await load.take();
    report(phase, figures);
    expect(figures.refused).toEqual([]);
    expect(figures.failed).toEqual([]);
    expect(figures.answered).toBeGreaterThan(0);
  };

  test.each([...processes, ...engines])('%s is restarted, and no call is refused', async (name) => {
    for (const container of await run.containers(name)) await run.restart(container);
    await unharmed(`${name} restarted`);
  });

  test.each(processes)(
    '%s is recreated under another address, and no call is refused',
    async (name) => {
      for (const container of await run.containers(name)) await run.recreate(container);
      await unharmed(`${name} made anew`);
    },
  );

  test('every answer so far was charged once, and nothing else was', async () => {
    await load.stop();
    await untilCharged(exactly);
  });

  test('each container is killed once, and calls are answered afterwards', async () => {
    const before = load.answered();
    others += before;
    load = startSteadyLoad(run.url, key, callsPerSecond);
    for (const container of await run.containers()) {
      await run.kill(container);
      await eachSecond(async () => {
        const { refused, failed, answered: whole } = await load.take();
        report(`${container.service} killed`, { refused, failed, answered: whole });
        expect(refused.length + failed.length).toBe(0);
        expect(whole).toBeGreaterThan(0);
      });
    }
    await load.stop();
  });

  test('every answer was charged, nothing that the provider did not serve was, and verify is clean', async () => {
    await untilCharged(({ request_count }) => {
      expect(request_count).toBeGreaterThanOrEqual(answered());
      expect(request_count).toBeLessThanOrEqual(provider.counts.get('/v1/chat/completions') ?? 0);
    });
    const { breaks, requests, events } = await verified();
    console.log(`verify: ${events} events, ${breaks.length} breaks, ${JSON.stringify(requests)}`);
    expect(breaks).toEqual([]);
    expect(requests.open).toBe(0);
  });
});

test('down and up lose nothing, not even what was just answered', async () => {
  const { events } = await verified();
  const { request_count } = await self(admin);
  const last = 100;
  await inParallel({ count: last, atOnce: 10 }, ask);
  await run.down();
  const begun = performance.now();
  await run.up();
  console.log(`healthy again after ${seconds(begun)} s`);
  await eachSecond(() => admin.login(rootUser.username, rootUser.password));
  await untilCharged((row) => expect(row.request_count).toBe(request_count + last));
  const after = await verified();
  console.log(`verify: ${after.events} events, ${after.breaks.length} breaks`);
  expect(after.breaks).toEqual([]);
  expect(after.events).toBeGreaterThan(events);
  await ask();
});

test('ten rounds of list, rebuild and verify with two processes have one answer', async () => {
  expect(await run.containers('projections')).toHaveLength(2);
  const list = () => admin.ok<ProjectionRow[]>('GET', '/api/projections');
  const untilLive = () =>
    eachSecond(async () => {
      const rows = await list();
      expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['live']));
      return rows.map(({ name }) => name);
    });
  const answers: string[] = [];
  for (let round = 1; round <= 10; round += 1) {
    const names = await untilLive();
    await admin.ok('POST', '/api/projections/ledger/rebuild');
    await untilLive();
    const { breaks, requests, accounts } = await verified();
    const { used_quota, request_count } = await self(admin);
    answers.push(JSON.stringify({ names, breaks, requests, accounts, used_quota, request_count }));
  }
  console.log(`ten rounds: ${answers.length} answers, ${new Set(answers).size} different`);
  expect(answers).toHaveLength(10);
  expect(new Set(answers).size).toBe(1);
});
