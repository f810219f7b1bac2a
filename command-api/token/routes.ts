import { isExpired } from '../../domain/access/token-status.ts';
import { optionText } from '../../domain/option/read.ts';
import { type Rejected, reject } from '../../domain/shared/decider.ts';
import type { TokenId } from '../../domain/shared/ids.ts';
import { tokenKeyPlace } from '../../domain/shared/sealed.ts';
import { type TokenState, tokenDecider } from '../../domain/token/decider.ts';
import { tokenKeyClaimStreamId, tokenStreamId } from '../../domain/token/stream.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import { apiKeyHash } from '../../infra/web/api-key.ts';
import { randomText } from '../../infra/web/request-id.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import type { tokenApi } from '../contract/token.ts';
import { type Answer, ok, okLater } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import type { RejectionCode } from '../http/rejection-messages.ts';
import type { CallTo, Handlers } from '../http/routes.ts';
import type { Claims } from '../identity/claims.ts';
import type { NewId } from '../identity/repeatable-ids.ts';
import type { Accounts } from '../keeper/accounts.ts';
import type { SiteOptions } from '../options/site-options.ts';
import { derivedMetadata } from '../shared/metadata.ts';
import { termsFrom, type WireTerms } from './terms.ts';
import { createTokenRecords } from './wire.ts';

type Deps = Readonly<{
  eventStore: EventStore;
  vault: Vault;
  clock: Clock;
  commands: CommandHandler;
  accounts: Accounts;
  newId: NewId;
  claims: Claims;
  options: SiteOptions;
}>;

type KnownToken = Exclude<TokenState, { status: 'absent' }>;
type QuotaFields = Readonly<{ remain_quota?: number | null; remain_quota_seen?: number | null }>;

/** Characters of a key; clients put `sk-` before it. */
const keyLength = 48;

