import { mkdirSync, writeFileSync } from 'node:fs';

/** Writes `bench-results/NAME.json`. */
export const writeResult = (name: string, result: object): void => {
  mkdirSync('bench-results', { recursive: true });
  const whole = { at: new Date().toISOString(), node: process.version, ...result };
  writeFileSync(`bench-results/${name}.json`, JSON.stringify(whole, null, 2));
};

export const digits = (value: number | null | undefined, count = 2): string =>
  value == null || Number.isNaN(value) ? '' : value.toFixed(count);

export const ratio = (value: number | null | undefined): string =>
  value == null || Number.isNaN(value) ? '' : `${value.toFixed(2)}×`;
