import type { Role } from '../access/roles.ts';
import type { Command } from '../shared/event.ts';
import type { UserId } from '../shared/ids.ts';
import type { WithReason } from '../shared/reason.ts';
import type { SealedPersonal } from '../shared/sealed.ts';
import type { FactorPurpose, PasskeyAdded } from './second-factor-events.ts';

/** The set that a person gets with their first factor; later ones leave the set as it is. */
type WithFirstCodes = Readonly<{ recoveryCodeHashes: readonly string[] }>;

/** The route has verified a code of this secret before. */
export type EnrolTotp = Command<
  'EnrolTotp',
  { userId: UserId; secret: SealedPersonal; timeStep: number } & WithFirstCodes
>;
export type RemoveTotp = Command<'RemoveTotp', { userId: UserId }>;
export type UseTotpCode = Command<
  'UseTotpCode',
  { userId: UserId; timeStep: number; purpose: FactorPurpose }
>;
export type IssueRecoveryCodes = Command<
  'IssueRecoveryCodes',
  { userId: UserId; codeHashes: readonly string[] }
>;
export type UseRecoveryCode = Command<
  'UseRecoveryCode',
  { userId: UserId; codeHash: string; purpose: FactorPurpose }
>;
/** The route has verified the registration before. */
export type AddPasskey = Command<'AddPasskey', PasskeyAdded['data'] & WithFirstCodes>;
export type RenamePasskey = Command<
  'RenamePasskey',
  { userId: UserId; credentialId: string; name: SealedPersonal }
>;
export type RemovePasskey = Command<'RemovePasskey', { userId: UserId; credentialId: string }>;
/** The route has verified the assertion before. */
export type UsePasskey = Command<
  'UsePasskey',
  { userId: UserId; credentialId: string; counter: number; purpose: FactorPurpose }
>;
/** By an administrator; from the command line it is the role of the super admin. */
export type RemoveSecondFactors = Command<
  'RemoveSecondFactors',
  { userId: UserId; actorRole: Role } & WithReason
>;

export type SecondFactorCommand =
  | EnrolTotp
  | RemoveTotp
  | UseTotpCode
  | IssueRecoveryCodes
  | UseRecoveryCode
  | AddPasskey
  | RenamePasskey
  | RemovePasskey
  | UsePasskey
  | RemoveSecondFactors;
