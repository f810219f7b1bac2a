import type { History } from '../history.ts';
import type { Profile } from '../nemesis/profile.ts';
import type { Violation, ViolationKind } from '../oracle/violations.ts';
import type { Trace } from '../trace/trace.ts';

/** Tasks for a worker, which holds the bundled simulator. */
export type Task =
  | Readonly<{ kind: 'seeds'; from: number; count: number; profile: Profile }>
  | Readonly<{ kind: 'generate'; seed: number; profile: Profile }>
  | Readonly<{ kind: 'history'; history: History; isTraced: boolean }>
  | Readonly<{ kind: 'shrink'; history: History; violation: ViolationKind }>;

export type Failure = Readonly<{ seed: number; violations: readonly Violation[] }>;

/** What a number of histories held, by what is counted. */
export type Counts = Readonly<{
  /** Histories, events, charges, and virtual milliseconds. */
  sums: Readonly<Record<string, number>>;
  /** By what became of them. */
  calls: Readonly<Record<string, number>>;
  /** Those that took place, by kind. */
  actions: Readonly<Record<string, number>>;
}>;

/** Result of a batch of seeds. */
export type SeedsResult = Readonly<{
  counts: Counts;
  failures: readonly Failure[];
  /** Milliseconds of CPU, over all threads of the worker. */
  cpuMs: number;
}>;

export type HistoryResult = Readonly<{
  violations: readonly Violation[];
  digest: string;
  trace: Trace | null;
}>;

export type Answer = SeedsResult | HistoryResult | History;
