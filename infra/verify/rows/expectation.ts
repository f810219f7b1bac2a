import type { ReadModelView } from '../../ports/read-models.ts';
import type { Check } from '../check.ts';
import type { RowCheckName } from '../concerns.ts';
import type { Findings } from '../findings.ts';

/** What one projection has to show, folded from the events up to its checkpoint. */
export interface Expectation<N extends RowCheckName> extends Check<N> {
  /** Name of the projection. */
  readonly name: N;
  /** Compares the rows with it; answers how many there were. */
  compare(view: ReadModelView, findings: Findings): Promise<number>;
}
