import type {
  AccountEvent,
  RequestCharged,
  RequestRefunded,
} from '../../../domain/account/events.ts';
import type { Recorded } from '../../../domain/shared/event.ts';
import type { SimLog } from '../log/sim-log.ts';

export type Charge = Readonly<{
  requestId: string;
  amount: number;
  tokenId: number;
  at: number;
  data: RequestCharged['data'];
}>;
type Lease = { readonly relayId: string; amount: number; spent: number };
/** Something other than a charge took quota away. */
type Lowering = Readonly<{
  at: number;
  tokenId: number | null;
  /** By how much it alone took the balance below zero. */
  below: number;
}>;

export type AccountBook = {
  readonly userId: number;
  balance: number;
  /** null: unlimited. */
  readonly tokens: Map<number, number | null>;
  /** Deleted: what is left of them cannot be spent. */
  readonly closedTokens: Set<number>;
  readonly leases: Map<string, Lease>;
  readonly charges: Charge[];
  /** Request id → time of its first charge in the log. */
  readonly chargedAt: Map<string, number>;
  readonly lowerings: Lowering[];
  /** Lease → when its relay was given up. */
  readonly expiredLeases: Map<string, number>;
  /** Request → the same, of the lease that it was charged to: its quota was others' by then. */
  readonly chargedAfterExpiry: Map<string, number>;
  /** Request id or event id → what was given back for it, less what was taken. */
  readonly givenBack: Map<string, number>;
  /** Task → what was returned because of how it ended. */
  readonly refundedTasks: Map<string, number>;
  readonly grants: Map<string, number>;
  /** When balance, a budget or a grant last changed by other than a charge. */
  changedAt: number;
};

const newBook = (userId: number): AccountBook => ({
  userId,
  balance: 0,
  tokens: new Map(),
  closedTokens: new Set(),
  leases: new Map(),
  charges: [],
  chargedAt: new Map(),
  lowerings: [],
  expiredLeases: new Map(),
  chargedAfterExpiry: new Map(),
  givenBack: new Map(),
  refundedTasks: new Map(),
  grants: new Map(),
  changedAt: 0,
});

const addTo = (map: Map<string, number>, key: string, amount: number): void => {
  map.set(key, (map.get(key) ?? 0) + amount);
};

const spend = (book: AccountBook, tokenId: number, amount: number): void => {
  const remain = book.tokens.get(tokenId);
  if (remain !== undefined && remain !== null) book.tokens.set(tokenId, remain - amount);
};

const charge = (book: AccountBook, data: RequestCharged['data'], at: number): void => {
  const { amount, call, leaseId } = data;
  const { requestId, tokenId } = call;
  book.balance -= amount;
  spend(book, tokenId, amount);
  const lease = leaseId === null ? undefined : book.leases.get(leaseId);
  if (lease !== undefined) lease.spent += amount;
  const expiredAt = leaseId === null ? undefined : book.expiredLeases.get(leaseId);
  if (expiredAt !== undefined) book.chargedAfterExpiry.set(requestId, expiredAt);
  book.charges.push({ requestId, amount, tokenId, at, data });
  if (!book.chargedAt.has(requestId)) book.chargedAt.set(requestId, at);
};

const refund = (
  book: AccountBook,
  { requestId, tokenId, amount, reason }: RequestRefunded['data'],
): void => {
  book.balance += amount;
  spend(book, tokenId, -amount);
  addTo(book.givenBack, requestId, amount);
  if (reason.startsWith('task.')) addTo(book.refundedTasks, requestId, amount);
};

/** The movements of every account, added up from the log with nothing of the product's own fold. */
export class Ledger {
  readonly #now: () => number;
  readonly #books = new Map<number, AccountBook>();
  /** Called after each event that could overdraw. */
  onMoved: (book: AccountBook) => void = () => undefined;

  constructor(log: SimLog, now: () => number) {
    this.#now = now;
    this.#take(log.all);
    log.listen((events) => this.#take(events));
  }

  get books(): Iterable<AccountBook> {
    return this.#books.values();
  }

  book(userId: number): AccountBook {
    const known = this.#books.get(userId);
    if (known !== undefined) return known;
    const book = newBook(userId);
    this.#books.set(userId, book);
    return book;
  }

  /** The log is another one now: what it does not hold never was. */
  restart(log: SimLog): void {
    this.#books.clear();
    this.#take(log.all);
  }

  #take(events: readonly Recorded[]): void {
    for (const { event, streamId } of events) {
      if (!streamId.startsWith('account-')) continue;
      const known = event as AccountEvent;
      const book = this.book(known.data.userId);
      this.#apply(book, known);
      this.onMoved(book);
    }
  }

  #apply(book: AccountBook, event: AccountEvent): void {
    const at = this.#now();
    switch (event.type) {
      case 'QuotaGranted':
        book.balance += event.data.amount;
        addTo(book.grants, event.data.reference, event.data.amount);
        book.changedAt = at;
        return;
      case 'QuotaAdjusted':
        this.#moveByHand(book, event.data.delta);
        return;
      case 'CorrectionPosted':
        for (const id of event.data.corrects) addTo(book.givenBack, id, event.data.delta);
        this.#moveByHand(book, event.data.delta);
        return;
      case 'RequestRefunded':
        refund(book, event.data);
        book.changedAt = at;
        return;
      case 'RequestCharged':
        charge(book, event.data, at);
        return;
      case 'TokenBudgetSet': {
        const { tokenId, unlimited, remain } = event.data;
        book.tokens.set(tokenId, unlimited ? null : remain);
        book.lowerings.push({ at, tokenId, below: 0 });
        book.changedAt = at;
        return;
      }
      case 'TokenBudgetClosed':
        book.tokens.delete(event.data.tokenId);
        book.closedTokens.add(event.data.tokenId);
        return;
      case 'QuotaLeased': {
        const { leaseId, relayId, amount } = event.data;
        const lease = book.leases.get(leaseId);
        if (lease === undefined) book.leases.set(leaseId, { relayId, amount, spent: 0 });
        else lease.amount += amount;
        return;
      }
      case 'LeaseReturned': {
        const lease = book.leases.get(event.data.leaseId);
        if (lease === undefined) return;
        lease.amount -= event.data.unspent;
        if (event.data.closes) book.leases.delete(event.data.leaseId);
        return;
      }
      case 'LeaseExpired':
        book.leases.delete(event.data.leaseId);
        book.expiredLeases.set(event.data.leaseId, at);
        return;
      default:
        return;
    }
  }

  #moveByHand(book: AccountBook, delta: number): void {
    const at = this.#now();
    book.balance += delta;
    book.changedAt = at;
    const below = Math.max(0, Math.min(-delta, -book.balance));
    if (delta < 0) book.lowerings.push({ at, tokenId: null, below });
  }
}
