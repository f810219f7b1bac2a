import { type TokenStatus, tokenStatus } from '../../domain/access/token-status.ts';
import { tokenKeyPlace } from '../../domain/shared/sealed.ts';
import type { TokenState } from '../../domain/token/decider.ts';
import { tokenStreamId } from '../../domain/token/stream.ts';
import type { Services } from '../services.ts';

type KnownToken = Exclude<TokenState, { status: 'absent' }>;

export const createTokenRecords = ({ accounts, clock, eventStore, vault }: Services) => {
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
    /** The token as its owner sees it, with what its books say now, in quota units. */
    recordOf: async (token: KnownToken) => {
      const { tokenId, userId, terms, sealedKey } = token;
      const budget = (await accounts.glance(userId))?.tokens.get(tokenId);
      const createdTime = await createdAt(tokenId);
      const remain = budget?.remain ?? terms.remainQuota;
      return {
        id: tokenId,
        user_id: userId,
        key: vault.unseal(sealedKey, tokenKeyPlace(tokenId)),
        name: terms.name,
        status: statusOf(token, remain),
        created_time: createdTime,
        accessed_time: createdTime,
        expired_time: terms.expiredTime,
        remain_quota: remain,
        used_quota: budget?.used ?? 0,
        unlimited_quota: terms.unlimitedQuota,
        model_limits_enabled: terms.modelLimitsEnabled,
        model_limits: terms.modelLimits.join(','),
        allow_ips: terms.allowIps.join('\n'),
        group: terms.group,
        DeletedAt: null,
      };
    },
  };
};
