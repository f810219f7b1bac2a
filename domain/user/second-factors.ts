import type { SealedPersonal } from '../shared/sealed.ts';
import type { PasskeyAdded, SecondFactorEvent } from './second-factor-events.ts';

export type Passkey = Readonly<Omit<PasskeyAdded['data'], 'userId'>>;

/** The proof of a person in addition to a password or an account with a login provider. */
export type SecondFactors = Readonly<{
  /** `lastTimeStep`: codes of it and of earlier ones have been used. */
  totp: Readonly<{ secret: SealedPersonal; lastTimeStep: number }> | null;
  /** Oldest first. */
  passkeys: readonly Passkey[];
  /** Those that are left. */
  recoveryCodeHashes: readonly string[];
}>;

export const noSecondFactors: SecondFactors = {
  totp: null,
  passkeys: [],
  recoveryCodeHashes: [],
};

export const maxPasskeys = 20;
export const recoveryCodeCount = 10;

/** Recovery codes replace a factor and are none themselves. */
export const hasSecondFactor = ({
  totp,
  passkeys,
}: Readonly<{ totp: unknown; passkeys: readonly unknown[] }>): boolean =>
  totp !== null || passkeys.length > 0;

export const passkeyOf = (factors: SecondFactors, credentialId: string): Passkey | null =>
  factors.passkeys.find((passkey) => passkey.credentialId === credentialId) ?? null;

const added = (factors: SecondFactors, { userId: _, ...passkey }: PasskeyAdded['data']) => ({
  ...factors,
  passkeys: [...factors.passkeys, passkey],
});

const changed = (
  factors: SecondFactors,
  { credentialId, change }: Readonly<{ credentialId: string; change: Partial<Passkey> }>,
): SecondFactors => ({
  ...factors,
  passkeys: factors.passkeys.map((passkey) =>
    passkey.credentialId === credentialId ? { ...passkey, ...change } : passkey,
  ),
});

/** Recovery codes are removed with the last factor that they replace. */
const withoutLoneCodes = (factors: SecondFactors): SecondFactors =>
  hasSecondFactor(factors) ? factors : noSecondFactors;

export const factorsAfter = (factors: SecondFactors, event: SecondFactorEvent): SecondFactors => {
  switch (event.type) {
    case 'TotpEnrolled': {
      const { secret, timeStep } = event.data;
      return { ...factors, totp: { secret, lastTimeStep: timeStep } };
    }
    case 'TotpRemoved':
      return withoutLoneCodes({ ...factors, totp: null });
    case 'TotpCodeUsed': {
      const { totp } = factors;
      return totp === null
        ? factors
        : { ...factors, totp: { ...totp, lastTimeStep: event.data.timeStep } };
    }
    case 'RecoveryCodesIssued':
      return { ...factors, recoveryCodeHashes: event.data.codeHashes };
    case 'RecoveryCodeUsed':
      return {
        ...factors,
        recoveryCodeHashes: factors.recoveryCodeHashes.filter(
          (hash) => hash !== event.data.codeHash,
        ),
      };
    case 'PasskeyAdded':
      return added(factors, event.data);
    case 'PasskeyRenamed': {
      const { credentialId, name } = event.data;
      return changed(factors, { credentialId, change: { name } });
    }
    case 'PasskeyUsed': {
      const { credentialId, counter } = event.data;
      return changed(factors, { credentialId, change: { counter } });
    }
    case 'PasskeyRemoved':
      return withoutLoneCodes({
        ...factors,
        passkeys: factors.passkeys.filter(
          ({ credentialId }) => credentialId !== event.data.credentialId,
        ),
      });
    case 'SecondFactorsRemoved':
      return noSecondFactors;
  }
};

const eventTypes: Readonly<Record<SecondFactorEvent['type'], true>> = {
  TotpEnrolled: true,
  TotpRemoved: true,
  TotpCodeUsed: true,
  RecoveryCodesIssued: true,
  RecoveryCodeUsed: true,
  PasskeyAdded: true,
  PasskeyRenamed: true,
  PasskeyRemoved: true,
  PasskeyUsed: true,
  SecondFactorsRemoved: true,
};

export const isSecondFactorEvent = (
  event: Readonly<{ type: string }>,
): event is SecondFactorEvent => Object.hasOwn(eventTypes, event.type);
