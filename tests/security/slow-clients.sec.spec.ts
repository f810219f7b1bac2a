import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addChannel, addToken, setUpSite } from '../support/console-client.ts';
import { treeOf } from '../support/processes.ts';
import { type Product, removeData, startProduct } from '../support/product.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';

/** Of six kinds, one of which is refused at once. */
const ofEachKind = 620;
const leastMs = 10_000;
const megabyte = 1024 * 1024;

let product: Product;
let provider: StubProvider;
let key = '';
let crowd: ChildProcess | null = null;

beforeAll(async () => {
  provider = await startStubProvider();
  product = await startProduct();
  const root = await setUpSite(product.url);
  await addChannel(root, provider.url);
  key = (await addToken(root)).key;
});
afterAll(async () => {
  if (crowd?.connected) crowd.send('stop');
  await product?.stop();
  await provider?.close();
  if (product !== undefined) removeData(product);
});

/** Memory that a process has to itself, and its part of what it shares; 0 when it is gone. */
const residentOf = (pid: number): number => {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const [, kilobytes = '0'] = /^Pss:\s+(\d+)/m.exec(text) ?? [];
    return Number(kilobytes) * 1_024;
  } catch {
    return 0;
  }
};
const residentBytes = (): number =>
  treeOf(product.pid).reduce((sum, pid) => sum + residentOf(pid), 0);

const relayed = async (): Promise<void> => {
  const answer = await fetch(`${product.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] }),
  });
  expect(answer.status, await answer.text()).toBe(200);
};
const looked = async (): Promise<void> => {
  const answer = await fetch(`${product.url}/api/status`);
  expect(answer.status, await answer.text()).toBe(200);
};

const timed = async (call: () => Promise<void>): Promise<number> => {
  const begun = performance.now();
  await call();
  return performance.now() - begun;
};

/** Milliseconds of each of some good calls, one after the other. */
const latencies = async (count: number): Promise<number[]> => {
  const measured: number[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    measured.push(await timed(relayed), await timed(looked));
    await pause(20);
  }
  return measured;
};

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

type Said = Readonly<{ kind: string; open: number; answers: readonly string[] }>;

test('3,000 slow connections and 24 large uploads of strangers slow no caller down and fill no memory', async () => {
  // The first calls compile what the others run.
  await latencies(30);
  const idle = await latencies(20);
  const before = residentBytes();
  const plan = {
    port: Number(new URL(product.url).port),
    ofEachKind,
    uploads: 24,
    uploadBytes: 60 * megabyte,
  };
  crowd = fork('tests/support/slow-clients.ts', [JSON.stringify(plan)]);
  const said = async (): Promise<Said> => {
    if (crowd === null) throw new Error('there is no crowd');
    const [message] = (await once(crowd, 'message')) as [Said];
    return message;
  };
  const ready = await said();
  expect(ready.open).toBeGreaterThanOrEqual(3_000);

  let most = 0;
  let isUploading = true;
  const uploads = said().finally(() => {
    isUploading = false;
  });
  const during: number[] = [];
  const begun = performance.now();
  while (isUploading || during.length < 60 || performance.now() - begun < leastMs) {
    during.push(...(await latencies(5)));
    most = Math.max(most, residentBytes() - before);
  }
  const { answers } = await uploads;
  const shown = `${ready.open} open; idle ${median(idle).toFixed(1)} ms, during ${median(during).toFixed(1)} ms, worst ${Math.max(...during).toFixed(0)} ms of ${Math.max(...idle).toFixed(0)}; +${(most / megabyte).toFixed(0)} MB`;
  console.log(shown);
  // Bounds of the same run, as the machine may be busy with other things.
  expect(Math.max(...during), shown).toBeLessThan(1_000 + 10 * Math.max(...idle));
  expect(median(during), shown).toBeLessThan(200 + 10 * median(idle));
  expect(most, shown).toBeLessThan(150 * megabyte);
  // Refused, and the refusal arrives although the client is still sending.
  expect(answers.filter((answer) => !['401', '413', '408'].includes(answer))).toEqual([]);
}, 300_000);
