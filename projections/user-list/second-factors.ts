import type { Recorded } from '../../domain/shared/event.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { SealedPersonal } from '../../domain/shared/sealed.ts';
import type { SecondFactorEvent } from '../../domain/user/second-factor-events.ts';
import { hasSecondFactor, isSecondFactorEvent } from '../../domain/user/second-factors.ts';
import type { Place } from '../runtime/row-store.ts';
import type { Writers } from '../runtime/table.ts';
import { type UserListRow, userListTables } from './table.ts';

/** Unix milliseconds; null: never. */
type Times = Readonly<{ addedAt: number; usedAt: number | null }>;
type ListedPasskey = Readonly<{ id: string; name: SealedPersonal }> & Times;

/** What a person sees of their second factors. Names stay sealed until they are shown. */
export type ListedFactors = Readonly<{
  totp: Times | null;
  passkeys: readonly ListedPasskey[];
  recoveryCodes: number;
}>;
const none: ListedFactors = { totp: null, passkeys: [], recoveryCodes: 0 };

export const listedFactors = ({ second_factors }: Pick<UserListRow, 'second_factors'>) =>
  second_factors === '' ? none : (JSON.parse(second_factors) as ListedFactors);

/** Factors as they were before a batch, folded while the batch goes by. */
export type FactorsBefore = Map<UserId, ListedFactors>;

/** Reads the factors of all people whose factors a batch touches, in one query. */
export const prepareSecondFactors = async (
  events: readonly Recorded[],
  { rows, schema }: Place,
): Promise<FactorsBefore> => {
  const touched = new Set<UserId>();
  for (const { event } of events) if (isSecondFactorEvent(event)) touched.add(event.data.userId);
  if (touched.size === 0) return new Map();
  const selection = { table: userListTables.users, column: 'id', values: [...touched] };
  const people = await rows.select<UserListRow>(schema, selection);
  return new Map(people.map((row) => [row.id, listedFactors(row)]));
};

const changedPasskey = (
  factors: ListedFactors,
  { id, change }: Readonly<{ id: string; change: Partial<ListedPasskey> }>,
): ListedFactors => ({
  ...factors,
  passkeys: factors.passkeys.map((passkey) =>
    passkey.id === id ? { ...passkey, ...change } : passkey,
  ),
});

const after = (factors: ListedFactors, event: SecondFactorEvent, at: number): ListedFactors => {
  switch (event.type) {
    case 'TotpEnrolled':
      return { ...factors, totp: { addedAt: at, usedAt: null } };
    case 'TotpRemoved':
      return { ...factors, totp: null };
    case 'TotpCodeUsed':
      return { ...factors, totp: factors.totp && { ...factors.totp, usedAt: at } };
    case 'RecoveryCodesIssued':
      return { ...factors, recoveryCodes: event.data.codeHashes.length };
    case 'RecoveryCodeUsed':
      return { ...factors, recoveryCodes: Math.max(0, factors.recoveryCodes - 1) };
    case 'PasskeyAdded': {
      const { credentialId: id, name } = event.data;
      const added = { id, name, addedAt: at, usedAt: null };
      return { ...factors, passkeys: [...factors.passkeys, added] };
    }
    case 'PasskeyRenamed': {
      const { credentialId: id, name } = event.data;
      return changedPasskey(factors, { id, change: { name } });
    }
    case 'PasskeyUsed':
      return changedPasskey(factors, { id: event.data.credentialId, change: { usedAt: at } });
    case 'PasskeyRemoved': {
      const passkeys = factors.passkeys.filter(({ id }) => id !== event.data.credentialId);
      return { ...factors, passkeys };
    }
    case 'SecondFactorsRemoved':
      return none;
  }
};

type Rows = Pick<Writers<typeof userListTables>, 'users'>;

export const keepSecondFactors = (
  { users }: Rows,
  { event, metadata }: Recorded<SecondFactorEvent>,
  before: FactorsBefore,
): void => {
  const { userId } = event.data;
  const folded = after(before.get(userId) ?? none, event, Date.parse(metadata.occurredAt));
  // Recovery codes are removed with the last factor that they replace.
  const factors = hasSecondFactor(folded) ? folded : none;
  before.set(userId, factors);
  users.patch(userId, {
    second_factors: JSON.stringify(factors),
    has_second_factor: hasSecondFactor(factors),
  });
};
