import type { AccountEvent, RequestCharged } from '../../../domain/account/events.ts';
import { usedAnything } from '../../../domain/pricing/counts.ts';
import type { Recorded } from '../../../domain/shared/event.ts';
import type { ReadModelView, VerifiedUser } from '../../ports/read-models.ts';
import { movementOf } from '../account-types.ts';
import type { ConcernedEvent } from '../concerns.ts';
import type { Findings } from '../findings.ts';
import { compareRows } from './compare.ts';
import type { Expectation } from './expectation.ts';

type Concerned = ConcernedEvent<'user-list'>;
type User = { -readonly [K in keyof VerifiedUser]: VerifiedUser[K] };

/** Calls that used nothing and cost nothing do not count. */
const countsAsRequest = ({ data }: RequestCharged): boolean =>
  data.amount > 0 || usedAnything(data.usage);

/** Which people there are, their role and status, and the sums of their account. */
export class ExpectedUsers implements Expectation<'user-list'> {
  readonly name = 'user-list';
  readonly #users = new Map<string, User>();

  see({ event }: Recorded<Concerned>): void {
    if (event.type === 'UserRegistered') {
      this.#register(event.data);
      return;
    }
    const user = this.#users.get(String(event.data.userId));
    if (user !== undefined) this.#change(user, event);
  }

  compare(view: ReadModelView, findings: Findings): Promise<number> {
    return compareRows<VerifiedUser>({
      findings,
      table: 'user_list.users',
      rows: view.users(),
      expected: new Map(this.#users),
      keyOf: ({ id }) => String(id),
    });
  }

  #register({
    userId: id,
    role,
    group,
  }: Readonly<{ userId: number; role: number; group: string }>) {
    const nothing = { quota: 0, usedQuota: 0, requestCount: 0 };
    this.#users.set(String(id), { id, role, group, status: 1, deleted: false, ...nothing });
  }

  #change(user: User, event: Exclude<Concerned, { type: 'UserRegistered' }>): void {
    switch (event.type) {
      case 'UserGroupChanged':
        user.group = event.data.group;
        return;
      case 'UserPromoted':
      case 'UserDemoted':
        user.role = event.data.role;
        return;
      case 'UserDisabled':
        user.status = 2;
        return;
      case 'UserEnabled':
        user.status = 1;
        return;
      case 'UserDeleted':
        user.deleted = true;
        return;
      default:
        this.#move(user, event);
    }
  }

  #move(user: User, event: Extract<AccountEvent, Concerned>): void {
    user.quota += movementOf(event);
    if (event.type === 'RequestCharged') {
      user.usedQuota += event.data.amount;
      if (countsAsRequest(event)) user.requestCount += 1;
    }
    if (event.type === 'RequestRefunded') user.usedQuota -= event.data.amount;
  }
}
