import type { Recorded } from '../../domain/shared/event.ts';
import type { Check } from './check.ts';
import type { ConcernedEvent } from './concerns.ts';
import type { Findings } from './findings.ts';

/** A dead letter is a call that was served and is not charged. */
export class DeadLetterCheck implements Check<'dead-letters'> {
  readonly #findings: Findings;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  see(recorded: Recorded<ConcernedEvent<'dead-letters'>>): void {
    const { reason } = recorded.event.data;
    this.#findings.ofEvent('dead-letter', recorded, `a usage record was not settled: ${reason}`);
  }
}
