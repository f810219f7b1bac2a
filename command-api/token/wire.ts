import { type TokenStatus, tokenStatus } from '../../domain/access/token-status.ts';
import { allNamed } from '../../domain/shared/fields.ts';
import { tokenKeyPlace } from '../../domain/shared/sealed.ts';
import type { TokenState } from '../../domain/token/decider.ts';
import { tokenStreamId } from '../../domain/token/stream.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import type { Accounts } from '../keeper/accounts.ts';

type Deps = Readonly<{
  eventStore: EventStore;
  vault: Vault;
  clock: Clock;
  accounts: Accounts;
}>;

type KnownToken = Exclude<TokenState, { status: 'absent' }>;

export const createTokenRecords = ({ accounts, clock, eventStore, vault }: Deps) => {
  const createdAt = async (tokenId: number): Promise<number> => {
    const first = { maxCount: 1 };
    for await (const { metadata } of eventStore.readStream(tokenStreamId(tokenId), first)) {
      return Math.floor(Date.parse(metadata.occurredAt) / 1_000);
    }
    return 0;
  };

  const statusOf = ({ status, terms }: KnownToken, remainQuota: number): TokenStatus => {
    const nowSeconds = Math.floor(clock().getTime() / 1_000);
    return tokenStatus({ ...terms, isEnabled: status === 'enabled', remainQuota }, nowSeconds);
  };

  return {
    /** The token as its owner sees it, with the state of its account now, in quota units. */
    recordOf: async (token: KnownToken) => {
      const { tokenId, userId, terms, sealedKey } = token;
      const { name, group, expiredTime, unlimitedQuota, remainQuota, ...limits } = terms;
      const { modelLimitsEnabled, modelLimits, allowIps, ...ofCalls } = limits;
      const { requestsPerMinute, tokensPerMinute, concurrentRequests, ...rest } = ofCalls;
      allNamed(rest);
      const budget = (await accounts.summary(userId))?.tokens.get(tokenId);
      const createdTime = await createdAt(tokenId);
      const remain = budget?.remain ?? remainQuota;
      return {
        id: tokenId,
        user_id: userId,
        key: vault.unseal(sealedKey, tokenKeyPlace(tokenId)),
        name,
        status: statusOf(token, remain),
        created_time: createdTime,
        accessed_time: createdTime,
        expired_time: expiredTime,
        remain_quota: remain,
        used_quota: budget?.used ?? 0,
        unlimited_quota: unlimitedQuota,
        model_limits_enabled: modelLimitsEnabled,
        model_limits: modelLimits.join(','),
        allow_ips: allowIps.join('\n'),
        group,
        requests_per_minute: requestsPerMinute ?? 0,
        tokens_per_minute: tokensPerMinute ?? 0,
        concurrent_requests: concurrentRequests ?? 0,
        DeletedAt: null,
      };
    },
  };
};
