import type { RedemptionCommand } from '../../domain/redemption/commands.ts';
import type { RedemptionEvent } from '../../domain/redemption/events.ts';
import { aMetadata } from './metadata-examples.ts';

type EventOf<Type extends RedemptionEvent['type']> = Extract<RedemptionEvent, { type: Type }>;
type CommandOf<Type extends RedemptionCommand['type']> = Extract<RedemptionCommand, { type: Type }>;

const redemptionId = 9;
const code = {
  redemptionId,
  name: 'spring',
  quota: 100_000,
  sealedCode: 'sealed:code',
  codeHash: 'sha256-of-code',
  createdBy: 1,
};

export const aRedemptionCreated = (
  changes: Partial<EventOf<'RedemptionCreated'>['data']> = {},
): EventOf<'RedemptionCreated'> => ({ type: 'RedemptionCreated', data: { ...code, ...changes } });

export const aRedemptionRedeemed = (redeemedBy = 42): EventOf<'RedemptionRedeemed'> => ({
  type: 'RedemptionRedeemed',
  data: { redemptionId, quota: code.quota, redeemedBy },
});

export const aRedemptionEvent = <
  Type extends 'RedemptionEnabled' | 'RedemptionDisabled' | 'RedemptionDeleted',
>(
  type: Type,
): RedemptionEvent => ({ type, data: { redemptionId } }) as RedemptionEvent;

export const aCreateRedemption = (
  changes: Partial<CommandOf<'CreateRedemption'>['data']> = {},
): CommandOf<'CreateRedemption'> => ({
  type: 'CreateRedemption',
  data: { ...code, ...changes },
  metadata: aMetadata(),
});

export const aChangeRedemption = (
  name: string,
  quota: number,
  changedBy = 1,
): CommandOf<'ChangeRedemption'> => ({
  type: 'ChangeRedemption',
  data: { redemptionId, name, quota, changedBy },
  metadata: aMetadata(),
});

export const aRedeemCode = (userId = 42, room = 1_000_000_000): CommandOf<'RedeemCode'> => ({
  type: 'RedeemCode',
  data: { redemptionId, userId, room },
  metadata: aMetadata(),
});

export const aRedemptionCommand = <
  Type extends 'EnableRedemption' | 'DisableRedemption' | 'DeleteRedemption',
>(
  type: Type,
): RedemptionCommand =>
  ({ type, data: { redemptionId }, metadata: aMetadata() }) as RedemptionCommand;
