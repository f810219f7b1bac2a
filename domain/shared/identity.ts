import { defineEvents, type EventsOf } from './catalogue.ts';
import { text, whole } from './shape.ts';

/*
 * How numbers and unique names are assigned. These events belong to no aggregate: the command
 * handler's helpers write and read them, projections leave them out.
 */

const ofManyCategories = defineEvents(null, null);

export const identityEvents = {
  /** Stream `ids-<category>`: the numbers `from`..`to` belong to the process that wrote this. */
  IdsReserved: defineEvents('ids', null)({ category: text, from: whole, to: whole }),
  /**
   * Streams `<kind>-<hash>`: a unique value belongs to `ownerId`; the newest event of the stream
   * counts. `ownerStreamId` is where to find whether the owner was created.
   */
  ValueClaimed: ofManyCategories({
    kind: text,
    ownerId: whole,
    ownerStreamId: text,
  }),
  /**
   * First event of a stream whose owner was never created: a crash left its claim behind and another
   * took it over. A creation that was merely slow finds this and is refused.
   */
  IdVoided: ofManyCategories({ streamId: text, kind: text }),
};

type Events = EventsOf<typeof identityEvents>;
export type IdsReserved = Events['IdsReserved'];
export type ValueClaimed = Events['ValueClaimed'];
export type IdVoided = Events['IdVoided'];

export const idsStreamId = (category: string): string => `ids-${category}`;
