import { accept, type Decider, type Decision, reject } from '../shared/decider.ts';
import type { RedemptionId, UserId } from '../shared/ids.ts';
import { isQuotaUnits, type QuotaUnits } from '../shared/quota.ts';
import type { Sealed } from '../shared/sealed.ts';
import type {
  ChangeRedemption,
  CreateRedemption,
  RedeemCode,
  RedemptionCommand,
} from './commands.ts';
import type { RedemptionEvent } from './events.ts';

export type { RedemptionCommand } from './commands.ts';

export type RedemptionRejection =
  | 'redemption.already-created'
  | 'redemption.unknown-code'
  | 'redemption.already-used'
  | 'redemption.disabled'
  | 'redemption.name-length'
  | 'redemption.quota-invalid'
  | 'redemption.own-code'
  | 'redemption.account-full';

type Code = Readonly<{
  redemptionId: RedemptionId;
  name: string;
  quota: QuotaUnits;
  sealedCode: Sealed;
  /** Its creator and those who set its quota; they do not redeem it. */
  makers: readonly UserId[];
}>;
export type RedemptionState =
  | Readonly<{ status: 'absent' }>
  | Readonly<{ status: 'deleted' }>
  | Readonly<{ status: 'unused' | 'disabled' } & Code>
  | Readonly<{ status: 'used'; usedBy: UserId } & Code>;
type Existing = Exclude<RedemptionState, { status: 'absent' | 'deleted' }>;
type Answer = Decision<RedemptionEvent, RedemptionRejection>;

/** Characters, not bytes. */
const redemptionNameLimit = 20;

const problem = (name: string, quota: QuotaUnits): Answer | null => {
  const length = [...name.trim()].length;
  if (length === 0 || length > redemptionNameLimit) {
    return reject('redemption.name-length', { max: redemptionNameLimit });
  }
  return isQuotaUnits(quota) && quota > 0 ? null : reject('redemption.quota-invalid');
};

const create = ({ data }: CreateRedemption, state: RedemptionState): Answer => {
  if (state.status !== 'absent') return reject('redemption.already-created');
  return problem(data.name, data.quota) ?? accept({ type: 'RedemptionCreated', data });
};

const change = ({ data }: ChangeRedemption, state: Existing): Answer => {
  const { name, quota, changedBy } = data;
  if (state.status === 'used') return reject('redemption.already-used');
  if (state.status === 'disabled') return reject('redemption.disabled');
  const wrong = problem(name, quota);
  if (wrong !== null) return wrong;
  if (name === state.name && quota === state.quota) return accept();
  const { redemptionId } = state;
  const previous = { name: state.name, quota: state.quota };
  return accept({
    type: 'RedemptionChanged',
    data: { redemptionId, name, quota, previous, changedBy },
  });
};

const redeem = ({ data: { userId, room } }: RedeemCode, state: Existing): Answer => {
  if (state.status === 'used') return reject('redemption.already-used');
  if (state.status === 'disabled') return reject('redemption.disabled');
  if (state.makers.includes(userId)) return reject('redemption.own-code');
  const { redemptionId, quota } = state;
  if (quota > room) return reject('redemption.account-full', { quota, room });
  return accept({ type: 'RedemptionRedeemed', data: { redemptionId, quota, redeemedBy: userId } });
};

/** A used code stays used: switching it on again would give its quota out twice. */
const toggle = (to: 'unused' | 'disabled', state: Existing): Answer => {
  if (state.status === 'used') return reject('redemption.already-used');
  if (state.status === to) return accept();
  const type = to === 'unused' ? 'RedemptionEnabled' : 'RedemptionDisabled';
  return accept({ type, data: { redemptionId: state.redemptionId } });
};

const decide = (command: RedemptionCommand, state: RedemptionState): Answer => {
  if (command.type === 'CreateRedemption') return create(command, state);
  if (state.status === 'absent' || state.status === 'deleted') {
    return reject('redemption.unknown-code');
  }
  switch (command.type) {
    case 'ChangeRedemption':
      return change(command, state);
    case 'EnableRedemption':
      return toggle('unused', state);
    case 'DisableRedemption':
      return toggle('disabled', state);
    case 'RedeemCode':
      return redeem(command, state);
    case 'DeleteRedemption':
      return accept({ type: 'RedemptionDeleted', data: { redemptionId: state.redemptionId } });
  }
};

const evolve = (state: RedemptionState, event: RedemptionEvent): RedemptionState => {
  if (event.type === 'RedemptionCreated') {
    const { redemptionId, name, quota, sealedCode, createdBy } = event.data;
    return { status: 'unused', redemptionId, name, quota, sealedCode, makers: [createdBy] };
  }
  if (state.status === 'absent' || state.status === 'deleted') return state;
  switch (event.type) {
    case 'RedemptionChanged': {
      const { name, quota, changedBy } = event.data;
      const makers = quota !== state.quota ? [...state.makers, changedBy] : state.makers;
      return { ...state, name, quota, makers };
    }
    case 'RedemptionEnabled':
      return { ...state, status: 'unused' };
    case 'RedemptionDisabled':
      return { ...state, status: 'disabled' };
    case 'RedemptionRedeemed':
      return { ...state, status: 'used', usedBy: event.data.redeemedBy };
    case 'RedemptionDeleted':
      return { status: 'deleted' };
  }
};

export const redemptionDecider: Decider<
  RedemptionCommand,
  RedemptionEvent,
  RedemptionState,
  RedemptionRejection
> = { initialState: { status: 'absent' }, decide, evolve };
