import type { UsageRecordSetAside } from '../../domain/account/set-aside.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { Check } from './check.ts';
import type { Findings } from './findings.ts';

const isSetAside = (recorded: Recorded): recorded is Recorded<UsageRecordSetAside> =>
  recorded.event.type === 'UsageRecordSetAside';

/** Characters of a record that are shown; it says who and how much in its beginning. */
const shownChars = 300;

/** Usage that was told and not charged: a relay is broken, or it told of what it was not granted. */
export class SetAsideCheck implements Check {
  readonly #findings: Findings;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  see(recorded: Recorded): void {
    if (!isSetAside(recorded)) return;
    const { reason, record } = recorded.event.data;
    this.#findings.ofEvent(
      'usage-set-aside',
      recorded,
      `${reason}: ${record.slice(0, shownChars)}`,
    );
  }
}
