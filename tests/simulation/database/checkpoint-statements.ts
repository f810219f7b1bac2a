import { DivisionByZeroError, lock, nothing, type Statement, text } from './statement.ts';

export const readCheckpoint: Statement = (database, _match, { parameters }) => {
  const held = database.checkpoints.get(text(parameters[0]));
  return held === undefined ? nothing : { rows: [{ ...held }], affected: 0 };
};

export const insertCheckpoint: Statement = (database, _match, { parameters, session }) => {
  const [name, version] = parameters.map(text);
  lock(database, name ?? '', session);
  const checkpoint = { version: version ?? '', position: null, event_id: null };
  database.setCheckpoint(name ?? '', checkpoint, session.undo);
  return { rows: [], affected: 1 };
};

const positionOf = (value: unknown): string | null => (value === null ? null : text(value));

export const moveCheckpoint: Statement = (database, _match, { parameters, session }) => {
  const name = text(parameters[0]);
  lock(database, name, session);
  const held = database.checkpoints.get(name);
  if (held === undefined || held.position !== positionOf(parameters[2])) return nothing;
  const before = positionOf(parameters[4]);
  if (before !== null && before !== held.event_id) return nothing;
  const position = positionOf(parameters[1]);
  const event_id = positionOf(parameters[3]);
  database.setCheckpoint(name, { ...held, position, event_id }, session.undo);
  return { rows: [], affected: 1 };
};

/** All of them, or none. */
export const moveCheckpoints: Statement = (database, _match, { parameters, session }) => {
  const [position, eventId, names = [], before = [], eventsBefore = []] = parameters as [
    unknown,
    unknown,
    readonly string[],
    readonly unknown[],
    readonly unknown[],
  ];
  let affected = 0;
  for (const [nth, name] of names.entries()) {
    const places = [position, before[nth], eventId, eventsBefore[nth]];
    const step = { parameters: [name, ...places], session };
    affected += moveCheckpoint(database, _match, step).affected;
  }
  return { rows: [], affected };
};

/** The same, and an error where one of them is elsewhere. */
export const moveCheckpointsOrFail: Statement = (database, match, { parameters, session }) => {
  const [position, eventId, names, before, eventsBefore, count] = parameters as readonly (
    | string
    | null
  )[];
  const listed = (array: string | null | undefined): (string | null)[] =>
    (array ?? '{}')
      .slice(1, -1)
      .split(',')
      .map((value) => (value === 'NULL' ? null : value));
  const places = [listed(names), listed(before), listed(eventsBefore)];
  const step = { parameters: [position, eventId, ...places], session };
  const { affected } = moveCheckpoints(database, match, step);
  if (affected !== Number(count)) throw new DivisionByZeroError('division by zero');
  return nothing;
};

export const finishCheckpoint: Statement = (database, _match, { parameters, session }) => {
  const [name = '', version = '', from = ''] = parameters.map(text);
  lock(database, name, session);
  const held = database.checkpoints.get(name);
  if (held?.version !== from) return nothing;
  database.setCheckpoint(name, { ...held, version }, session.undo);
  return { rows: [], affected: 1 };
};
