import type { AccountEvent } from '../../domain/account/events.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { LedgerKind } from '../contract/ledger.ts';
import { projector } from '../runtime/projector.ts';
import type { Writers } from '../runtime/table.ts';
import { dayOf, secondsOf } from '../shared/time.ts';
import { grantLease, readOpenLeases, releaseLease, spendLease } from './leases.ts';
import { type LedgerRow, ledgerTables } from './table.ts';

type Movement = Pick<LedgerRow, 'user_id' | 'delta' | 'balance_after'> &
  Partial<Omit<LedgerRow, 'position' | 'event_id' | 'at' | 'kind' | 'actor_kind' | 'actor_id'>>;

/** Enters one movement, and carries the account and the count of the day along. */
const enter = (
  rows: Writers<typeof ledgerTables>,
  recorded: Recorded & { event: { type: LedgerKind } },
  movement: Movement,
): void => {
  const at = secondsOf(recorded);
  const { user_id, balance_after } = movement;
  const kind = recorded.event.type;
  const { actor } = recorded.metadata;
  rows.entries.insert({
    position: Number(recorded.position),
    event_id: recorded.eventId,
    at,
    kind,
    request_id: '',
    token_id: 0,
    model_name: '',
    channel_id: 0,
    reason_kind: null,
    reason: '',
    reference: '',
    actor_kind: actor.kind,
    actor_id: actor.id,
    price: null,
    lease_id: '',
    ...movement,
  });
  rows.accounts.patch(user_id, { balance: balance_after });
  rows.days.accumulate({ user_id, day: dayOf(at), kind, count: 1 });
};

/** Answers: what moved the balance of an account, by how much, why, and who caused it? */
export const ledgerProjector = projector<AccountEvent>()({
  name: 'ledger',
  version: 2,
  tables: ledgerTables,
  prepare: readOpenLeases,
  on: {
    AccountOpened: ({ accounts }, { event: { data } }) =>
      accounts.put({ user_id: data.userId, balance: 0, used: 0 }),
    QuotaGranted: (rows, recorded) => {
      const { userId, amount, balanceAfter, source, reference, payment } = recorded.event.data;
      enter(rows, recorded, {
        user_id: userId,
        delta: amount,
        balance_after: balanceAfter,
        reason: source,
        reference: payment ? `${reference} / ${payment.providerReference}` : reference,
      });
    },
    QuotaAdjusted: (rows, recorded) => {
      const { userId, delta, balanceAfter, reason } = recorded.event.data;
      enter(rows, recorded, {
        user_id: userId,
        delta,
        balance_after: balanceAfter,
        reason_kind: reason.kind,
        reason: reason.note ?? '',
      });
    },
    QuotaLeased: grantLease,
    LeaseReturned: releaseLease,
    LeaseExpired: releaseLease,
    RequestCharged: (rows, recorded, leases) => {
      const { userId, amount, balanceAfter, call, usage, quote, end } = recorded.event.data;
      spendLease(rows, recorded, leases);
      enter(rows, recorded, {
        user_id: userId,
        delta: -amount,
        balance_after: balanceAfter,
        request_id: call.requestId,
        token_id: call.tokenId,
        model_name: call.model,
        channel_id: call.channelId,
        reason: end === 'complete' ? '' : end,
        price: JSON.stringify({ usage, quote }),
        lease_id: recorded.event.data.leaseId ?? '',
      });
      rows.accounts.add(userId, { used: amount });
    },
    RequestRefunded: (rows, recorded) => {
      const { userId, amount, balanceAfter, requestId, tokenId, reason } = recorded.event.data;
      enter(rows, recorded, {
        user_id: userId,
        delta: amount,
        balance_after: balanceAfter,
        request_id: requestId,
        token_id: tokenId,
        reason,
      });
      rows.accounts.add(userId, { used: -amount });
    },
    RequestAbandoned: 'ignored',
    TokenBudgetSet: 'ignored',
    UsageNumberSkipped: 'ignored',
    ProducerClosed: 'ignored',
    TokenBudgetClosed: 'ignored',
    ReferralRewarded: 'ignored',
    ReferralRewardTransferred: (rows, recorded) => {
      const { userId, amount, balanceAfter } = recorded.event.data;
      enter(rows, recorded, { user_id: userId, delta: amount, balance_after: balanceAfter });
    },
    CorrectionPosted: (rows, recorded) => {
      const { userId, delta, balanceAfter, corrects, reason, reference } = recorded.event.data;
      enter(rows, recorded, {
        user_id: userId,
        delta,
        balance_after: balanceAfter,
        reason: reference === undefined ? reason : `${reason} (${reference})`,
        reference: corrects.join(','),
      });
    },
  },
});
