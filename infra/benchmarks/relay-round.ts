import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMicros, cpuOfTree, spent } from './cpu.ts';
import { type Shape, saturate, shapes } from './load.ts';
import type { Middle } from './plant.ts';

/** Short rounds that take turns: what else the machine does hits all of them alike. */
export const rounds = 31;
/** Of every shape before the first is measured: the compiler is to have seen enough of all code. */
export const warmUps = 10;
/** Calls at once. */
export const width = 32;
/** Records gather for a moment before they leave the relay: that work belongs to the round too. */
const afterworkMs = 60;

/** Per request: seconds, and microseconds of CPU of the process that is called and of all of the product. */
export type Sample = Readonly<{ seconds: number; micros: number; allMicros: number }>;

export const round = async (middle: Middle, { body, perRound }: Shape): Promise<Sample> => {
  const tree = cpuOfTree(middle.pid);
  const own = cpuMicros(middle.pid);
  const begun = performance.now();
  await saturate({ pool: middle.pool, target: middle, body }, { count: perRound, width });
  const seconds = (performance.now() - begun) / 1_000 / perRound;
  await sleep(afterworkMs);
  const micros = (cpuMicros(middle.pid) - own) / perRound;
  return { seconds, micros, allMicros: spent(tree, cpuOfTree(middle.pid)) / perRound };
};

/** The shape of that name; where there is none, all that have it in their names. */
export const shapesNamed = (name: string): readonly Shape[] => {
  const named = shapes.filter((shape) => shape.name === name);
  return named.length > 0 ? named : shapes.filter((shape) => shape.name.includes(name));
};
