import { type Config, ConfigError, loadConfig, loadSecretKey } from '../config.ts';
import { createLogger } from '../logging/create-logger.ts';
import { createMetrics } from '../metrics/create-metrics.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Vault } from '../ports/vault.ts';
import { nodeClock } from '../system/clock.ts';
import { nodeSystem, type System } from '../system/node-system.ts';
import { createVault } from '../vault/create-vault.ts';
import { failLoudly } from './shutdown.ts';

/** What every process stands on. */
export type Foundation = Readonly<{
  config: Config;
  logger: Logger;
  metrics: Metrics;
  vault: Vault;
  clock: Clock;
  system: System;
}>;

/** Ends the process with one line on standard error when the environment holds a bad value. */
export const layFoundation = (name: string): Foundation => {
  try {
    const config = loadConfig(process.env);
    const logger = createLogger({ level: config.logLevel, name });
    failLoudly(logger);
    return {
      config,
      logger,
      metrics: createMetrics({ process: name }),
      vault: createVault(loadSecretKey(config)),
      clock: nodeClock,
      system: nodeSystem,
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
};
