import { CompiledQuery } from 'kysely';
import type { Recorded } from '../../domain/shared/event.ts';
import type { Place } from '../runtime/projector.ts';
import { qualified } from '../runtime/table.ts';
import type { SwitchRow, UsernameRow } from './table.ts';

/** What the projector has to know beside an event: how people are called, what is to be logged. */
export type WriteContext = {
  usernames: Map<number, string>;
  /** Option `LogConsumeEnabled`: off leaves charges out of the log and the dashboard. */
  logsConsumption: boolean;
  /** Charges and errors from before this time (Unix seconds) are out of the log; 0: none are. */
  prunedBefore: number;
  /** The cut was moved by an event of this batch. */
  prunes: boolean;
};

export const logSwitch = 'LogConsumeEnabled';
export const pruneMark = 'PrunedBefore';
/** These carry the name themselves, or are not shown. */
const namedTypes = new Set(['RequestCharged', 'RequestFailed', 'UserRegistered']);

const read = async <R>(place: Place, text: string, parameters: unknown[]): Promise<R[]> =>
  (await place.db.executeQuery<R>(CompiledQuery.raw(text, parameters))).rows;

export const prepareWriteContext = async (
  events: readonly Recorded[],
  place: Place,
): Promise<WriteContext> => {
  const ids = new Set<number>();
  for (const { event, metadata } of events) {
    const { userId } = event.data as { userId?: number };
    if (userId !== undefined && !namedTypes.has(event.type)) ids.add(userId);
    if (userId === undefined && metadata.actor.kind === 'admin') ids.add(Number(metadata.actor.id));
  }
  const usernames =
    ids.size === 0
      ? []
      : await read<UsernameRow>(
          place,
          `SELECT user_id, username FROM ${qualified(place.schema, 'usernames')} ` +
            'WHERE user_id = ANY($1::int8[])',
          [[...ids]],
        );
  const switches = await read<SwitchRow>(
    place,
    `SELECT key, value FROM ${qualified(place.schema, 'switches')}`,
    [],
  );
  const held = new Map(switches.map(({ key, value }) => [key, value]));
  return {
    usernames: new Map(usernames.map(({ user_id, username }) => [user_id, username])),
    logsConsumption: held.get(logSwitch) !== 'false',
    prunedBefore: Number(held.get(pruneMark) ?? 0),
    prunes: false,
  };
};
