import { tokenIdOf, userIdOf } from '../history.ts';
import type { World } from '../world/world.ts';
import { costOf } from './calculator.ts';
import type { AccountBook, Ledger } from './ledger.ts';
import type { CallTruth } from './truth.ts';
import type { Violations } from './violations.ts';

/** A balance that is lowered recalls leases: after this long no relay admits on what it held. */
const recallMs = 1_500;
/** The same where a machine cannot be reached: its leases run out. */
const recallWhileDisturbedMs = ({ leases }: World): number => leases.ttlMs + 2_000;

const takenBy = ({ due, reserved }: CallTruth): number => due ?? reserved;

/**
 * A stream that cannot be funded ends: it may run for this long until that is decided, since the
 * keeper first recalls what others hold, for up to 900 ms. The calls of a simulation do not stop
 * reading meanwhile.
 */
const cutOffMs = 1_500;

/**
 * What a stream may cost beyond its reservations: one read, what arrives during a lease request,
 * and a prompt that was taken for shorter, which shows at the end.
 */
const overrunOf = ({ plan, price }: CallTruth, preConsumedTokens: number): number => {
  if (price === null) return 0;
  const { outputTokens, chunks, takesMs, promptTokens, promptEstimate } = plan;
  // A turn of a session is reserved by its output alone.
  const isReserved = plan.session !== undefined && outputTokens <= preConsumedTokens;
  const output = isReserved
    ? 0
    : Math.ceil(outputTokens / chunks + (outputTokens * cutOffMs) / takesMs);
  const prompt = Math.max(0, promptTokens - promptEstimate);
  return costOf(price, { prompt, cached: 0, output });
};

/** Both parts of a reservation are rounded by themselves. */
const roundedUnits = 2;

/** What is read from a cache is reserved, so it explains nothing: only prompt and output do. */
const beyondCache = (call: CallTruth, preConsumedTokens: number): number => {
  const { due, price, plan, cacheTokens } = call;
  if (cacheTokens === 0 || price === null || due === null) return Number.POSITIVE_INFINITY;
  const { promptEstimate, limit } = plan;
  const needed = {
    prompt: promptEstimate + cacheTokens,
    cached: cacheTokens,
    output: limit ?? preConsumedTokens,
  };
  return Math.max(0, due - costOf(price, needed) + roundedUnits);
};

const underestimated = (call: CallTruth, preConsumedTokens: number): number => {
  const { due, reserved, plan } = call;
  if (due === null || due <= reserved) return 0;
  const beyond = Math.min(due - reserved, beyondCache(call, preConsumedTokens));
  return plan.chunks === 0 ? beyond : Math.min(beyond, overrunOf(call, preConsumedTokens));
};

/**
 * No account and no token falls below zero by more than what was in flight and underestimated: what
 * calls cost beyond their reservations, calls under way when quota was taken away, and those of a
 * relay that was given up and returned. And no call is admitted on a lease that has expired.
 */
export class OverdraftCheck {
  readonly #world: World;
  readonly #violations: Violations;
  /** A log from a backup has no newer leases. */
  isOff = false;

  constructor(world: World, ledger: Ledger, violations: Violations) {
    this.#world = world;
    this.#violations = violations;
    const onMoved = (book: AccountBook): void => this.#check(book);
    ledger.onMoved = onMoved;
  }

  #check(book: AccountBook): void {
    if (this.isOff) return;
    this.#checkFence(book);
    if (book.balance < 0) this.#compare(book, null, -book.balance);
    for (const [tokenId, remain] of book.tokens) {
      if (remain !== null && remain < 0) this.#compare(book, tokenId, -remain);
    }
  }

  #checkFence({ chargedAfterExpiry }: AccountBook): void {
    for (const [requestId, expiredAt] of chargedAfterExpiry) {
      const admittedAt = this.#world.truth.byRequest(requestId)?.admittedAt ?? 0;
      if (admittedAt <= expiredAt) continue;
      const lateMs = Math.round(admittedAt - expiredAt);
      const detail = `${requestId} was admitted ${lateMs} ms after its lease had expired`;
      this.#violations.add('admitted-on-expired', detail);
    }
  }

  #compare(book: AccountBook, tokenId: number | null, below: number): void {
    const allowed = this.#allowed(book, tokenId);
    if (below <= allowed) return;
    const whose = tokenId === null ? `account ${book.userId}` : `token ${tokenId}`;
    this.#violations.add(
      'overdrawn',
      `${whose} is ${below} below zero, ${allowed} can be explained`,
    );
  }

  #allowed(book: AccountBook, tokenId: number | null): number {
    const own = book.lowerings.filter((lowering) => lowering.tokenId === tokenId);
    let sum = own.reduce((total, { below }) => total + below, 0);
    for (const call of this.#world.truth.calls) {
      const { plan, admittedAt } = call;
      if (admittedAt === null || userIdOf(plan.customer) !== book.userId) continue;
      if (tokenId !== null && tokenIdOf(plan.customer, plan.token) !== tokenId) continue;
      if (this.#wasGivenUp(book, call) || this.#wasLoweredUnder(book, tokenId, call))
        sum += takenBy(call);
      else sum += underestimated(call, this.#world.history.setup.preConsumedTokens);
    }
    return sum;
  }

  /** Its relay was silent for two terms while it ran, with a reason for that. */
  #wasGivenUp({ chargedAfterExpiry }: AccountBook, { requestId, admittedAt }: CallTruth): boolean {
    const expiredAt = chargedAfterExpiry.get(requestId);
    if (expiredAt === undefined || (admittedAt ?? 0) > expiredAt) return false;
    const { calmSince, leases } = this.#world;
    return calmSince > expiredAt - 2 * leases.ttlMs;
  }

  /** Admitted before a lowering could reach its relay, and charged after it. */
  #wasLoweredUnder(book: AccountBook, tokenId: number | null, call: CallTruth): boolean {
    const { admittedAt, requestId } = call;
    const chargedAt = book.chargedAt.get(requestId) ?? Number.POSITIVE_INFINITY;
    return book.lowerings.some((lowering) => {
      if (lowering.tokenId !== tokenId) return false;
      const whileDisturbedMs = recallWhileDisturbedMs(this.#world);
      const isDisturbed = this.#world.calmSince > lowering.at - whileDisturbedMs;
      const graceMs = isDisturbed ? whileDisturbedMs : recallMs;
      return (admittedAt ?? 0) <= lowering.at + graceMs && chargedAt >= lowering.at;
    });
  }
}
