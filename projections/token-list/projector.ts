import type { AccountEvent } from '../../domain/account/events.ts';
import type { TokenEvent, TokenTerms } from '../../domain/token/events.ts';
import { projector } from '../runtime/projector.ts';
import { secondsOf } from '../shared/time.ts';
import { tokenListTables } from './table.ts';

const ownersTerms = (terms: TokenTerms) => ({
  name: terms.name,
  expired_time: terms.expiredTime,
  unlimited_quota: terms.unlimitedQuota,
  model_limits_enabled: terms.modelLimitsEnabled,
  model_limits: terms.modelLimits.join(','),
  allow_ips: terms.allowIps.join('\n'),
  group: terms.group,
});

/** Answers: which API tokens has a user, and what may each still spend? */
export const tokenListProjector = projector<TokenEvent | AccountEvent>()({
  name: 'token-list',
  version: 1,
  tables: tokenListTables,
  on: {
    TokenCreated: ({ tokens }, recorded) => {
      const { tokenId, userId, sealedKey, terms } = recorded.event.data;
      const seconds = secondsOf(recorded);
      tokens.put({
        id: tokenId,
        user_id: userId,
        sealed_key: sealedKey,
        status: 1,
        created_time: seconds,
        accessed_time: seconds,
        remain_quota: terms.remainQuota,
        used_quota: 0,
        ...ownersTerms(terms),
      });
    },
    // What may be spent follows from the account alone: an edit of the name must not set it back.
    TokenChanged: ({ tokens }, { event: { data } }) =>
      tokens.patch(data.tokenId, ownersTerms(data.terms)),
    TokenEnabled: ({ tokens }, { event: { data } }) => tokens.patch(data.tokenId, { status: 1 }),
    TokenDisabled: ({ tokens }, { event: { data } }) => tokens.patch(data.tokenId, { status: 2 }),
    TokenDeleted: ({ tokens }, { event: { data } }) => tokens.remove(data.tokenId),

    AccountOpened: 'ignored',
    QuotaGranted: 'ignored',
    QuotaAdjusted: 'ignored',
    QuotaLeased: 'ignored',
    LeaseReturned: 'ignored',
    LeaseExpired: 'ignored',
    RequestCharged: ({ tokens }, recorded) => {
      const { amount, call } = recorded.event.data;
      if (call.tokenId === 0) return;
      tokens.add(call.tokenId, { remain_quota: -amount, used_quota: amount });
      tokens.patch(call.tokenId, { accessed_time: secondsOf(recorded) });
    },
    RequestRefunded: ({ tokens }, { event: { data } }) => {
      if (data.tokenId === 0) return;
      tokens.add(data.tokenId, { remain_quota: data.amount, used_quota: -data.amount });
    },
    RequestAbandoned: 'ignored',
    TokenBudgetSet: ({ tokens }, { event: { data } }) =>
      tokens.patch(data.tokenId, { remain_quota: data.remain, unlimited_quota: data.unlimited }),
    TokenBudgetClosed: 'ignored',
    ReferralRewarded: 'ignored',
    ReferralRewardTransferred: 'ignored',
    CorrectionPosted: 'ignored',
  },
});
