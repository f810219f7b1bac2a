import { CompiledQuery } from 'kysely';
import type { Bus, FeedEntry, FeedName } from '../../infra/ports/bus.ts';
import type { TableChanges } from '../runtime/row-batch.ts';
import type { Place } from '../runtime/row-store.ts';
import { qualified, quoted, type Row, type Table } from '../runtime/table.ts';
import {
  accountEntry,
  channelEntry,
  defaultOptionEntries,
  type FeedSeal,
  keysEntry,
  optionEntry,
  tokenEntry,
} from './entries.ts';
import {
  type AccountFeedRow,
  type ChannelFeedRow,
  feedTables,
  type KeysFeedRow,
  type OptionFeedRow,
  type TokenFeedRow,
} from './table.ts';

/** Rows of one table in the order of its key, some at a time. */
const pageRows = 2_000;
const toEntries = {
  keys: (rows) => rows.map((row) => keysEntry(row as KeysFeedRow)),
  channels: (rows, seal) => rows.map((row) => channelEntry(row as ChannelFeedRow, seal)),
  tokens: (rows) => rows.map((row) => tokenEntry(row as TokenFeedRow)),
  accounts: (rows) => rows.map((row) => accountEntry(row as AccountFeedRow)),
  options: (rows) => rows.map((row) => optionEntry(row as OptionFeedRow)),
} as const satisfies Record<
  FeedName,
  (rows: readonly Row[], seal: FeedSeal) => FeedEntry<unknown>[]
>;

export type FeedDeps = FeedSeal & Readonly<{ bus: Bus }>;

const keyOf = (table: Table): string => table.key[0] ?? '';
const query = async (place: Place, text: string, parameters: unknown[]): Promise<Row[]> =>
  (await place.rows.db.executeQuery<Row>(CompiledQuery.raw(text, parameters))).rows;

const publishRows = async (deps: FeedDeps, name: FeedName, rows: readonly Row[]): Promise<void> => {
  if (rows.length > 0) await deps.bus.feed<unknown>(name).put(toEntries[name](rows, deps));
};

const publishAll = async (deps: FeedDeps, name: FeedName, place: Place): Promise<void> => {
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
    await publishRows(deps, name, rows);
    if (rows.length < pageRows) return;
    after = rows.at(-1)?.[keyOf(table)];
  }
};

/** The keys are first: relays open the others with them. */
const names = ['keys', 'options', 'channels', 'accounts', 'tokens'] as const satisfies FeedName[];

const publishFeed = async (deps: FeedDeps, name: FeedName, place: Place): Promise<void> => {
  if (name === 'options') await deps.bus.feed('options').put(defaultOptionEntries());
  await publishAll(deps, name, place);
};

/**
 * Publishes the whole state to relays: at the start, after a rebuild, and when the bus may have
 * lost it.
 */
export const publishState = (deps: FeedDeps): ((place: Place) => Promise<void>) => {
  let forget: () => void = () => undefined;
  return async (place) => {
    forget();
    forget = deps.bus.onFeedLoss((name) => publishFeed(deps, name, place));
    for (const name of names) await publishFeed(deps, name, place);
  };
};

/** Publishes to relays what a batch of events changed, as of after the commit. */
export const publishChanges =
  (deps: FeedDeps) =>
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
        await publishRows(deps, name, await query(place, text, [keys]));
      }),
    );
  };
