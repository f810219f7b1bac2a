import { CompiledQuery } from 'kysely';
import type { Recorded } from '../../domain/shared/event.ts';
import type { Place } from '../runtime/row-store.ts';
import { qualified, type Writers } from '../runtime/table.ts';
import type { SwitchRow, usageLogTables } from './table.ts';

/** What the projector needs besides an event: what is to be logged. */
export type WriteContext = {
  /** Option `LogConsumeEnabled`: off leaves charges out of the log and the dashboard. */
  logsConsumption: boolean;
  /** Option `DataExportEnabled`: off leaves charges out of the dashboard; the log has them. */
  recordsDashboard: boolean;
  /** Charges and errors from before this time (Unix seconds) are out of the log; 0: none are. */
  prunedBefore: number;
  /** The cut was moved by an event of this batch. */
  prunes: boolean;
};

const logSwitch = 'LogConsumeEnabled';
const dashboardSwitch = 'DataExportEnabled';
export const pruneMark = 'PrunedBefore';

const contextKey = 'write-context';

export const prepareWriteContext = async (
  _events: readonly Recorded[],
  place: Place,
): Promise<WriteContext> => {
  const kept = place.memory?.get(contextKey) as WriteContext | undefined;
  const context = kept ?? (await readWriteContext(place));
  context.prunes = false;
  place.memory?.set(contextKey, context);
  return context;
};

const readWriteContext = async ({ rows: { db }, schema }: Place): Promise<WriteContext> => {
  const { rows } = await db.executeQuery<SwitchRow>(
    CompiledQuery.raw(`SELECT key, value FROM ${qualified(schema, 'switches')}`),
  );
  const held = new Map(rows.map(({ key, value }) => [key, value]));
  return {
    logsConsumption: held.get(logSwitch) !== 'false',
    recordsDashboard: held.get(dashboardSwitch) !== 'false',
    prunedBefore: Number(held.get(pruneMark) ?? 0),
    prunes: false,
  };
};

/** Follows an option that decides what is written. */
export const keepSwitch = (
  rows: Writers<typeof usageLogTables>,
  { key, value }: Readonly<{ key: string; value: string }>,
  context: WriteContext,
): void => {
  if (key !== logSwitch && key !== dashboardSwitch) return;
  const isOn = value !== 'false';
  if (key === logSwitch) context.logsConsumption = isOn;
  else context.recordsDashboard = isOn;
  rows.switches.put({ key, value });
};
