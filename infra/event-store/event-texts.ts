import { catalogueEntryOf } from '../../domain/events.ts';
import type { EventToAppend } from '../ports/event-store.ts';

/** The stored form of an event. Types that are not in the catalogue occur in logs that are not the product's. */
export const textsOf = ({
  event,
  metadata,
}: EventToAppend): Readonly<{ data: string; metadata: string }> => {
  const schemaVersion = catalogueEntryOf(event.type)?.version ?? 1;
  return {
    data: JSON.stringify(event.data),
    metadata: JSON.stringify({ ...metadata, schemaVersion }),
  };
};

/** As the client returns it: what is no JSON after all is returned unchanged. */
export const parsedOr = <T>(text: string, otherwise: () => T): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise();
  }
};
