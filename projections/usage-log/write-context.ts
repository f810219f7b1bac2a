import { CompiledQuery } from 'kysely';
import type { Recorded } from '../../domain/shared/event.ts';
import type { Place } from '../runtime/projector.ts';
import { qualified } from '../runtime/table.ts';
import type { Departures } from '../shared/departures.ts';
import type { SwitchRow } from './table.ts';

/** What the projector has to know beside an event: what is to be logged. */
export type WriteContext = {
  /** Option `LogConsumeEnabled`: off leaves charges out of the log and the dashboard. */
  logsConsumption: boolean;
  /** Charges and errors from before this time (Unix seconds) are out of the log; 0: none are. */
  prunedBefore: number;
  /** The cut was moved by an event of this batch. */
  prunes: boolean;
  departed: Departures;
};

export const logSwitch = 'LogConsumeEnabled';
export const pruneMark = 'PrunedBefore';

export const prepareWriteContext = async (
  _events: readonly Recorded[],
  { db, schema }: Place,
): Promise<WriteContext> => {
  const { rows } = await db.executeQuery<SwitchRow>(
    CompiledQuery.raw(`SELECT key, value FROM ${qualified(schema, 'switches')}`),
  );
  const held = new Map(rows.map(({ key, value }) => [key, value]));
  return {
    logsConsumption: held.get(logSwitch) !== 'false',
    prunedBefore: Number(held.get(pruneMark) ?? 0),
    prunes: false,
    departed: new Set(),
  };
};
