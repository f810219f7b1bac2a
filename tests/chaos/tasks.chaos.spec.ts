import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLog } from '../support/books.ts';
import {
  addChannel,
  addToken,
  ConsoleClient,
  rootUser,
  setUpSite,
  type TokenRow,
} from '../support/console-client.ts';
import { eventually, type Product, removeData, startProduct } from '../support/product.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';
import { tellTasks, wrongWith } from '../support/task-books.ts';

const isFull = process.env.CHAOS === 'full';
const env = { LEASE_TTL_SECONDS: '5' };
const tasksPerPoint = isFull ? 20 : 12;
const timeoutMs = isFull ? 1_200_000 : 300_000;

let product: Product;
let provider: StubProvider;
let admin: ConsoleClient;
let token: TokenRow;
/** Numbers that callers were given. */
const promised: string[] = [];
let broken = 0;

beforeAll(async () => {
  provider = await startStubProvider();
});
afterAll(async () => {
  await product?.stop();
  await provider?.close();
  if (product !== undefined) removeData(product);
});

const told = (event: 'asked' | 'answered' | 'polled' | 'told', times = 1): Promise<void> =>
  new Promise((resolve) => {
    let left = times;
    const count = (): void => {
      left -= 1;
      if (left > 0) return;
      provider.taskEvents.off(event, count);
      resolve();
    };
    provider.taskEvents.on(event, count);
  });

type Submitted = Readonly<{ first: Promise<unknown>; all: Promise<unknown> }>;

const submit = async (n: number, words: string): Promise<void> => {
  const isSong = n % 4 === 3;
  const prompt = `${words}${n % 2 === 0 ? ' will fail' : ' is done'}`;
  try {
    const answer = await fetch(
      `${product.url}${isSong ? '/suno/submit/music' : '/mj/submit/imagine'}`,
      {
        method: 'POST',
        headers: { authorization: `Bearer sk-${token.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ prompt }),
      },
    );
    const said = (await answer.json()) as { result?: string; data?: string };
    const id = isSong ? said.data : said.result;
    if (answer.status === 200 && typeof id === 'string') promised.push(id);
  } catch {
    broken += 1;
  }
};

const submitAll = (words = 'a gate'): Submitted => {
  const calls = Array.from({ length: tasksPerPoint }, (_, n) => submit(n, words));
  return { first: Promise.race(calls), all: Promise.all(calls) };
};

const submitUntil = (event: 'asked' | 'answered', times = 1): Promise<void> => {
  submitAll();
  return told(event, times);
};

const look = (): Promise<unknown> => admin.call('POST', '/api/jobs/task-polling/run', {});

/** Ten moments in the life of a task; everything is killed at that moment. */
const points: readonly (readonly [string, () => Promise<unknown>])[] = [
  [
    'when the calls have just come in',
    async () => {
      submitAll();
      await pause(5);
    },
  ],
  ['when the provider gets the first one', () => submitUntil('asked')],
  [
    'while the provider thinks',
    async () => {
      submitAll('waits 400');
      await told('asked', tasksPerPoint);
      await pause(100);
    },
  ],
  ['when the provider has answered the first one', () => submitUntil('answered')],
  ['when the provider has answered half of them', () => submitUntil('answered', tasksPerPoint / 2)],
  ['when the first caller has an answer', async () => submitAll().first],
  ['when every caller has an answer', async () => submitAll().all],
  [
    'while the provider is asked how they stand',
    async () => {
      await submitAll().all;
      const asked = told('polled');
      await look();
      return asked;
    },
  ],
  [
    'when the provider has said how they stand',
    async () => {
      await submitAll().all;
      const answered = told('told');
      await look();
      return answered;
    },
  ],
  [
    'while the money goes back',
    async () => {
      await submitAll().all;
      const answered = told('told');
      await look();
      await answered;
      await pause(20);
    },
  ],
];

const restart = async (): Promise<void> => {
  product = await startProduct({ dataDir: product.dataDir, env });
  admin = new ConsoleClient(product.url);
  await admin.login(rootUser.username, rootUser.password);
};

type VerifyState = Readonly<{ report: Readonly<{ breaks: unknown[] }> | null }>;

test(
  'a task is charged once and refunded once if it fails, whenever everything is killed',
  async () => {
    product = await startProduct({ env });
    admin = await setUpSite(product.url);
    const models = { models: 'mj_imagine', type: 2, name: 'drawings', key: 'mj-key' };
    await addChannel(admin, provider.url, models);
    const music = { models: 'suno_music', type: 36, name: 'music', key: 'suno-key' };
    await addChannel(admin, provider.url, music);
    token = await addToken(admin);
    const before = (await admin.ok<{ quota: number }>('GET', '/api/user/self')).quota;

    const chosen = isFull ? points : points.filter((_, at) => [2, 4, 6, 8].includes(at));
    for (const [name, moment] of chosen) {
      await moment();
      await product.kill();
      console.log(`tasks: killed ${name}, ${promised.length} promised, ${broken} broken`);
      await restart();
    }

    const log = openLog(product.dataDir);
    const stories = await eventually(async () => {
      await look();
      const all = await tellTasks(log);
      const wrong = all.flatMap((story) => {
        const why = story.end === null ? 'it never ended' : wrongWith(story);
        return why === null ? [] : [`${story.taskId}: ${why}`];
      });
      if (wrong.length > 0) throw new Error(wrong.slice(0, 5).join('\n'));
      return all;
    }, 90_000);
    await log.close();

    const accepted = stories.filter(({ isAccepted }) => isAccepted);
    const known = new Set(accepted.map(({ upstreamId }) => upstreamId));
    expect(promised.filter((id) => !known.has(id))).toEqual([]);
    const sum = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0);
    const spent = sum(accepted.flatMap(({ charges }) => charges));
    const back = sum(accepted.flatMap(({ refunds }) => refunds));
    await eventually(async () => {
      const { quota } = await admin.ok<{ quota: number }>('GET', '/api/user/self');
      expect(quota).toBe(before - spent + back);
    });
    await admin.ok('POST', '/api/verify', {});
    const report = await eventually(async () => {
      const state = await admin.ok<VerifyState>('GET', '/api/verify');
      if (state.report === null) throw new Error('verify is still running');
      return state.report;
    });
    expect(report.breaks).toEqual([]);
    const failed = accepted.filter(({ end }) => end === 'failed').length;
    console.log(
      `tasks: ${chosen.length} kills, ${provider.tasks.length} taken by the provider, ` +
        `${accepted.length} charged once, ${failed} of them refunded once, ` +
        `${stories.length - accepted.length} never taken and never charged`,
    );
  },
  timeoutMs,
);
