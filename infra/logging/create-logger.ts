import { type DestinationStream, pino, stdSerializers } from 'pino';
import type { LogLevel } from '../config.ts';
import type { Logger } from '../ports/logger.ts';

/** Fields that may hold a credential; their values never reach a log line. */
const secretFields = [
  'authorization',
  'Authorization',
  'cookie',
  'Cookie',
  'set-cookie',
  'x-api-key',
  'x-goog-api-key',
  'api-key',
  'apiKey',
  'key',
  'secret',
  'secretKey',
  'password',
  'passwordHash',
  'accessToken',
];

const path = (prefix: string, field: string): string =>
  /^\w+$/.test(field) ? `${prefix}${prefix && '.'}${field}` : `${prefix}["${field}"]`;

/** A wildcard covers one level, so the usual depths are named: `x`, `a.x`, `req.headers.x`. */
const redactedPaths = ['', '*', '*.*'].flatMap((prefix) =>
  secretFields.map((field) => path(prefix, field)),
);

/** JSON lines on standard output, written at once so that a crash leaves its last words. */
export const createLogger = (
  options: Readonly<{ level: LogLevel; name: string; destination?: DestinationStream }>,
): Logger =>
  pino(
    {
      level: options.level,
      name: options.name,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: stdSerializers.err, error: stdSerializers.err },
      redact: { paths: redactedPaths, censor: '[redacted]' },
    },
    options.destination ?? pino.destination({ fd: 1, sync: true }),
  );
