import type { Row, SimDatabase, Undo } from './sim-database.ts';

export type Result = Readonly<{ rows: readonly Row[]; affected: number }>;
export type Session = Readonly<{ connection: object; undo: Undo }>;
export type Parameters = readonly unknown[];
export type Statement = (
  database: SimDatabase,
  match: RegExpExecArray,
  given: Readonly<{ parameters: Parameters; session: Session }>,
) => Result;

export const nothing: Result = { rows: [], affected: 0 };
export const text = (value: unknown): string => String(value);

/** PostgreSQL's code for a row that somebody else holds; the runtime tries again. */
class LockedError extends Error {
  readonly code = '55P03';
}

/** PostgreSQL's code for it. */
export class DivisionByZeroError extends Error {
  readonly code = '22012';
}

export const lock = (database: SimDatabase, name: string, { connection }: Session): void => {
  const holder = database.locks.get(name);
  if (holder !== undefined && holder !== connection) throw new LockedError(`${name} is locked`);
  database.locks.set(name, connection);
};
