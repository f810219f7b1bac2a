import type { Event, Recorded } from '../../domain/shared/event.ts';
import {
  type PersonalTexts,
  putTexts,
  subjectOf,
  type WithPersonal,
} from '../../domain/shared/personal.ts';
import type { PersonalField, SealedPersonal } from '../../domain/shared/sealed.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { PersonalSeal, ReadVault } from '../../infra/ports/vault.ts';
import type { Place } from '../runtime/row-store.ts';
import { defineTable, type RowOf } from '../runtime/table.ts';

/**
 * Personal keys, wrapped; each is deleted with its person. Of a projector that shows personal data as
 * texts: it keeps the keys next to its rows, because it reads the log at its own pace.
 */
export const personalKeyTable = defineTable({
  name: 'personal_keys',
  columns: { user_id: 'int8', wrapped_key: 'text' },
  key: ['user_id'],
});
export type PersonalKeyRow = RowOf<typeof personalKeyTable>;

/** Opens personal data while a batch of events is projected. */
export interface PersonalData {
  learn(userId: number, wrappedKey: string): void;
  /** "" once the person's key is gone, and for text that it does not open. */
  open(userId: number, sealed: SealedPersonal | null, field: PersonalField): string;
  /** The data of an event with its personal information, as far as that can still be read. */
  whole<E extends Event>(event: E): E['data'];
}

const readKeys = (ids: readonly number[], place: Place): Promise<readonly PersonalKeyRow[]> =>
  place.rows.select(place.schema, { table: personalKeyTable, column: 'user_id', values: ids });

export const textsOf = (seal: PersonalSeal, personal: SealedPersonal): PersonalTexts =>
  JSON.parse(seal.unseal(personal, 'event')) as PersonalTexts;

/** Wrapped keys of the people whose data the events hold, by user. */
const wrappedKeysFor = async (
  events: readonly Recorded[],
  types: ReadonlySet<string>,
  place: Place,
): Promise<Map<number, string>> => {
  const ids = new Set<number>();
  for (const { event } of events) {
    const subject = types.has(event.type) ? subjectOf(event) : null;
    if (subject !== null) ids.add(subject);
  }
  if (ids.size === 0) return new Map();
  const rows = await readKeys([...ids], place);
  return new Map(rows.map(({ user_id, wrapped_key }) => [user_id, wrapped_key]));
};

/** Reads the keys of all people whose data events of these types hold, in one query for a batch. */
export const preparePersonalData =
  ({ vault, logger }: Readonly<{ vault: ReadVault; logger: Logger }>, types: ReadonlySet<string>) =>
  async (events: readonly Recorded[], place: Place): Promise<PersonalData> => {
    const wrapped = await wrappedKeysFor(events, types, place);
    const opened = new Map<number, PersonalSeal>();
    const sealOf = (userId: number): PersonalSeal | null => {
      const known = opened.get(userId);
      const key = wrapped.get(userId);
      if (known !== undefined || key === undefined) return known ?? null;
      const seal = vault.personalSeal(userId, key);
      opened.set(userId, seal);
      return seal;
    };
    /** Of a person who is there; what does not open is left out, so that no event stops a reader. */
    const orEmpty = <T>(userId: number, open: (seal: PersonalSeal) => T, empty: T): T => {
      try {
        const seal = sealOf(userId);
        return seal === null ? empty : open(seal);
      } catch (error) {
        logger.error({ error, userId }, 'personal data cannot be opened');
        return empty;
      }
    };
    return {
      learn: (userId, wrappedKey) => {
        wrapped.set(userId, wrappedKey);
        opened.delete(userId);
      },
      open: (userId, sealed, field) =>
        sealed === null ? '' : orEmpty(userId, (seal) => seal.unseal(sealed, field), ''),
      whole: (event) => {
        const { personal, ...data } = event.data as WithPersonal;
        const subject = subjectOf(event);
        if (personal === undefined || subject === null) return event.data;
        return putTexts(
          data,
          orEmpty(subject, (seal) => textsOf(seal, personal), {}),
        );
      },
    };
  };
