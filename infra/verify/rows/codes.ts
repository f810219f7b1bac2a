import type { Recorded } from '../../../domain/shared/event.ts';
import type { ReadModelView, VerifiedCode } from '../../ports/read-models.ts';
import type { ConcernedEvent } from '../concerns.ts';
import type { Findings } from '../findings.ts';
import { compareRows } from './compare.ts';
import type { Expectation } from './expectation.ts';

type Code = { -readonly [K in keyof VerifiedCode]: VerifiedCode[K] };

/** Which codes are there, what each holds, and who used it. */
export class ExpectedCodes implements Expectation<'redemption-list'> {
  readonly name = 'redemption-list';
  readonly #codes = new Map<string, Code>();

  see({ event }: Recorded<ConcernedEvent<'redemption-list'>>): void {
    if (event.type === 'RedemptionCreated') {
      const { redemptionId: id, quota } = event.data;
      this.#codes.set(String(id), { id, quota, status: 1, usedBy: 0 });
      return;
    }
    const code = this.#codes.get(String(event.data.redemptionId));
    if (code === undefined) return;
    switch (event.type) {
      case 'RedemptionChanged':
        code.quota = event.data.quota;
        return;
      case 'RedemptionEnabled':
        code.status = 1;
        return;
      case 'RedemptionDisabled':
        code.status = 2;
        return;
      case 'RedemptionRedeemed':
        code.status = 3;
        code.usedBy = event.data.redeemedBy;
        return;
      case 'RedemptionDeleted':
        this.#codes.delete(String(code.id));
        return;
    }
  }

  compare(view: ReadModelView, findings: Findings): Promise<number> {
    return compareRows<VerifiedCode>({
      findings,
      table: 'redemption_list.codes',
      rows: view.codes(),
      expected: new Map(this.#codes),
      keyOf: ({ id }) => String(id),
    });
  }
}
