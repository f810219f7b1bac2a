import type { RedemptionEvent } from '../../../domain/redemption/events.ts';
import type { Recorded } from '../../../domain/shared/event.ts';
import type { ReadModelView, VerifiedCode } from '../../ports/read-models.ts';
import type { Findings } from '../findings.ts';
import { compareRows } from './compare.ts';
import type { Expectation } from './expectation.ts';

type Code = { -readonly [K in keyof VerifiedCode]: VerifiedCode[K] };

/** Which codes are there, what each holds, and who used it. */
export class ExpectedCodes implements Expectation {
  readonly name = 'redemption-list';
  readonly #codes = new Map<string, Code>();

  see({ event }: Recorded): void {
    const told = event as RedemptionEvent;
    if (told.type === 'RedemptionCreated') {
      const { redemptionId: id, quota } = told.data;
      this.#codes.set(String(id), { id, quota, status: 1, usedBy: 0 });
      return;
    }
    const code = this.#codes.get(String(told.data.redemptionId));
    if (code === undefined) return;
    switch (told.type) {
      case 'RedemptionChanged':
        code.quota = told.data.quota;
        return;
      case 'RedemptionEnabled':
        code.status = 1;
        return;
      case 'RedemptionDisabled':
        code.status = 2;
        return;
      case 'RedemptionRedeemed':
        code.status = 3;
        code.usedBy = told.data.redeemedBy;
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
