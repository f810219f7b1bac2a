import { accept, type Decision, reject } from '../shared/decider.ts';
import type { UserId } from '../shared/ids.ts';
import { reasonField } from '../shared/reason.ts';
import type {
  AddPasskey,
  EnrolTotp,
  RemoveSecondFactors,
  SecondFactorCommand,
  UsePasskey,
  UseTotpCode,
} from './second-factor-commands.ts';
import type { RecoveryCodesIssued, SecondFactorEvent } from './second-factor-events.ts';
import { hasSecondFactor, maxPasskeys, passkeyOf, type SecondFactors } from './second-factors.ts';

export type SecondFactorRejection =
  | 'user.totp-already-enrolled'
  | 'user.totp-not-enrolled'
  | 'user.totp-code-used'
  | 'user.recovery-code-wrong'
  | 'user.passkey-already-added'
  | 'user.passkey-unknown'
  | 'user.passkey-copied'
  | 'user.too-many-passkeys'
  | 'user.no-second-factor'
  | 'user.reason-needed';

type Answer = Decision<SecondFactorEvent, SecondFactorRejection>;
type Holder = Readonly<{ userId: UserId; secondFactors: SecondFactors }>;

/** The first factor includes recovery codes. */
const firstCodes = (
  { userId, secondFactors }: Holder,
  codeHashes: readonly string[],
): readonly RecoveryCodesIssued[] =>
  hasSecondFactor(secondFactors)
    ? []
    : [{ type: 'RecoveryCodesIssued', data: { userId, codeHashes } }];

const enrolTotp = ({ data }: EnrolTotp, holder: Holder): Answer => {
  if (holder.secondFactors.totp !== null) return reject('user.totp-already-enrolled');
  const { recoveryCodeHashes, ...enrolled } = data;
  const codes = firstCodes(holder, recoveryCodeHashes);
  return accept<SecondFactorEvent>({ type: 'TotpEnrolled', data: enrolled }, ...codes);
};

const spendTotpCode = ({ data }: UseTotpCode, { secondFactors: { totp } }: Holder): Answer => {
  if (totp === null) return reject('user.totp-not-enrolled');
  if (data.timeStep <= totp.lastTimeStep) return reject('user.totp-code-used');
  return accept({ type: 'TotpCodeUsed', data });
};

const addPasskey = ({ data }: AddPasskey, holder: Holder): Answer => {
  const { secondFactors } = holder;
  if (passkeyOf(secondFactors, data.credentialId)) return reject('user.passkey-already-added');
  if (secondFactors.passkeys.length >= maxPasskeys) return reject('user.too-many-passkeys');
  const { recoveryCodeHashes, ...added } = data;
  const codes = firstCodes(holder, recoveryCodeHashes);
  return accept<SecondFactorEvent>({ type: 'PasskeyAdded', data: added }, ...codes);
};

/** A counter that does not grow reveals a copy; passkeys that are synchronised never count. */
const countPasskey = ({ data }: UsePasskey, { secondFactors }: Holder): Answer => {
  const passkey = passkeyOf(secondFactors, data.credentialId);
  if (passkey === null) return reject('user.passkey-unknown');
  const counts = passkey.counter > 0 || data.counter > 0;
  if (counts && data.counter <= passkey.counter) return reject('user.passkey-copied');
  return accept({ type: 'PasskeyUsed', data });
};

const removeAll = ({ data }: RemoveSecondFactors, { userId, secondFactors }: Holder): Answer => {
  const given = reasonField(data.reason);
  if (given.reason === undefined) return reject('user.reason-needed');
  if (!hasSecondFactor(secondFactors)) return accept();
  return accept({ type: 'SecondFactorsRemoved', data: { userId, ...given } });
};

/** Whether the caller may do this to the person at all is decided before. */
export const decideSecondFactor = (command: SecondFactorCommand, holder: Holder): Answer => {
  const { secondFactors } = holder;
  switch (command.type) {
    case 'EnrolTotp':
      return enrolTotp(command, holder);
    case 'RemoveTotp':
      return secondFactors.totp === null
        ? reject('user.totp-not-enrolled')
        : accept({ type: 'TotpRemoved', data: { userId: holder.userId } });
    case 'UseTotpCode':
      return spendTotpCode(command, holder);
    case 'IssueRecoveryCodes':
      return hasSecondFactor(secondFactors)
        ? accept({ type: 'RecoveryCodesIssued', data: command.data })
        : reject('user.no-second-factor');
    case 'UseRecoveryCode':
      return secondFactors.recoveryCodeHashes.includes(command.data.codeHash)
        ? accept({ type: 'RecoveryCodeUsed', data: command.data })
        : reject('user.recovery-code-wrong');
    case 'AddPasskey':
      return addPasskey(command, holder);
    case 'RenamePasskey':
      return passkeyOf(secondFactors, command.data.credentialId) === null
        ? reject('user.passkey-unknown')
        : accept({ type: 'PasskeyRenamed', data: command.data });
    case 'RemovePasskey':
      return passkeyOf(secondFactors, command.data.credentialId) === null
        ? reject('user.passkey-unknown')
        : accept({ type: 'PasskeyRemoved', data: command.data });
    case 'UsePasskey':
      return countPasskey(command, holder);
    case 'RemoveSecondFactors':
      return removeAll(command, holder);
  }
};

const commandTypes: Readonly<Record<SecondFactorCommand['type'], true>> = {
  EnrolTotp: true,
  RemoveTotp: true,
  UseTotpCode: true,
  IssueRecoveryCodes: true,
  UseRecoveryCode: true,
  AddPasskey: true,
  RenamePasskey: true,
  RemovePasskey: true,
  UsePasskey: true,
  RemoveSecondFactors: true,
};

export const isSecondFactorCommand = (
  command: Readonly<{ type: string }>,
): command is SecondFactorCommand => Object.hasOwn(commandTypes, command.type);
