import { useSyncExternalStore } from 'react';
import { readLocal, writeLocal } from '../local-values.ts';

export const densities = ['compact', 'comfortable'] as const;
export type Density = (typeof densities)[number];

const stored = (): Density =>
  readLocal('row-density') === 'comfortable' ? 'comfortable' : 'compact';

const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** The style sheet reads it from the root of the page. */
export const applyDensity = (): void => {
  document.documentElement.dataset.density = stored();
};

const change = (density: Density): void => {
  writeLocal('row-density', density);
  applyDensity();
  for (const listener of listeners) listener();
};

/** The height of rows in all lists, kept in the browser. */
export const useDensity = (): readonly [Density, (density: Density) => void] => [
  useSyncExternalStore(subscribe, stored, stored),
  change,
];
