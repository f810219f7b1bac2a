import { hash, randomBytes } from 'node:crypto';
import { roomOf } from '../../domain/account/room.ts';
import { redemptionDecider } from '../../domain/redemption/decider.ts';
import { redemptionCodeClaimStreamId, redemptionStreamId } from '../../domain/redemption/stream.ts';
import { reject } from '../../domain/shared/decider.ts';
import { redemptionCodePlace } from '../../domain/shared/sealed.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import type { redemptionApi } from '../contract/redemption.ts';
import { ok } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import type { CallTo, Handlers } from '../http/routes.ts';
import type { Claims } from '../identity/claims.ts';
import type { NewId } from '../identity/repeatable-ids.ts';
import type { Accounts } from '../keeper/accounts.ts';
import { derivedMetadata } from '../shared/metadata.ts';
import { historyOf } from './history.ts';

type Deps = Readonly<{
  eventStore: EventStore;
  vault: Vault;
  commands: CommandHandler;
  newId: NewId;
  accounts: Accounts;
  claims: Claims;
}>;

const statusOnWire = { unused: 1, disabled: 2, used: 3, absent: 2, deleted: 2 } as const;

const hashOf = (code: string): string => hash('sha256', code, 'hex');

export const createRedemptionRoutes = (deps: Deps): Handlers<typeof redemptionApi> => {
  const { accounts, claims, commands, newId, vault } = deps;

  const createOne = async (
    call: Call,
    { name, quota }: Readonly<{ name: string; quota: number }>,
    nth: number,
  ) => {
    const code = randomBytes(16).toString('hex');
    const redemptionId = await newId('redemption', call, nth);
    await claims.claim(
      {
        kind: 'redemptionCode',
        streamId: redemptionCodeClaimStreamId(hashOf(code)),
        ownerId: redemptionId,
        ownerStreamId: redemptionStreamId(redemptionId),
      },
      derivedMetadata(call.metadata, `code/${nth}`),
    );
    const result = await call.perform(redemptionDecider, redemptionStreamId(redemptionId), {
      type: 'CreateRedemption',
      data: {
        redemptionId,
        name,
        quota,
        sealedCode: vault.seal(code, redemptionCodePlace(redemptionId)),
        codeHash: hashOf(code),
        createdBy: call.caller.userId,
      },
    });
    if (result.kind === 'rejected') return result;
    // A repeat answers with the code of the first time.
    const [created] = result.events;
    if (created?.type !== 'RedemptionCreated') return code;
    const { sealedCode, redemptionId: id } = created.data;
    return vault.unseal(sealedCode, redemptionCodePlace(id));
  };

  const create = async (call: CallTo<'POST /api/redemption/'>) => {
    const { name, quota, count } = call.body;
    const codes: string[] = [];
    for (let nth = 0; nth < count; nth += 1) {
      const code = await createOne(call, { name, quota }, nth);
      if (typeof code !== 'string') return code;
      codes.push(code);
    }
    return ok(codes);
  };

  const record = async (redemptionId: number) => {
    const { state } = await commands.load(redemptionDecider, redemptionStreamId(redemptionId));
    if (state.status === 'absent' || state.status === 'deleted') {
      return reject('redemption.unknown-code');
    }
    const { name, quota, sealedCode, status } = state;
    return ok({
      ...(await historyOf(deps, redemptionId)),
      id: redemptionId,
      key: vault.unseal(sealedCode, redemptionCodePlace(redemptionId)),
      name,
      quota,
      status: statusOnWire[status],
      count: 0 as const,
      DeletedAt: null,
    });
  };

  const change = async (call: CallTo<'PUT /api/redemption/'>) => {
    if (call.query.status_only) {
      const { id: redemptionId, status } = call.statusBody;
      const result = await call.perform(redemptionDecider, redemptionStreamId(redemptionId), {
        type: status === 1 ? 'EnableRedemption' : 'DisableRedemption',
        data: { redemptionId },
      });
      return result.kind === 'rejected' ? result : record(redemptionId);
    }
    const { id: redemptionId, name, quota } = call.body;
    const result = await call.perform(redemptionDecider, redemptionStreamId(redemptionId), {
      type: 'ChangeRedemption',
      data: { redemptionId, name, quota, changedBy: call.caller.userId },
    });
    return result.kind === 'rejected' ? result : record(redemptionId);
  };

  const remove = async (call: CallTo<'DELETE /api/redemption/:id'>) => {
    const { id: redemptionId } = call.params;
    const result = await call.perform(redemptionDecider, redemptionStreamId(redemptionId), {
      type: 'DeleteRedemption',
      data: { redemptionId },
    });
    return result.kind === 'rejected' ? result : ok();
  };

  const redeem = async (call: CallTo<'POST /api/user/topup'>) => {
    const { key } = call.body;
    if (key === '') return reject('redemption.code-required');
    const redemptionId = await claims.owner(redemptionCodeClaimStreamId(hashOf(key)));
    if (redemptionId === null) return reject('redemption.unknown-code');
    const { userId } = call.caller;
    const account = await accounts.summary(userId);
    const result = await call.perform(redemptionDecider, redemptionStreamId(redemptionId), {
      type: 'RedeemCode',
      data: { redemptionId, userId, room: roomOf(account ?? { balance: 0, used: 0 }) },
    });
    if (result.kind === 'rejected') return result;
    const [event] = result.events;
    return ok(event?.type === 'RedemptionRedeemed' ? event.data.quota : 0);
  };

  return {
    'POST /api/redemption/': create,
    'PUT /api/redemption/': change,
    'DELETE /api/redemption/:id': remove,
    'POST /api/user/topup': redeem,
  };
};
