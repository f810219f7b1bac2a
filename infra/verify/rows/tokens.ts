import type { Recorded } from '../../../domain/shared/event.ts';
import type { TokenEvent } from '../../../domain/token/events.ts';
import type { ReadModelView, VerifiedToken } from '../../ports/read-models.ts';
import { isAccountEvent } from '../account-types.ts';
import type { Findings } from '../findings.ts';
import { compareRows } from './compare.ts';
import type { Expectation } from './expectation.ts';

type Token = { -readonly [K in keyof VerifiedToken]: VerifiedToken[K] };

/** What each token may still spend and has spent, as the books of its owner have it. */
export class ExpectedTokens implements Expectation {
  readonly name = 'token-list';
  readonly #tokens = new Map<string, Token>();

  see({ event }: Recorded): void {
    if (isAccountEvent(event)) {
      if (event.type === 'RequestCharged') this.#spend(event.data.call.tokenId, event.data.amount);
      if (event.type === 'RequestRefunded') this.#spend(event.data.tokenId, -event.data.amount);
      if (event.type === 'TokenBudgetSet') {
        const token = this.#tokens.get(String(event.data.tokenId));
        if (token === undefined) return;
        token.remain = event.data.remain;
        token.unlimited = event.data.unlimited;
      }
      return;
    }
    this.#change(event as TokenEvent);
  }

  compare(view: ReadModelView, findings: Findings): Promise<number> {
    return compareRows<VerifiedToken>({
      findings,
      table: 'token_list.tokens',
      rows: view.tokens(),
      expected: new Map(this.#tokens),
      keyOf: ({ id }) => String(id),
    });
  }

  #spend(tokenId: number, amount: number): void {
    const token = this.#tokens.get(String(tokenId));
    if (token === undefined) return;
    token.remain -= amount;
    token.used += amount;
  }

  #change(event: TokenEvent): void {
    if (event.type === 'TokenCreated') {
      const { tokenId: id, userId, terms } = event.data;
      const { remainQuota: remain, unlimitedQuota: unlimited } = terms;
      this.#tokens.set(String(id), { id, userId, status: 1, remain, used: 0, unlimited });
      return;
    }
    const token = this.#tokens.get(String(event.data.tokenId));
    if (token === undefined) return;
    switch (event.type) {
      case 'TokenChanged':
        token.unlimited = event.data.terms.unlimitedQuota;
        return;
      case 'TokenEnabled':
        token.status = 1;
        return;
      case 'TokenDisabled':
        token.status = 2;
        return;
      case 'TokenDeleted':
        this.#tokens.delete(String(token.id));
        return;
    }
  }
}
