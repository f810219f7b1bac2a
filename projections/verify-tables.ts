import { CompiledQuery, type Kysely } from 'kysely';
import { auditTrailTables } from './audit-trail/table.ts';
import { channelCostsTables } from './channel-costs/table.ts';
import { channelListTables } from './channel-list/table.ts';
import { deadLettersTables } from './dead-letters/table.ts';
import { feedTables } from './feeds/table.ts';
import { ledgerTables } from './ledger/table.ts';
import { optionListTables } from './option-list/table.ts';
import { redemptionListTables } from './redemption-list/table.ts';
import { schemaOf } from './runtime/projector.ts';
import type { Tables } from './runtime/table.ts';
import { taskListTables } from './task-list/table.ts';
import { tokenListTables } from './token-list/table.ts';
import { topUpListTables } from './topup-list/table.ts';
import { usageLogTables } from './usage-log/table.ts';
import { userListTables } from './user-list/table.ts';

/** The tables that every site has, by projection. */
export const readModelTables: Readonly<Record<string, Tables>> = {
  'relay-feeds': feedTables,
  'user-list': userListTables,
  'token-list': tokenListTables,
  'channel-list': channelListTables,
  'option-list': optionListTables,
  ledger: ledgerTables,
  'audit-trail': auditTrailTables,
  'usage-log': usageLogTables,
  'redemption-list': redemptionListTables,
  'task-list': taskListTables,
  'topup-list': topUpListTables,
  'dead-letters': deadLettersTables,
  'channel-costs': channelCostsTables,
};

/** Projections without a checkpoint, and tables of the others that do not exist. */
export const missingReadModels = async (
  db: Kysely<unknown>,
  checkpoints: ReadonlyMap<string, unknown>,
): Promise<readonly string[]> => {
  const names = Object.keys(readModelTables);
  const absent = names.filter((name) => !checkpoints.has(name));
  const tables = Object.entries(readModelTables).flatMap(([name, own]) =>
    checkpoints.has(name)
      ? Object.values(own).map((table) => `${schemaOf(name)}.${table.name}`)
      : [],
  );
  const { rows } = await db.executeQuery<{ name: string }>(
    CompiledQuery.raw(
      'SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NULL',
      [tables],
    ),
  );
  return [...absent, ...rows.map(({ name }) => name)];
};
