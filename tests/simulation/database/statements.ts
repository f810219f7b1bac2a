import {
  finishCheckpoint,
  insertCheckpoint,
  moveCheckpoint,
  moveCheckpoints,
  moveCheckpointsOrFail,
  readCheckpoint,
} from './checkpoint-statements.ts';
import {
  type Cell,
  keyOf,
  type Row,
  type SimDatabase,
  type SimTable,
  type TableShape,
} from './sim-database.ts';
import {
  nothing,
  type Parameters,
  type Result,
  type Session,
  type Statement,
  text,
} from './statement.ts';
import { columnOf, copiedRows } from './values.ts';

const shapeOf = (definition: string): TableShape => {
  const columns = new Map<string, string>();
  for (const [, name, type] of definition.matchAll(/"(\w+)" (int8|float8|bool|text)/g)) {
    if (name !== undefined && type !== undefined) columns.set(name, type);
  }
  const key = /PRIMARY KEY \(([^)]*)\)/.exec(definition)?.[1] ?? '';
  return { columns, key: namesIn(key) };
};

const namesIn = (list: string): string[] =>
  [...list.matchAll(/"(\w+)"/g)].map(([, name = '']) => name);

const typesOf = ({ shape }: SimTable, names: readonly string[]): string[] =>
  names.map((name) => shape.columns.get(name) ?? 'text');

/** Rows out of one text for each column. */
const unnested = (table: SimTable, names: readonly string[], parameters: Parameters): Row[] => {
  const types = typesOf(table, names);
  const columns = names.map((_, index) => columnOf(text(parameters[index]), types[index] ?? ''));
  const count = columns[0]?.length ?? 0;
  return Array.from({ length: count }, (_, at) =>
    Object.fromEntries(names.map((name, index) => [name, columns[index]?.[at] ?? null])),
  );
};

/** `c = excluded.c` replaces, `c = t.c + excluded.c` adds up. */
const onConflict = (held: Row, row: Row, clause: string): Row | null => {
  if (clause.startsWith('ON CONFLICT DO NOTHING')) return null;
  const merged = { ...held };
  for (const [, name = '', plus] of clause.matchAll(/"(\w+)" = (t\."\w+" \+ )?excluded/g)) {
    merged[name] = plus === undefined ? (row[name] ?? null) : sum(held[name], row[name]);
  }
  return merged;
};

const sum = (left: Cell | undefined, right: Cell | undefined): number =>
  Number(left ?? 0) + Number(right ?? 0);

const insert: Statement = (database, match, { parameters, session }) => {
  const [, schema = '', name = '', list = '', clause = ''] = match;
  const table = database.table(schema, name);
  for (const row of unnested(table, namesIn(list), parameters)) {
    const key = keyOf(table.shape, row);
    const held = table.rows.get(key);
    const next = held === undefined ? row : onConflict(held, row, clause);
    if (next !== null) database.setRow(table, key, next, session.undo);
  }
  return nothing;
};

const copy: Statement = (database, match, { parameters, session }) => {
  const [, schema = '', name = '', list = ''] = match;
  const table = database.table(schema, name);
  const names = namesIn(list);
  for (const cells of copiedRows(parameters[0] as Buffer, typesOf(table, names))) {
    const row = Object.fromEntries(names.map((column, index) => [column, cells[index] ?? null]));
    database.setRow(table, keyOf(table.shape, row), row, session.undo);
  }
  return nothing;
};

/** `SET a = x.c1, b = t.b + x.c2`, by the first column of the key. */
const update: Statement = (database, match, { parameters, session }) => {
  const [, schema = '', name = '', assignments = '', key = ''] = match;
  const table = database.table(schema, name);
  const changes = [...assignments.matchAll(/"(\w+)" = (t\."\w+" \+ )?x\.c\d+/g)];
  const names = [key, ...changes.map(([, column = '']) => column)];
  for (const given of unnested(table, names, parameters)) {
    for (const [rowKey, held] of [...table.rows]) {
      if (held[key] !== given[key]) continue;
      const next = { ...held };
      for (const [, column = '', plus] of changes) {
        const value = given[column] ?? null;
        next[column] = plus === undefined ? value : sum(held[column], value);
      }
      database.setRow(table, rowKey, next, session.undo);
    }
  }
  return nothing;
};

const remove: Statement = (database, match, { parameters, session }) => {
  const [, schema = '', name = '', key = ''] = match;
  const table = database.table(schema, name);
  const gone = new Set(unnested(table, [key], parameters).map((row) => row[key]));
  for (const [rowKey, row] of [...table.rows]) {
    if (gone.has(row[key])) database.setRow(table, rowKey, null, session.undo);
  }
  return nothing;
};

