import { CompiledQuery, type Kysely } from 'kysely';
import type { OutOfRange } from '../infra/ports/read-models.ts';
import { schemaOf } from './runtime/projector.ts';
import { qualified, quoted, type Table } from './runtime/table.ts';
import { readModelTables } from './verify-tables.ts';

/** Of each table; all such rows of a site whose tables were written by hand would be no list to read. */
const maxRows = 100;
const limit = Number.MAX_SAFE_INTEGER;

/** Places in the log may be larger: they are read as text. */
const isChecked = ([name, type]: readonly [string, string]): boolean =>
  type.startsWith('int8') && !name.endsWith('position');

const keyOf = ({ key }: Table): string =>
  `concat_ws('/', ${key.map((name) => `own.${quoted(name)}::text`).join(', ')})`;

const queryOf = (schema: string, table: Table): string | null => {
  const columns = Object.entries(table.columns).filter(isChecked);
  if (columns.length === 0) return null;
  const cells = columns.map(([name]) => `('${name}', own.${quoted(name)})`).join(', ');
  return (
    `SELECT '${schema}.${table.name}/' || ${keyOf(table)} AS row, cell.name AS column, ` +
    `cell.value::text AS value FROM ${qualified(schema, table.name)} AS own ` +
    `CROSS JOIN LATERAL (VALUES ${cells}) AS cell(name, value) ` +
    `WHERE cell.value NOT BETWEEN -${limit} AND ${limit} LIMIT ${maxRows}`
  );
};

/** Cells of the read models that are there whose numbers nothing here could read. */
export const outOfRange = async (
  db: Kysely<unknown>,
  missing: readonly string[],
): Promise<readonly OutOfRange[]> => {
  const found: OutOfRange[] = [];
  for (const [projection, tables] of Object.entries(readModelTables)) {
    const schema = schemaOf(projection);
    for (const table of Object.values(tables)) {
      const isMissing = missing.includes(projection) || missing.includes(`${schema}.${table.name}`);
      const query = isMissing ? null : queryOf(schema, table);
      if (query === null) continue;
      const { rows } = await db.executeQuery<Omit<OutOfRange, 'projection'>>(
        CompiledQuery.raw(query),
      );
      found.push(...rows.map((row) => ({ projection, ...row })));
    }
  }
  return found;
};
