import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOfTree, spent } from './cpu.ts';
import { heldCall, heldStream, openPool, quantile, type Shape, shapes, steady } from './load.ts';
import { type Middle, openPlant } from './plant.ts';
import { residentMb } from './tree.ts';

/** A burst of all at once would measure the burst. */
const opensPerSecond = 250;
/** Other calls meanwhile, whose callers wait. */
const others = { perSecond: 100, count: 500 } as const;

type Latency = Readonly<{ p50: number; p99: number }>;
export type InFlightRow = Readonly<{
  /** `bare proxy` or `relay`; of the latter every process of the product counts. */
  name: string;
  inFlight: number;
  /** Of those: answered whole. */
  answered: number;
  /** Milliseconds of the other calls, alone and while the held ones were in flight. */
  alone: Latency;
  meanwhile: Latency;
  /** Kilobytes of each call in flight. */
  kbEach: number;
  /** CPU of each held call from its first byte to its last, milliseconds. */
  cpuMsEach: number;
}>;

const latencyOf = (values: readonly number[]): Latency => ({
  p50: quantile(values, 0.5),
  p99: quantile(values, 0.99),
});

type Holding = Readonly<{
  /** Resolves when the first piece of each is there. */
  open: Promise<void>;
  answered: Promise<number>;
}>;

/** Opens them one after the other; each ends after `holdMs`. */
const holdMany = (middle: Middle, count: number, holdMs: number): Holding => {
  const pool = openPool(middle, count);
  const flow = { pool, target: middle, body: heldStream(holdMs) };
  const answers: Promise<boolean>[] = [];
  let begun = 0;
  const open = async (): Promise<void> => {
    const from = performance.now();
    while (answers.length < count) {
      const due = Math.ceil(((performance.now() - from) / 1_000) * opensPerSecond);
      while (answers.length < Math.min(count, due)) {
        const answer = heldCall(flow, () => {
          begun += 1;
        });
        answers.push(
          answer.then(
            () => true,
            () => false,
          ),
        );
      }
      await sleep(5);
    }
    while (begun < count && performance.now() - from < holdMs) await sleep(20);
  };
  const opened = open();
  const answered = opened.then(async () => {
    const ended = await Promise.all(answers);
    await pool.destroy();
    return ended.filter(Boolean).length;
  });
  return { open: opened, answered };
};

const measure = async (middle: Middle, shape: Shape, count: number): Promise<InFlightRow> => {
  const flow = { pool: middle.pool, target: middle, body: shape.body };
  await steady(flow, others);
  const alone = latencyOf(await steady(flow, others));
  const residentBefore = residentMb(middle.pid);
  const cpuBefore = cpuOfTree(middle.pid);
  const openMs = (count / opensPerSecond) * 1_000;
  const { open, answered } = holdMany(middle, count, 2 * openMs + 12_000);
  await open;
  const kbEach = ((residentMb(middle.pid) - residentBefore) * 1_024) / count;
  const cpuOfOthers = cpuOfTree(middle.pid);
  const meanwhile = latencyOf(await steady(flow, others));
  const othersMicros = spent(cpuOfOthers, cpuOfTree(middle.pid));
  const whole = await answered;
  const micros = spent(cpuBefore, cpuOfTree(middle.pid)) - othersMicros;
  const cpuMsEach = micros / 1_000 / count;
  return {
    name: middle.name,
    inFlight: count,
    answered: whole,
    alone,
    meanwhile,
    kbEach,
    cpuMsEach,
  };
};

/** Streams that wait for their provider, and what other calls pay for them. */
export const benchInFlight = async (count = 2_000): Promise<InFlightRow[]> => {
  const [shape] = shapes;
  if (shape === undefined) throw new Error('a benchmark has a shape of call');
  const plant = await openPlant({ connections: count + 256 });
  try {
    const { bare, relay } = plant.middlesOf(shape);
    return [await measure(bare, shape, count), await measure(relay, shape, count)];
  } finally {
    await plant.stop();
  }
};

const ofLatency = ({ p50, p99 }: Latency): string => `${p50.toFixed(1)} / ${p99.toFixed(1)}`;

export const printInFlight = (rows: readonly InFlightRow[]): void => {
  console.log('Latencies of other calls, p50 / p99 in ms');
  console.table(
    Object.fromEntries(
      rows.map((row) => [
        row.name,
        {
          'in flight': row.inFlight,
          answered: row.answered,
          alone: ofLatency(row.alone),
          meanwhile: ofLatency(row.meanwhile),
          'KB each': row.kbEach.toFixed(1),
          'CPU ms each': row.cpuMsEach.toFixed(2),
        },
      ]),
    ),
  );
};