const openLeases: Statement = (database, match, { parameters }) => {
  const wanted = new Set(parameters[0] as string[]);
  const rows = [...database.rows(match[1] ?? '', 'leases')];
  return {
    rows: rows.filter(({ closed_at, lease_id }) => closed_at === 0 && wanted.has(text(lease_id))),
    affected: 0,
  };
};

const personalKeys: Statement = (database, match, { parameters }) => {
  const wanted = new Set(parameters[0] as number[]);
  const rows = [...database.rows(match[1] ?? '', 'personal_keys')];
  return { rows: rows.filter(({ user_id }) => wanted.has(Number(user_id))), affected: 0 };
};

const missingTables: Statement = (database, _match, { parameters }) => {
  const missing = (parameters[0] as string[]).filter((qualifiedName) => {
    const [schema = '', name = ''] = qualifiedName.split('.');
    return schema !== 'projections' && !database.hasTable(schema, name);
  });
  return { rows: missing.map((name) => ({ name })), affected: 0 };
};

const lead: Statement = (database, _match, { session }) => {
  const held = database.leader === null || database.leader === session.connection;
  if (held) database.leader = session.connection;
  return { rows: [{ held }], affected: 0 };
};

const stopLeading: Statement = (database, _match, { session }) => {
  if (database.leader === session.connection) database.leader = null;
  return nothing;
};

const table = '"(\\w+)"\\."(\\w+)"';
const statements: readonly (readonly [RegExp, Statement])[] = [
  [new RegExp(`^INSERT INTO ${table} AS t \\(([^)]*)\\) .*\\)? (ON CONFLICT .*)$`), insert],
  [new RegExp(`^COPY ${table} \\(([^)]*)\\) FROM STDIN`), copy],
  [new RegExp(`^UPDATE ${table} AS t SET (.*) FROM unnest.* WHERE t\\."(\\w+)" = x\\.c0$`), update],
  [new RegExp(`^DELETE FROM ${table} WHERE "(\\w+)" = ANY`), remove],
  [/^SELECT id, lease_id, amount, spent FROM "(\w+)"\."leases"/, openLeases],
  [/^SELECT user_id, wrapped_key FROM "(\w+)"\."personal_keys"/, personalKeys],
  [/^SELECT version, position::text/, readCheckpoint],
  [/^INSERT INTO projections\.checkpoint/, insertCheckpoint],
  [/^UPDATE projections\.checkpoint SET position = \$2::int8, event_id = \$4/, moveCheckpoint],
  [/^UPDATE projections\.checkpoint AS c SET position = \$1::int8/, moveCheckpoints],
  [
    /^WITH moved AS \(UPDATE projections\.checkpoint AS c SET position = \$1::int8/,
    moveCheckpointsOrFail,
  ],
  [/^SELECT name FROM unnest\(\$1::text\[\]\) AS name WHERE to_regclass/, missingTables],
  [/^UPDATE projections\.checkpoint SET version = \$2/, finishCheckpoint],
  [/^SELECT pg_try_advisory_lock/, lead],
  [/^SELECT pg_advisory_unlock/, stopLeading],
  [
    /^DROP SCHEMA IF EXISTS "(\w+)"/,
    (database, match, { session }) => {
      database.dropSchema(match[1] ?? '', session.undo);
      return nothing;
    },
  ],
  [
    /^CREATE SCHEMA "(\w+)"$/,
    (database, match, { session }) => {
      database.createSchema(match[1] ?? '', session.undo);
      return nothing;
    },
  ],
  [
    new RegExp(`^CREATE TABLE ${table} (.*)$`),
    (database, match) => {
      database.createTable(match[1] ?? '', match[2] ?? '', shapeOf(match[3] ?? ''));
      return nothing;
    },
  ],
  [
    /^(SELECT 1$|CREATE (SCHEMA|TABLE) IF NOT EXISTS|CREATE INDEX|SET LOCAL|ANALYZE)/,
    () => nothing,
  ],
];

const known = new Map<string, readonly [RegExpExecArray, Statement]>();

const recognised = (sql: string): readonly [RegExpExecArray, Statement] => {
  const remembered = known.get(sql);
  if (remembered !== undefined) return remembered;
  for (const [pattern, statement] of statements) {
    const match = pattern.exec(sql);
    if (match === null) continue;
    known.set(sql, [match, statement]);
    return [match, statement];
  }
  throw new Error(`the simulated database does not know this statement: ${sql}`);
};

/** Runs one statement of the projection runtime. @throws for every other */
export const execute = (
  database: SimDatabase,
  sql: string,
  given: Readonly<{ parameters: Parameters; session: Session }>,
): Result => {
  const [match, statement] = recognised(sql);
  return statement(database, match, given);
};
