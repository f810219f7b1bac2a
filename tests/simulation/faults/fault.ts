import type { Profile } from '../nemesis/profile.ts';
import type { ViolationKind } from '../oracle/violations.ts';
import type { Patch } from './patch.ts';

/** A fault that is planted in a bundle of the product, to see that the simulator finds it. */
export type Fault = Readonly<{
  name: string;
  what: string;
  patches: readonly Patch[];
  /** What it has to show as, at least one of these. */
  shows: readonly ViolationKind[];
  /** The histories that are to find it, where those of every day do not hold what it takes. */
  under?: Partial<Profile>;
}>;
