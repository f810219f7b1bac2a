import { ConfigError } from './config.ts';
import { tlsProblem } from './engine-errors.ts';

/** PostgreSQL's codes for a user that it does not let in: password, host or encryption, database. */
const databaseRefusals: Readonly<Record<string, string>> = {
  '28P01': 'the server refuses the user with this password',
  '28000': 'the server refuses the user, or a connection without TLS',
  '3D000': 'there is no such database',
};
/** gRPC: permission denied, unauthenticated. */
const grpcRefusals: readonly unknown[] = [7, 16];
const eventStoreRefusals: readonly unknown[] = ['access-denied', 'AccessDeniedError'];

type EngineError = Readonly<{ code?: unknown; type?: unknown; name?: unknown; message?: unknown }>;

const databaseProblem = (error: EngineError): string | null => {
  if (typeof error.code === 'string') return databaseRefusals[error.code] ?? null;
  const isPlain = /server does not support SSL/i.test(String(error.message));
  return isPlain ? 'the server offers no TLS, which this process demands' : null;
};

const eventStoreProblem = (error: EngineError): string | null => {
  const isRefused =
    grpcRefusals.includes(error.code) ||
    eventStoreRefusals.includes(error.type) ||
    eventStoreRefusals.includes(error.name);
  return isRefused ? 'the server refuses the user with this password' : null;
};

const problems = { DATABASE_URL: databaseProblem, EVENTSTORE_URL: eventStoreProblem } as const;

/**
 * Does the first work on an engine. An error that waiting does not fix becomes one line that names
 * the variable; any other error stays what it is.
 * @throws ConfigError
 */
export const orRefused = async <T>(
  variable: keyof typeof problems,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (typeof error !== 'object' || error === null) throw error;
    const inTls = tlsProblem(error);
    if (inTls !== null) {
      throw new ConfigError([`${variable}: the server's certificate is not accepted: ${inTls}`]);
    }
    const problem = problems[variable](error);
    if (problem === null) throw error;
    throw new ConfigError([`${variable}: ${problem}`]);
  }
};
