import {
  type ConnectionOptions,
  connect,
  ErrorCode,
  type NatsConnection,
  NatsError,
  type TlsOptions,
} from 'nats';
import { ConfigError } from '../../config.ts';
import { tlsProblem } from '../../engine-errors.ts';
import { allowTlsToAddresses } from '../../net/tls-addresses.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Timers } from '../../ports/timers.ts';
import { delay, retryDelayMs } from '../retry.ts';

const firstConnectTimeoutMs = 60_000;

/** Required where the scheme demands it or an authority is named; else the server decides. */
const tlsOf = (urls: readonly URL[]): TlsOptions | null => {
  const caFile = urls[0]?.searchParams.get('caFile') ?? null;
  if (caFile !== null) return { caFile };
  return urls.some(({ protocol }) => protocol === 'tls:') ? {} : null;
};

/**
 * Several servers are given in one text, separated by commas; name and password in front of the
 * host. Answers are sent to subjects below the user's own name, so that the server can keep them
 * from others.
 */
export const connectionOptionsOf = (text: string): ConnectionOptions => {
  const urls = text.split(',').map((part) => new URL(part.trim()));
  const [first] = urls;
  const user = decodeURIComponent(first?.username ?? '');
  const tls = tlsOf(urls);
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port || '4222'}`),
    ...(user === '' ? {} : { user }),
    ...(/^[A-Za-z0-9_-]+$/.test(user) ? { inboxPrefix: `_INBOX.${user}` } : {}),
    ...(first?.password ? { pass: decodeURIComponent(first.password) } : {}),
    ...(tls === null ? {} : { tls }),
  };
};

const refusals = new Set<string>([
  ErrorCode.AuthorizationViolation,
  ErrorCode.AuthenticationExpired,
]);

/** An error that waiting does not fix, as a text for the operator; null: the server may be late. */
const problemOf = (error: unknown, { user, tls }: ConnectionOptions): string | null => {
  const inTls = tlsProblem(error);
  if (inTls !== null) return `the server's certificate is not accepted: ${inTls}`;
  if (!(error instanceof NatsError)) return null;
  if (error.code === ErrorCode.ServerOptionNotAvailable && tls) {
    return 'the server offers no TLS, which this process demands';
  }
  if (!refusals.has(error.code)) return null;
  return user === undefined
    ? 'the server demands a user and a password'
    : `the server refuses the user ${user} with this password`;
};

/**
 * Waits for a server that starts later than this process; after that the client reconnects itself.
 * @throws ConfigError when the server is there and refuses
 */
export const connectPatiently = async (
  options: ConnectionOptions,
  logger: Logger,
  timers: Timers,
): Promise<NatsConnection> => {
  allowTlsToAddresses();
  const deadline = timers.now() + firstConnectTimeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connect(options);
    } catch (error) {
      const problem = problemOf(error, options);
      if (problem !== null) throw new ConfigError([`NATS_URL: ${problem}`]);
      if (timers.now() > deadline) throw error;
      logger.warn({ err: error, attempt }, 'NATS does not answer yet');
      await delay(timers, retryDelayMs(attempt));
    }
  }
};
