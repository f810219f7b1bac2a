import type { AccountEvent } from '../../domain/account/events.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import { allNamed } from '../../domain/shared/fields.ts';
import type { TokenEvent, TokenTerms } from '../../domain/token/events.ts';
import type { PersonalKeyCreated, UserDeleted } from '../../domain/user/events.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { ReadVault } from '../../infra/ports/vault.ts';
import { type Projector, projector } from '../runtime/projector.ts';
import type { Place } from '../runtime/row-store.ts';
import { type Clearing, clear, type Departures } from '../shared/departures.ts';
import { type PersonalData, preparePersonalData } from '../shared/personal-data.ts';
import { secondsOf } from '../shared/time.ts';
import { tokenListTables } from './table.ts';

/** All terms but `remainQuota`, which follows from the account once the token is there. */
const ownersTerms = (terms: TokenTerms) => {
  const { name, group, expiredTime, unlimitedQuota, remainQuota: _, ...limits } = terms;
  const { modelLimitsEnabled, modelLimits, allowIps, ...ofCalls } = limits;
  const { requestsPerMinute, tokensPerMinute, concurrentRequests, ...rest } = ofCalls;
  allNamed(rest);
  return {
    name,
    expired_time: expiredTime,
    unlimited_quota: unlimitedQuota,
    model_limits_enabled: modelLimitsEnabled,
    model_limits: modelLimits.join(','),
    allow_ips: allowIps.join('\n'),
    group,
    requests_per_minute: requestsPerMinute ?? 0,
    tokens_per_minute: tokensPerMinute ?? 0,
    concurrent_requests: concurrentRequests ?? 0,
  };
};

type Context = Readonly<{ personal: PersonalData; departed: Departures }>;

type Deps = Readonly<{ vault: ReadVault; logger: Logger }>;

const prepare = (deps: Deps) => {
  const types = new Set<string>(['TokenCreated', 'TokenChanged'] satisfies TokenEvent['type'][]);
  const personalData = preparePersonalData(deps, types);
  return async (events: readonly Recorded[], place: Place): Promise<Context> => ({
    personal: await personalData(events, place),
    departed: new Set(),
  });
};

/** The tokens stay for the ledger, without personal data of their owner. */
const ofDeparted: readonly Clearing[] = [
  { table: 'tokens', set: "name = '', allow_ips = ''", where: 'user_id = ANY($1::int8[])' },
  { table: 'names', where: 'user_id = ANY($1::int8[])' },
];

/** Answers: which API tokens has a user, and what may each still spend? */
export const tokenListProjector = (deps: Deps): Projector =>
  projector<TokenEvent | AccountEvent | PersonalKeyCreated | UserDeleted>()({
    name: 'token-list',
    version: 3,
    tables: tokenListTables,
    prepare: prepare(deps),
    finish: ({ departed }) => clear(departed, ofDeparted),
    on: {
      PersonalKeyCreated: ({ keys }, { event: { data } }, { personal }) => {
        personal.learn(data.userId, data.wrappedKey);
        keys.put({ user_id: data.userId, wrapped_key: data.wrappedKey });
      },
      UserDeleted: ({ keys }, { event: { data } }, { departed }) => {
        departed.add(data.userId);
        keys.remove(data.userId);
      },
      TokenCreated: ({ tokens, names }, recorded, { personal }) => {
        const { tokenId, userId, sealedKey, terms } = personal.whole(recorded.event);
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
        names.put({ token_id: tokenId, user_id: userId, name: terms.name });
      },
      // What may be spent follows from the account alone: an edit of the name must not set it back.
      TokenChanged: ({ tokens, names }, { event }, { personal }) => {
        const { tokenId, userId, terms } = personal.whole(event);
        tokens.patch(tokenId, ownersTerms(terms));
        names.put({ token_id: tokenId, user_id: userId, name: terms.name });
      },
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
      UsageNumberSkipped: 'ignored',
      ProducerClosed: 'ignored',
      TokenBudgetClosed: 'ignored',
      ReferralRewarded: 'ignored',
      ReferralRewardTransferred: 'ignored',
      CorrectionPosted: 'ignored',
    },
  });
