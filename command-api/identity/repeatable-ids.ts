import type { Metadata } from '../../domain/shared/event.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import { uuidFrom } from '../shared/uuid.ts';
import type { IdCategory, Ids } from './ids.ts';

/** A client repeats a request within minutes; a day is plenty. */
const rememberedSeconds = 24 * 60 * 60;

/** The request behind an id: a repeat of it, named by the client, gets the same id again. */
type Wished = Readonly<{ metadata: Metadata; isRepeatable: boolean }>;

export type NewId = (category: IdCategory, wished: Wished, nth?: number) => Promise<number>;

/** Ids for new things. A repeated request is given the ids of the first time. */
export const createNewId = (ids: Ids, bus: Bus): NewId => {
  const remembered = bus.keyValue('repeatable-ids', { ttlSeconds: rememberedSeconds });
  return async (category, { metadata, isRepeatable }, nth = 0) => {
    if (!isRepeatable) return ids.next(category);
    const key = `${category}.${uuidFrom(`${metadata.commandId}/${category}/${nth}`)}`;
    const known = await remembered.get<number>(key);
    if (known !== null) return known;
    const id = await ids.next(category);
    if (await remembered.create(key, id)) return id;
    return (await remembered.get<number>(key)) ?? id;
  };
};
