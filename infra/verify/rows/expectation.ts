import type { Recorded } from '../../../domain/shared/event.ts';
import type { ReadModelView } from '../../ports/read-models.ts';
import type { Findings } from '../findings.ts';

/** What one projection has to show, folded from the events up to its checkpoint. */
export interface Expectation {
  /** Name of the projection. */
  readonly name: string;
  see(recorded: Recorded): void;
  /** Holds the rows against it; answers how many there were. */
  compare(view: ReadModelView, findings: Findings): Promise<number>;
}
