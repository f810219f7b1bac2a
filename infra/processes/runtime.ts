import { pino } from 'pino';
import { type Config, ConfigError, loadConfig } from '../config.ts';
import { withEngineFiles } from '../engine-files.ts';
import { createLogger, defaultLevel } from '../logging/create-logger.ts';
import { createMetrics } from '../metrics/create-metrics.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Metrics } from '../ports/metrics.ts';
import { nodeClock } from '../system/clock.ts';
import { nodeSystem, type System } from '../system/node-system.ts';
import { productVersion } from './product-version.ts';
import { failLoudly } from './shutdown.ts';

/** Configuration, logger, metrics, clock and system of one process. */
export type Runtime = Readonly<{
  config: Config;
  logger: Logger;
  metrics: Metrics;
  clock: Clock;
  system: System;
}>;

const standardError = 2;

/**
 * Ends the process with one line on standard error when the environment holds a bad value. A tool
 * has its answer on standard output, so its log goes to the other one.
 */
export const createRuntime = (name: string, kind: 'server' | 'tool' = 'server'): Runtime => {
  // Files made from here on are readable by this user alone.
  process.umask(0o077);
  try {
    const given = loadConfig(process.env);
    const toError = { destination: pino.destination({ fd: standardError, sync: true }) };
    const logger = createLogger({
      level: given.logLevel ?? defaultLevel(),
      name,
      ...(kind === 'tool' ? toError : {}),
    });
    failLoudly(logger);
    logger.info({ version: productVersion(), node: process.versions.node }, 'process started');
    const config = withEngineFiles(given, (message) => logger.warn({}, message));
    return {
      config,
      logger,
      metrics: createMetrics({ process: name }),
      clock: nodeClock,
      system: nodeSystem,
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
};
