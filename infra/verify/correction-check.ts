import type { Recorded } from '../../domain/shared/event.ts';
import type { Check } from './check.ts';
import type { ConcernedEvent } from './concerns.ts';
import type { Findings } from './findings.ts';

/** A correction names what it corrects: events of the log, or requests by their id. */
export class CorrectionCheck implements Check<'corrections'> {
  readonly #findings: Findings;
  readonly #isKnown: (id: string) => boolean;

  constructor(findings: Findings, isKnown: (id: string) => boolean) {
    this.#findings = findings;
    this.#isKnown = isKnown;
  }

  see(recorded: Recorded<ConcernedEvent<'corrections'>>): void {
    const { event } = recorded;
    const unknown = event.data.corrects.filter((id) => !this.#isKnown(id));
    if (unknown.length === 0 && event.data.corrects.length > 0) return;
    const detail =
      unknown.length === 0 ? 'names nothing that it corrects' : `corrects ${unknown.join(', ')}`;
    this.#findings.ofEvent('correction-of-nothing', recorded, detail);
  }
}
