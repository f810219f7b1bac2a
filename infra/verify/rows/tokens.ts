import type { TokenBudgetSet } from '../../../domain/account/events.ts';
import type { Recorded } from '../../../domain/shared/event.ts';
import type { TokenCreated, TokenEvent } from '../../../domain/token/events.ts';
import type { ReadModelView, VerifiedToken } from '../../ports/read-models.ts';
import type { ConcernedEvent } from '../concerns.ts';
import type { Findings } from '../findings.ts';
import { compareRows } from './compare.ts';
import type { Expectation } from './expectation.ts';

type Token = { -readonly [K in keyof VerifiedToken]: VerifiedToken[K] };

/** What each token may still spend and has spent, as the account of its owner has it. */
export class ExpectedTokens implements Expectation<'token-list'> {
  readonly name = 'token-list';
  readonly #tokens = new Map<string, Token>();

  see({ event }: Recorded<ConcernedEvent<'token-list'>>): void {
    switch (event.type) {
      case 'RequestCharged':
        this.#spend(event.data.call.tokenId, event.data.amount);
        return;
      case 'RequestRefunded':
        this.#spend(event.data.tokenId, -event.data.amount);
        return;
      case 'TokenBudgetSet':
        this.#setBudget(event.data);
        return;
      case 'TokenCreated':
        this.#create(event.data);
        return;
      default:
        this.#change(event);
        return;
    }
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

  #setBudget({ tokenId, remain, unlimited }: TokenBudgetSet['data']): void {
    const token = this.#tokens.get(String(tokenId));
    if (token === undefined) return;
    token.remain = remain;
    token.unlimited = unlimited;
  }

  #create({ tokenId: id, userId, terms }: TokenCreated['data']): void {
    const { remainQuota: remain, unlimitedQuota: unlimited } = terms;
    this.#tokens.set(String(id), { id, userId, status: 1, remain, used: 0, unlimited });
  }

  #change(event: Exclude<TokenEvent, TokenCreated>): void {
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
