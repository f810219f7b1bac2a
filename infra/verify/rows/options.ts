import type { Recorded } from '../../../domain/shared/event.ts';
import type { ReadModelView, VerifiedOption } from '../../ports/read-models.ts';
import type { ConcernedEvent } from '../concerns.ts';
import type { Findings } from '../findings.ts';
import { compareRows } from './compare.ts';
import type { Expectation } from './expectation.ts';

/** What operators have set; of secrets only that they are. */
export class ExpectedOptions implements Expectation<'option-list'> {
  readonly name = 'option-list';
  readonly #options = new Map<string, VerifiedOption>();

  see({ event }: Recorded<ConcernedEvent<'option-list'>>): void {
    switch (event.type) {
      case 'SiteInitialised':
        this.#put('SelfUseModeEnabled', String(event.data.selfUseMode));
        this.#put('DemoSiteEnabled', String(event.data.demoSite));
        return;
      case 'OptionChanged':
        this.#put(event.data.key, event.data.value);
        return;
      case 'OptionReset':
        this.#put(event.data.key, null);
        return;
      case 'SecretOptionChanged':
        this.#put(event.data.key, null, true);
        return;
    }
  }

  compare(view: ReadModelView, findings: Findings): Promise<number> {
    return compareRows<VerifiedOption>({
      findings,
      table: 'option_list.options',
      rows: view.options(),
      expected: new Map(this.#options),
      keyOf: ({ key }) => key,
    });
  }

  #put(key: string, value: string | null, isSecretSet = false): void {
    this.#options.set(key, { key, value, isSecretSet });
  }
}
