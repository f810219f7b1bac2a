import { writeSync } from 'node:fs';
import { type DestinationStream, pino, stdSerializers } from 'pino';
import type { LogLevel } from '../config.ts';
import type { Logger } from '../ports/logger.ts';
import { readableLine } from './readable-line.ts';

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

const standardOutput = 1;

/** At a terminal a person reads along. */
const outputOf = (): DestinationStream =>
  process.stdout.isTTY === true
    ? { write: (line) => void writeSync(standardOutput, readableLine(line)) }
    : pino.destination({ fd: standardOutput, sync: true });

/** At a terminal only warnings and errors are shown; other levels on request. */
export const defaultLevel = (): LogLevel => (process.stdout.isTTY === true ? 'warn' : 'info');

/** JSON lines on standard output, written at once so that a crash leaves its last lines. */
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
    options.destination ?? outputOf(),
  );
