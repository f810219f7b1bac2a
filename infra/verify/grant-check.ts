import type { QuotaGranted } from '../../domain/account/events.ts';
import type { RedemptionRedeemed } from '../../domain/redemption/events.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import { type Check, timeOf } from './check.ts';
import { CompactIds } from './compact-ids.ts';
import type { ConcernedEvent } from './concerns.ts';
import type { Findings } from './findings.ts';

type Redeemed = Readonly<{
  quota: number;
  userId: number;
  eventId: string;
  streamId: string;
  atMs: number;
}>;

/** The process that grants what a code holds has this long before its absence is a break. */
const graceMs = 60_000;

/**
 * What is granted has one cause, and each cause grants once: a code is redeemed once and its quota
 * granted once, an order is credited once, a sign-up is rewarded once. Remembers each redeemed code.
 */
export class GrantCheck implements Check<'grants'> {
  readonly #findings: Findings;
  readonly #redeemed = new Map<string, Redeemed>();
  readonly #grants = new CompactIds({ amounts: false });

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  see(recorded: Recorded<ConcernedEvent<'grants'>>): void {
    const { event } = recorded;
    switch (event.type) {
      case 'RedemptionRedeemed':
        this.#redeem(recorded, event.data);
        return;
      case 'QuotaGranted':
        this.#grant(recorded, event.data);
        return;
    }
  }

  end(now: number): void {
    for (const [id, { eventId, streamId, userId, quota, atMs }] of this.#redeemed) {
      if (this.#grants.markOf(`redemption/${id}`) !== 0 || now - atMs < graceMs) continue;
      const detail = `code ${id} was redeemed by user ${userId}, and its ${quota} units were not granted`;
      this.#findings.ofEarlier('redemption-not-granted', { eventId, streamId, detail });
    }
  }

  #redeem(recorded: Recorded, data: RedemptionRedeemed['data']): void {
    const { redemptionId, quota, redeemedBy: userId } = data;
    const id = String(redemptionId);
    if (this.#redeemed.has(id)) {
      this.#findings.ofEvent('redeemed-twice', recorded, `code ${id} was redeemed before`);
      return;
    }
    const { eventId, streamId } = recorded;
    this.#redeemed.set(id, { quota, userId, eventId, streamId, atMs: timeOf(recorded) });
  }

  #grant(recorded: Recorded, data: QuotaGranted['data']): void {
    const { source, reference, userId, amount } = data;
    if (source === 'referral-transfer') return;
    const isOnce = source === 'redemption' || source === 'topup';
    const cause = isOnce ? `${source}/${reference}` : `${source}/${reference}/${userId}`;
    if (this.#grants.mark(cause, 1) !== 0) {
      const detail = `${source} ${reference} was granted to user ${userId} before`;
      this.#findings.ofEvent('granted-twice', recorded, detail);
      return;
    }
    if (source !== 'redemption') return;
    const redeemed = this.#redeemed.get(reference);
    if (redeemed?.quota === amount && redeemed.userId === userId) return;
    const detail =
      redeemed === undefined
        ? `code ${reference} was not redeemed`
        : `code ${reference} is for ${redeemed.quota} units and user ${redeemed.userId}`;
    this.#findings.ofEvent('grant-without-redemption', recorded, detail);
  }
}
