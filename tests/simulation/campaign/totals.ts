import type { Counts } from './protocol.ts';

type Sums = Record<string, number>;

const addAll = (sums: Sums, more: Readonly<Sums>): void => {
  for (const [key, count] of Object.entries(more)) sums[key] = (sums[key] ?? 0) + count;
};

/** Adds up what histories held. */
export class Totals implements Counts {
  readonly sums: Sums = {};
  readonly calls: Sums = {};
  readonly actions: Sums = {};

  get histories(): number {
    return this.sums.histories ?? 0;
  }

  add({ sums, calls, actions }: Counts): void {
    addAll(this.sums, sums);
    addAll(this.calls, calls);
    addAll(this.actions, actions);
  }
}