export const createTokenRoutes = (deps: Deps): Handlers<typeof tokenApi> => {
  const { accounts, claims, clock, commands, newId, options, vault } = deps;
  const records = createTokenRecords(deps);

  const ownToken = async (call: Call, tokenId: TokenId): Promise<KnownToken | null> => {
    const { state } = await commands.load(tokenDecider, tokenStreamId(tokenId));
    if (state.status === 'absent' || state.status === 'deleted') return null;
    return state.userId === call.caller.userId ? state : null;
  };

  /** A token may act for the owner's own group and for those that any user may pick. */
  const groupProblem = async (call: Call, group: string): Promise<RejectionCode | null> => {
    if (group === '' || group === call.caller.group) return null;
    const usable: unknown = JSON.parse(
      optionText((await options.state()).options, 'UserUsableGroups'),
    );
    const isUsable = typeof usable === 'object' && usable !== null && Object.hasOwn(usable, group);
    return isUsable ? null : 'token.group-not-usable';
  };

  const termsProblem = async (
    call: Call,
    wire: WireTerms,
  ): Promise<Rejected<RejectionCode> | null> => {
    const { group, expiredTime } = termsFrom(wire);
    const nowSeconds = Math.floor(clock().getTime() / 1_000);
    if (isExpired(expiredTime, nowSeconds)) return reject('token.expiry-in-past');
    const problem = await groupProblem(call, group);
    return problem === null ? null : reject(problem, { group });
  };

  const create = async (call: CallTo<'POST /api/token/'>) => {
    const wire = call.body;
    const problem = await termsProblem(call, wire);
    if (problem) return problem;
    const { userId } = call.caller;
    const key = randomText(keyLength);
    const keyHash = apiKeyHash(key);
    const tokenId = await newId('token', call);
    await claims.claim(
      {
        kind: 'tokenKey',
        streamId: tokenKeyClaimStreamId(keyHash),
        ownerId: tokenId,
        ownerStreamId: tokenStreamId(tokenId),
      },
      derivedMetadata(call.metadata, 'token-key'),
    );
    const sealedKey = vault.seal(key, tokenKeyPlace(tokenId));
    const result = await call.perform(tokenDecider, tokenStreamId(tokenId), {
      type: 'CreateToken',
      data: { tokenId, userId, sealedKey, keyHash, terms: termsFrom(wire) },
    });
    return result.kind === 'rejected' ? result : ok();
  };

  /**
   * A form sends the figure that it showed together with everything else. Only a figure that
   * differs from the one that was seen, or from what is left, changes the budget.
   */
  const budgetOf = async (
    { userId, tokenId, terms }: KnownToken,
    wire: QuotaFields,
  ): Promise<Readonly<{ remain: number; setsBudget: boolean }>> => {
    const wanted = wire.remain_quota ?? 0;
    const budget = (await accounts.summary(userId))?.tokens.get(tokenId);
    const left = budget?.remain ?? terms.remainQuota;
    const seen = wire.remain_quota_seen;
    if (typeof seen !== 'number') return { remain: wanted, setsBudget: wanted !== left };
    return { remain: Math.max(0, left + wanted - seen), setsBudget: wanted !== seen };
  };

  const enable = async (call: Call, { tokenId, userId, terms }: KnownToken): Promise<Answer> => {
    const budget = (await accounts.summary(userId))?.tokens.get(tokenId);
    const { unlimited, remain } = budget ?? {
      unlimited: terms.unlimitedQuota,
      remain: terms.remainQuota,
    };
    const exhausted = !unlimited && remain <= 0;
    const result = await call.perform(tokenDecider, tokenStreamId(tokenId), {
      type: 'EnableToken',
      data: {
        tokenId,
        userId: call.caller.userId,
        nowSeconds: Math.floor(clock().getTime() / 1_000),
        exhausted,
      },
    });
    return result.kind === 'rejected' ? result : ok();
  };

  const recordLater = (call: Call, tokenId: TokenId) =>
    okLater(async () => {
      const token = await ownToken(call, tokenId);
      return token ? records.recordOf(token) : null;
    });

  type ChangeCall = CallTo<'PUT /api/token/'>;

  const changeStatus = async (call: ChangeCall) => {
    const { id: tokenId, status } = call.statusBody;
    const token = await ownToken(call, tokenId);
    if (!token) return reject('token.unknown');
    if (status === 1) {
      const enabled = await enable(call, token);
      return enabled.kind === 'rejected' ? enabled : recordLater(call, tokenId);
    }
    const result = await call.perform(tokenDecider, tokenStreamId(tokenId), {
      type: 'DisableToken',
      data: { tokenId, userId: call.caller.userId },
    });
    return result.kind === 'rejected' ? result : recordLater(call, tokenId);
  };

  const changeTerms = async (call: ChangeCall) => {
    const { body } = call;
    const { id: tokenId } = body;
    const token = await ownToken(call, tokenId);
    if (!token) return reject('token.unknown');
    const isOldExpiry = body.expired_time === token.terms.expiredTime;
    const problem = await termsProblem(call, isOldExpiry ? { ...body, expired_time: -1 } : body);
    if (problem) return problem;
    const { remain, setsBudget } = await budgetOf(token, {
      remain_quota: body.remain_quota ?? null,
      remain_quota_seen: body.remain_quota_seen ?? null,
    });
    const result = await call.perform(tokenDecider, tokenStreamId(tokenId), {
      type: 'ChangeToken',
      data: {
        tokenId,
        userId: call.caller.userId,
        terms: termsFrom({ ...body, remain_quota: remain }, token.terms),
        setsBudget,
      },
    });
    return result.kind === 'rejected' ? result : recordLater(call, tokenId);
  };

  const remove = async (call: CallTo<'DELETE /api/token/:id'>) => {
    const { id: tokenId } = call.params;
    const result = await call.perform(tokenDecider, tokenStreamId(tokenId), {
      type: 'DeleteToken',
      data: { tokenId, userId: call.caller.userId },
    });
    return result.kind === 'rejected' ? result : ok();
  };

  return {
    'POST /api/token/': create,
    'PUT /api/token/': (call) => (call.query.status_only ? changeStatus(call) : changeTerms(call)),
    'DELETE /api/token/:id': remove,
  };
};
