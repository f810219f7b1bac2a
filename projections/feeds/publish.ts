import { CompiledQuery } from 'kysely';
import type { Bus, FeedEntry, FeedName } from '../../infra/ports/bus.ts';
import type { Place } from '../runtime/projector.ts';
import type { TableChanges } from '../runtime/row-batch.ts';
import { qualified, quoted, type Row, type Table } from '../runtime/table.ts';
import {
  accountEntry,
  channelEntry,
  defaultOptionEntries,
  optionEntry,
  tokenEntry,
} from './entries.ts';
import {
  type AccountFeedRow,
  type ChannelFeedRow,
  feedTables,
  type OptionFeedRow,
  type TokenFeedRow,
} from './table.ts';

/** Rows of one table in the order of its key, some at a time. */
const pageRows = 2_000;
const toEntries = {
  channels: (rows) => rows.map((row) => channelEntry(row as ChannelFeedRow)),
  tokens: (rows) => rows.map((row) => tokenEntry(row as TokenFeedRow)),
  accounts: (rows) => rows.map((row) => accountEntry(row as AccountFeedRow)),
  options: (rows) => rows.map((row) => optionEntry(row as OptionFeedRow)),
} as const satisfies Partial<Record<FeedName, (rows: readonly Row[]) => FeedEntry<unknown>[]>>;
/** Feeds that are made from rows. */
type ProjectedFeed = keyof typeof toEntries;

const keyOf = (table: Table): string => table.key[0] ?? '';
const query = async (place: Place, text: string, parameters: unknown[]): Promise<Row[]> =>
  (await place.db.executeQuery<Row>(CompiledQuery.raw(text, parameters))).rows;

const publishRows = async (bus: Bus, name: ProjectedFeed, rows: readonly Row[]): Promise<void> => {
  if (rows.length > 0) await bus.feed<unknown>(name).put(toEntries[name](rows));
};

const publishAll = async (bus: Bus, name: ProjectedFeed, place: Place): Promise<void> => {
  const table: Table = feedTables[name];
  const key = quoted(keyOf(table));
  const from = qualified(place.schema, table.name);
  for (let after: unknown = null; ; ) {
    const rows = await query(
      place,
      `SELECT * FROM ${from} ${after === null ? '' : `WHERE ${key} > $1`} ` +
        `ORDER BY ${key} LIMIT ${pageRows}`,
      after === null ? [] : [after],
    );
    await publishRows(bus, name, rows);
    if (rows.length < pageRows) return;
    after = rows.at(-1)?.[keyOf(table)];
  }
};

const names = ['options', 'channels', 'accounts', 'tokens'] as const satisfies ProjectedFeed[];

/** Tells relays the whole state: at the start, and after a rebuild. */
export const publishState =
  (bus: Bus) =>
  async (place: Place): Promise<void> => {
    await bus.feed('options').put(defaultOptionEntries());
    for (const name of names) await publishAll(bus, name, place);
  };

/** Tells relays what a batch of events changed, as it stands after the commit. */
export const publishChanges =
  (bus: Bus) =>
  async (changes: readonly TableChanges[], place: Place): Promise<void> => {
    await Promise.all(
      names.map(async (name) => {
        const table: Table = feedTables[name];
        const changed = changes.find((change) => change.table.name === table.name);
        const keys = [...(changed?.keyed.keys() ?? [])];
        if (keys.length === 0) return;
        const text =
          `SELECT * FROM ${qualified(place.schema, table.name)} ` +
          `WHERE ${quoted(keyOf(table))} = ANY($1)`;
        await publishRows(bus, name, await query(place, text, [keys]));
      }),
    );
  };
