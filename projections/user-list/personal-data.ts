import { CompiledQuery } from 'kysely';
import type { Recorded } from '../../domain/shared/event.ts';
import type { PersonalField, SealedPersonal } from '../../domain/shared/sealed.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { PersonalSeal, ReadVault } from '../../infra/ports/vault.ts';
import type { Place } from '../runtime/projector.ts';
import { qualified } from '../runtime/table.ts';
import type { PersonalKeyRow } from './table.ts';

/** Opens personal data while a batch of events is projected. */
export interface PersonalData {
  learn(userId: number, wrappedKey: string): void;
  /** "" once the person's key is gone, and for text that it does not open. */
  open(userId: number, sealed: SealedPersonal | null, field: PersonalField): string;
}

const sealedTypes = new Set([
  'UserRegistered',
  'UserProfileChanged',
  'IdentityLinked',
  'UserSettingsChanged',
]);

const readKeys = async (
  ids: readonly number[],
  { db, schema }: Place,
): Promise<readonly PersonalKeyRow[]> => {
  const { rows } = await db.executeQuery<PersonalKeyRow>(
    CompiledQuery.raw(
      `SELECT user_id, wrapped_key FROM ${qualified(schema, 'personal_keys')} ` +
        'WHERE user_id = ANY($1::int8[])',
      [ids],
    ),
  );
  return rows;
};

/** Reads the keys of all people whose data a batch touches, in one query. */
export const preparePersonalData =
  (vault: ReadVault, logger: Logger) =>
  async (events: readonly Recorded[], place: Place): Promise<PersonalData> => {
    const ids = new Set<number>();
    for (const { event } of events) {
      if (sealedTypes.has(event.type)) ids.add((event.data as { userId: number }).userId);
    }
    const wrapped = new Map<number, string>();
    if (ids.size > 0) {
      for (const row of await readKeys([...ids], place)) wrapped.set(row.user_id, row.wrapped_key);
    }
    const opened = new Map<number, PersonalSeal>();
    const sealOf = (userId: number): PersonalSeal | null => {
      const known = opened.get(userId);
      const key = wrapped.get(userId);
      if (known !== undefined || key === undefined) return known ?? null;
      const seal = vault.personalSeal(userId, key);
      opened.set(userId, seal);
      return seal;
    };
    return {
      learn: (userId, wrappedKey) => {
        wrapped.set(userId, wrappedKey);
        opened.delete(userId);
      },
      open: (userId, sealed, field) => {
        if (sealed === null) return '';
        try {
          return sealOf(userId)?.unseal(sealed, field) ?? '';
        } catch (error) {
          logger.error({ error, userId, field }, 'personal data cannot be opened');
          return '';
        }
      },
    };
  };
