const named = (error: unknown, name: string): boolean =>
  error instanceof Error && error.name === name;

/*
 * Rooms import ports by type only, so the errors of ports are recognised by their names, which are
 * part of the port.
 */
export const isWrongExpectedRevision = (error: unknown): boolean =>
  named(error, 'WrongExpectedRevisionError');

export const isBusUnavailable = (error: unknown): boolean => named(error, 'BusUnavailableError');
