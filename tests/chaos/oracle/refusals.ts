import type { Seen } from '../load.ts';
import type { Logged } from '../log-reader.ts';
import { maxReserved } from '../numbered-call.ts';
import { movementOf } from './account.ts';

const quotaCodes: readonly string[] = ['insufficient_quota'];

export const isQuotaRefusal = ({ code }: Pick<Seen, 'code'>): boolean => quotaCodes.includes(code);

export type RefusalEvidence = Readonly<{
  seen: readonly Seen[];
  accounts: ReadonlyMap<number, readonly Logged[]>;
  /** True while nothing is disturbed, nor was for as long as leases of silent relays are kept. */
  isCalm: (from: number, to: number) => boolean;
}>;

/** For so long a relay may take the newest answer of its keeper for the truth, and a log reader lag. */
const lagMs = 1_500;
/** A call without a charge has given back its reservation by then; one that was refused held none. */
const returnedMs = 2_000;

type Step = Readonly<{ at: number; balance: number; tokens: ReadonlyMap<number, number> }>;

/** Balance and budgets after each event. */
const stepsOf = (events: readonly Logged[]): readonly Step[] => {
  let balance = 0;
  let tokens = new Map<number, number>();
  return events.map(({ event, seenAt: at }) => {
    balance += movementOf(event);
    if (event.type === 'TokenBudgetSet' && !event.data.unlimited) {
      tokens = new Map(tokens).set(event.data.tokenId, event.data.remain);
    }
    if (event.type === 'RequestCharged') {
      const { tokenId } = event.data.call;
      const left = tokens.get(tokenId);
      if (left !== undefined) tokens = new Map(tokens).set(tokenId, left - event.data.amount);
    }
    return { at, balance, tokens };
  });
};

const chargeTimes = (events: readonly Logged[]): ReadonlyMap<string, number> =>
  new Map(
    events.flatMap(({ event, seenAt }) =>
      event.type === 'RequestCharged' ? [[event.data.call.requestId, seenAt] as const] : [],
    ),
  );

class AccountRefusals {
  readonly #steps: readonly Step[];
  readonly #chargedAt: ReadonlyMap<string, number>;
  readonly #calls: readonly Seen[];

  constructor(events: readonly Logged[], calls: readonly Seen[]) {
    this.#steps = stepsOf(events);
    this.#chargedAt = chargeTimes(events);
    this.#calls = calls;
  }

  /** The least that was free for this call while it was under way. */
  free(call: Seen): number {
    const from = call.sentAt - lagMs;
    const before = this.#steps.filter(({ at }) => at <= from).at(-1);
    const during = this.#steps.filter(({ at }) => at > from && at <= call.endedAt + lagMs);
    const steps = before === undefined ? during : [before, ...during];
    const ofAccount = Math.min(...steps.map(({ balance }) => balance)) - this.#taken(call, null);
    const budgets = steps.flatMap(({ tokens }) => tokens.get(call.tokenId) ?? []);
    if (budgets.length === 0) return ofAccount;
    return Math.min(ofAccount, Math.min(...budgets) - this.#taken(call, call.tokenId));
  }

  /** What other calls held, or had not been charged yet. */
  #taken(call: Seen, tokenId: number | null): number {
    const others = this.#calls.filter(
      (other) =>
        other !== call &&
        (tokenId === null || other.tokenId === tokenId) &&
        other.sentAt <= call.endedAt &&
        this.#heldUntil(other) >= call.sentAt - lagMs,
    );
    return others.length * maxReserved;
  }

  #heldUntil(call: Seen): number {
    const { requestId, status, endedAt } = call;
    const chargedAt = this.#chargedAt.get(requestId);
    if (chargedAt !== undefined) return chargedAt;
    if (isQuotaRefusal(call)) return endedAt - lagMs;
    return status === null ? Number.POSITIVE_INFINITY : endedAt + returnedMs;
  }
}

/** Refusals for lack of quota while what was available covered the call. */
export const wrongRefusals = ({
  seen,
  accounts,
  isCalm,
}: RefusalEvidence): Readonly<{ checked: number; wrong: readonly string[] }> => {
  const wrong: string[] = [];
  let checked = 0;
  for (const [userId, events] of accounts) {
    const calls = seen.filter((call) => call.userId === userId);
    const account = new AccountRefusals(events, calls);
    for (const call of calls) {
      if (!isQuotaRefusal(call) || !isCalm(call.sentAt - lagMs, call.endedAt)) continue;
      checked += 1;
      const free = account.free(call);
      if (free < maxReserved) continue;
      wrong.push(`call ${call.n} of user ${userId} (${call.code}): ${free} units were free`);
    }
  }
  return { checked, wrong };
};
